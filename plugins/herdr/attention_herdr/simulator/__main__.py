"""`python -m attention_herdr.simulator`: a simulated Herdr of its own, driven by lines on its input."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import ApiError
from .herdr import SimulatedHerdr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LINES = """lines on its input:
  focus PANE · storm N [SEED] · press KEY… · type TEXT · outer in|out · screen PANE · panes
  split PANE · move PANE · close PANE · restart · handoff · fault METHOD KIND · quit (or the end of input)
"""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="attention_herdr.simulator",
        description=__doc__,
        epilog=LINES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--folder", type=Path, help="stands for Herdr's config folder (default: a temporary one)"
    )
    parser.add_argument("--socket", type=Path, help="where it listens (default: herdr.sock in the folder)")
    parser.add_argument("--session", help="the name of a session")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--agents", type=int, default=0, metavar="N", help="start N simulated agents side by side"
    )
    parser.add_argument(
        "options", nargs="*", help="after --: options of the agents; {pane} stands for the pane's number"
    )
    options = parser.parse_args(argv)
    with SimulatedHerdr(
        options.folder, session=options.session, socket=options.socket, seed=options.seed
    ) as herdr:
        for number in range(1, options.agents + 1):
            pane = herdr.pane_ids()[0] if number == 1 else herdr.split(herdr.pane_ids()[-1])
            herdr.start_agent(pane, *(option.replace("{pane}", str(number)) for option in options.options))
        print(f"listening at {herdr.address}", flush=True)
        for line in sys.stdin:
            if line.strip() == "quit":
                break
            print(obey(herdr, line), flush=True)
    return 0


def obey(herdr: SimulatedHerdr, line: str) -> str:
    """Carry out one line; what there is to say about it."""
    name, *words = line.split() or [""]
    commands: dict[str, Callable[..., object]] = {
        "focus": herdr.focus,
        "storm": lambda count, seed="0": " ".join(herdr.storm(int(count), int(seed))),
        "press": herdr.press,
        "type": lambda *text: herdr.type_text(" ".join(text)),
        "outer": lambda where: herdr.outer_focus(where == "in"),
        "screen": herdr.screen,
        "panes": lambda: " ".join(f"*{pane}" if pane == herdr.focused else pane for pane in herdr.pane_ids()),
        "split": herdr.split,
        "move": herdr.move_pane,
        "close": herdr.close_pane,
        "restart": herdr.restart,
        "handoff": lambda: herdr.restart(handoff=True),
        "fault": herdr.fault,
    }
    if name not in commands:
        return f"unknown: {name}"
    try:
        said = commands[name](*words)
    except (ApiError, TypeError, ValueError) as error:
        return f"failed: {error}"
    return "ok" if said is None else str(said)


if __name__ == "__main__":
    sys.exit(main())
