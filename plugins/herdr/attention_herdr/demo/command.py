"""`attention demo` on the command line."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import argparse

    from .cast import Sabotage

NEEDED: Final = {"attention_omp_keys": "attention-omp-keys", "attention_policies": "attention-policies"}
SUMMARY: Final = "watch the whole of it on a simulated Herdr with simulated agents"


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from .cast import Sabotage

    parser = subcommands.add_parser(
        "demo",
        help=SUMMARY,
        description=(
            "Start a simulated Herdr with three simulated agents in a temporary folder, connect the real "
            "controller to it, move the focus about, and check at the end what the agents really did. "
            "Nothing of yours is touched. Ends with 1 and the reason when a check fails."
        ),
    )
    parser.add_argument(
        "--sabotage",
        choices=[kind.value for kind in Sabotage if kind is not Sabotage.NONE],
        default=Sabotage.NONE.value,
        help="break something on purpose, to see the checks find it",
    )
    parser.set_defaults(run=lambda arguments, app: run(Sabotage(arguments.sabotage)))


def run(sabotage: Sabotage) -> int:
    """0 if every check holds, 1 if not."""
    missing = [package for module, package in NEEDED.items() if find_spec(module) is None]
    if missing:
        print(
            f"attention: the demo needs {' and '.join(missing)}. Run: pip install {' '.join(missing)}",
            file=sys.stderr,
        )
        return 1
    from .display import display
    from .evidence import collect
    from .invariants import check
    from .script import play
    from .stage import Stage
    from .summary import print_summary

    with Stage(sabotage) as stage, display(stage) as shown:
        stuck = play(stage, shown)
        evidence = collect(stage, stuck)
    findings = check(evidence)
    print_summary(evidence, findings)
    return 1 if any(finding.broken for finding in findings) else 0
