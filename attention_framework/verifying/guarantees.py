"""Which promise holds for which agent, what is missing for a stronger one, and what the journal has measured."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from ..report import Spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..model import Hello


class Mode(StrEnum):
    """From the weakest to the strongest."""

    UNCONFIRMED = "unacknowledged"
    ONE_SHOT = "one-shot"
    RESIDENT = "resident"
    BRAKE = "reflex brake"
    STRICT = "reflex strict"


PROMISES: Final[Mapping[Mode, str]] = {
    Mode.UNCONFIRMED: "best effort: a key or a command is typed, and nobody acknowledges it",
    Mode.ONE_SHOT: "best effort: paused within one cycle of the last event",
    Mode.RESIDENT: "as one-shot, in tens of milliseconds; nothing is lost while the controller or the host restarts",
    Mode.BRAKE: "no tool starts after the agent has read the focus report",
    Mode.STRICT: "no tool starts in a pane that had lost the focus before the boundary asked",
}
BREAKS: Final[Mapping[Mode, str]] = {
    Mode.UNCONFIRMED: "a dialog or an external editor that takes the key; a draft that is submitted with the command",
    Mode.ONE_SHOT: "a machine so busy that a process takes seconds to start; a host that tells of no change",
    Mode.RESIDENT: "what starts before the controller has heard of the change; an agent that does not look for seconds",
    Mode.BRAKE: "a terminal that reports no focus; an agent whose loop is blocked when the report comes; no answer in time",
    Mode.STRICT: 'with fail = "open": a controller that does not answer; a model request that had passed the agent\'s own check',
}
"""What would break each."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the surroundings of one agent."""

    resident: bool
    reflex: str
    """As the settings have it: `off`, `brake`, `strict`."""
    fail: str
    acknowledged: bool
    """As the first of its transports promises."""
    hello: Hello | None


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds for one agent, and what would make it stronger."""

    mode: Mode
    missing: tuple[str, ...]


def standing(facts: Facts) -> Standing:
    return Standing(_mode(facts), tuple(_missing(facts)))


def _mode(facts: Facts) -> Mode:
    hello = facts.hello
    if hello is None or not facts.acknowledged:
        return Mode.UNCONFIRMED
    if facts.resident and hello.reflex.mode == "strict":
        return Mode.STRICT
    if facts.resident and hello.reflex.mode == "brake" and hello.reflex.reports:
        return Mode.BRAKE
    return Mode.RESIDENT if facts.resident else Mode.ONE_SHOT


def _missing(facts: Facts) -> Iterable[str]:
    hello = facts.hello
    if hello is None and facts.acknowledged:
        yield "it has not said hello: `attention doctor` says why"
    if not facts.acknowledged:
        yield "its first transport is not acknowledged: choose a mailbox in `agents.<name>.transport`"
        return
    if not facts.resident:
        yield "no controller is resident: `attention serve --detach`"
        return
    if facts.reflex == "off":
        yield 'the reflex is switched off: `reflex.mode = "brake"`'
        return
    if hello is not None:
        yield from _missing_of_reflex(facts, hello)


def _missing_of_reflex(facts: Facts, hello: Hello) -> Iterable[str]:
    if hello.reflex.mode == "off":
        yield "its reflex is not in effect: start the agent anew, or see `attention doctor`"
    elif not hello.reflex.reports:
        yield "no focus report has come from its terminal: in tmux `set -s focus-events on`; move the focus there once"
    if hello.reflex.silent:
        yield f"its last {hello.reflex.silent} questions had no answer in time: `reflex.ask_ms`"
    if facts.reflex == "brake":
        yield 'it does not ask before every step: `reflex.mode = "strict"`'
    elif facts.fail == "open":
        yield 'it goes on when the controller does not answer: `reflex.fail = "closed"`'


@dataclass(frozen=True, slots=True)
class Measured:
    """From the journal, in ms."""

    wake_to_sent: Spread | None
    """From the start of what was woken to the request handed over."""
    sent_to_confirmed: Spread | None
    asked: int
    unconfirmed: int


def measure(entries: Iterable[dict[str, Any]], from_ms: float) -> Measured:
    """Entries that make no sense are passed over."""
    sent: list[float] = []
    confirmed: list[float] = []
    unconfirmed = 0
    last: dict[object, str] = {}
    for entry in entries:
        try:
            if entry["type"] != "decision" or entry["at_ms"] < from_ms:
                continue
            outcome, pane = entry["outcome"], (entry["session"], entry["pane"])
            if outcome == "pause-sent" and last.get(pane) not in ("pause-sent", "not-confirmed"):
                sent.append(sum(map(float, entry["steps"].values())))
            elif outcome == "paused" and "confirm" in entry["steps"]:
                confirmed.append(float(entry["steps"]["confirm"]))
            elif outcome == "not-confirmed" and last.get(pane) != outcome:
                unconfirmed += 1
            last[pane] = outcome
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
    return Measured(_spread(sent), _spread(confirmed), len(sent), unconfirmed)


def _spread(values: Sequence[float]) -> Spread | None:
    return Spread.of(values) if values else None
