"""The measured table of the guarantees: `attention verify` in each mode, on a real tmux with real OMPs.

    python bench/guarantees.py [--repeat N] [--write]

Each mode has a machine of its own. Both agents call a program of a second again and again, so that each absence begins with
a call in flight. Prints the table; with `--write` it replaces the one in docs/explanation/guarantees.md.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pages
from tmux_stage import ROOT, missing

from attention_framework.state.folder import StateFolder
from tests.e2e.harness.model_server import Call, Say, ScriptedModel
from tests.e2e.harness.programs import omp_folder
from tests.e2e.harness.tmux_host import TmuxHost
from tests.e2e.harness.world import EFFECTS, World

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attention_framework.effects import Lock

PAGE = ROOT / "docs/explanation/guarantees.md"
BEGIN, END = "<!-- measured: written by bench/guarantees.py -->", "<!-- end of measured -->"
MODES = {
    "one-shot": None,
    'resident (`reflex.mode = "off"`)': "off",
    "reflex brake": "brake",
    "reflex strict": "strict",
}
"""The reflex of each; None: no controller is resident."""
STEPS = 2_000
HEAD = (
    "mode",
    "to the gate: p50",
    "longest",
    "to the pause on the screen: p50",
    "longest",
    "calls begun between key and gate",
    "calls begun after the gate",
)


@dataclass(frozen=True, slots=True)
class Row:
    """Milliseconds after the key that moves the focus away."""

    mode: str
    absences: int
    gates: Sequence[float]
    shown: Sequence[float]
    before: int
    late: int
    drafts_kept: bool

    def cells(self) -> Iterator[str]:
        yield self.mode
        for values in (self.gates, self.shown):
            yield f"{statistics.median(values):.0f}"
            yield f"{max(values):.0f}"
        yield str(self.before)
        yield str(self.late)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=15, metavar="N", help="absences with a call in flight")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if what := missing():
        print(f"left out: needs {what}")
        return 0
    rows = []
    for mode, reflex in MODES.items():
        rows.append(row(mode, measured(reflex, options.repeat)))
        print(
            f"{mode}: {rows[-1].absences} absences, drafts kept: {rows[-1].drafts_kept}",
            file=sys.stderr,
            flush=True,
        )
    table = "\n".join(lines(rows))
    print(table)
    if options.write:
        renew_page(table)
    return 0 if all(one.drafts_kept for one in rows) else 1


def measured(reflex: str | None, repeat: int) -> dict[str, Any]:
    """The report of one run. Raises AssertionError where `verify` could not come to its end."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="attention-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        model = stack.enter_context(ScriptedModel())
        world = World(folder, TmuxHost(), model, omp_folder(), resident=reflex is not None)
        stack.callback(world.stop)
        world.start()
        world.set_up(more=f'\n[reflex]\nmode = "{reflex}"\n' if reflex else "")
        if reflex is None:
            stack.callback(keep_away(world).release)
        steps = [Call("bash", {"command": "./step"})] * STEPS
        return verified(world, f"go {model.play('steps', *steps, Say('NEVER'))}", repeat)


def keep_away(world: World) -> Lock:
    """The tmux that `verify` starts would start a controller: it finds the place taken."""
    lock = EFFECTS.files.try_lock(StateFolder(world.state).serve_lock)
    assert lock is not None, "the controller has been stopped"
    return lock


def verified(world: World, prompt: str, repeat: int) -> dict[str, Any]:
    report = world.folder / "report.json"
    words = ("--yes", "--watch", "1s", "--repeat", str(repeat), "--report", str(report), "--prompt", prompt)
    done = subprocess.run(
        world.command("verify", *words),
        env={**world.environment(), **world.host.environment()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert report.exists(), f"verify: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    document: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return document


def row(mode: str, report: dict[str, Any]) -> Row:
    absences = report["absences"]
    return Row(
        mode,
        len(absences),
        [gate for absence in absences if (gate := _gate_ms(absence)) is not None],
        [absence["shown_ms"] for absence in absences if absence["shown_ms"] is not None],
        sum(absence["before_the_gate"] for absence in absences),
        sum(len(absence["late_calls"]) for absence in absences),
        all(draft["kept"] and draft["exact"] for draft in report["drafts"]),
    )


def _gate_ms(absence: dict[str, Any]) -> float | None:
    known = [absence[name] for name in ("braked_ms", "engaged_ms") if absence[name] is not None]
    held: float | None = absence["held_ms"]
    return min(known, default=held)


def lines(rows: Sequence[Row]) -> Iterator[str]:
    yield f"| {' | '.join(HEAD)} |"
    yield "|---" * len(HEAD) + "|"
    for one in rows:
        yield f"| {' | '.join(one.cells())} |"


def renew_page(table: str) -> None:
    pages.renew(PAGE, BEGIN, f"{table}\n", END)


if __name__ == "__main__":
    sys.exit(main())
