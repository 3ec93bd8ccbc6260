"""The end of the demo: what was promised, and whether it held."""

from __future__ import annotations

import statistics
import sys
from typing import TYPE_CHECKING

from .invariants import delays_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .evidence import Evidence
    from .invariants import Finding


def print_summary(evidence: Evidence, findings: Sequence[Finding]) -> None:
    lines = list(_lines(evidence, findings))
    if not sys.stdout.isatty():
        print("", *lines, sep="\n")
        return
    from rich.console import Console

    console = Console(highlight=False)
    for line in ["", *lines]:
        style = {"ok ": "green", "BRO": "bold red"}.get(line.strip()[:3])
        console.print(line, style=style, markup=False)


def _lines(evidence: Evidence, findings: Sequence[Finding]) -> list[str]:
    lines = []
    for finding in findings:
        lines.append(f"{'BROKEN' if finding.broken else 'ok    '}  {finding.promise}")
        lines += [f"        {sentence}" for sentence in finding.broken]
    cycles = sum(entry["type"] == "cycle" for entry in evidence.journal)
    lines += ["", f"{evidence.switches} switches, {cycles} cycles, {evidence.seconds:.1f} s in all."]
    if delays := delays_ms(evidence):
        lines.append(
            f"From leaving an agent to its pause on the screen: {statistics.median(delays) / 1000:.2f} s in the middle, "
            f"{delays[-1] / 1000:.2f} s at most ({len(delays)} pauses; one process is started for each change of focus)."
        )
    return lines
