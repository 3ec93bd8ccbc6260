"""What is printed, as plain lines."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from .absence import Claim
from .guarantees import BREAKS, PROMISES, Mode
from .judging import claim_after

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..report import Spread
    from .absence import Step
    from .guarantees import Measured, Standing

WIDTH: Final = 100
INDENT: Final = " " * 17
CLAIMS: Final = {
    Claim.HOLDS: "The deterministic claim holds in this run: no tool began after the safe boundary.",
    Claim.REFUSED: "The deterministic claim is REFUSED.",
    Claim.NOT_TESTED: "The deterministic claim was not tested.",
}


def step_lines(step: Step) -> Iterator[str]:
    yield f"{step.number:>2}  {step.grade:<11}  {step.title}"
    for sentence in (step.saw, step.private):
        yield from wrap(sentence, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)


def claim_line(steps: Sequence[Step]) -> str:
    """The deterministic claim: it is made, refused or not tested, and nothing in between."""
    grades = [step.grade for step in steps]
    return CLAIMS[claim_after(grades, grades[-1])]


def figure_lines(measured: Mapping[str, Spread]) -> Iterator[str]:
    if measured:
        yield f"{'ms':<40}{'count':>6}{'p50':>9}{'p99':>9}{'longest':>9}"
    for title, spread in measured.items():
        yield f"{title:<40}{spread.count:>6}{spread.p50:>9.1f}{spread.p99:>9.1f}{spread.longest:>9.1f}"


def standing_lines(name: str, standing: Standing) -> Iterator[str]:
    yield f"{name}: {standing.mode}"
    yield from _about("promise", PROMISES[standing.mode])
    yield from _about("would break it", BREAKS[standing.mode])
    for sentence in standing.missing:
        yield from _about("missing for more", sentence)


def _about(head: str, sentence: str) -> Iterator[str]:
    rows = wrap(sentence, WIDTH - 20)
    yield f"  {head:<17} {rows[0]}"
    yield from (f"{'':<20}{row}" for row in rows[1:])


def measured_lines(measured: Measured) -> Iterator[str]:
    spreads = {
        "wake-up to request handed over": measured.wake_to_sent,
        "request to confirmation": measured.sent_to_confirmed,
    }
    known = {title: spread for title, spread in spreads.items() if spread is not None}
    yield from figure_lines(known)
    if not known:
        yield "the journal has no pause of that time: nothing is measured"
    yield f"{measured.asked} pauses asked for, {measured.unconfirmed} reported as not confirmed"


def table_lines() -> Iterator[str]:
    """Every mode with its promise, the weakest first."""
    for mode in Mode:
        yield f"  {mode:<15} {PROMISES[mode]}"
