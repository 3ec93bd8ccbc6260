"""From entries of the journal to the figures of a report."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

from .model import FOCUS, KINDS, OTHER, Bucket, PaneFigures, Report, Spread
from .stretches import Holding, Pausing

if TYPE_CHECKING:
    from collections.abc import Iterable

HOUR_MS, DAY_MS = 3_600_000, 86_400_000
BY_HOUR_UP_TO_MS = 2 * DAY_MS
AGAIN = {"pause-sent": ("pause-sent", "not-confirmed"), "not-confirmed": ("not-confirmed",)}
"""Outcomes that are told in every cycle, and what they say again after."""

Key = tuple[str, str]


def figures(entries: Iterable[dict[str, Any]], from_ms: float, until_ms: float) -> Report:
    """Of everything in this time. Entries from before tell what had begun by then.

    :param entries: as the journal has them, the oldest first; one that makes no sense is counted and passed over.
    """
    tally = Tally(from_ms, until_ms)
    for entry in entries:
        try:
            tally.take(entry)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            tally.not_understood += 1
    return tally.report()


@dataclass(slots=True)
class Tally:
    """What has been counted so far."""

    from_ms: float
    until_ms: float
    entries: int = 0
    not_understood: int = 0
    cycles: int = 0
    failed_cycles: int = 0
    coalesced: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    policies: Counter[str] = field(default_factory=Counter)
    steps: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    buckets: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    pauses: Counter[Key] = field(default_factory=Counter)
    names: dict[Key, tuple[str | None, str | None]] = field(default_factory=dict)
    last: dict[Key, str] = field(default_factory=dict)
    """The last outcome for each pane."""
    pausing: Pausing = field(init=False)
    holding: Holding = field(init=False)

    def __post_init__(self) -> None:
        self.pausing = Pausing(self.from_ms, self.until_ms)
        self.holding = Holding(self.from_ms, self.until_ms)

    @property
    def bucket_ms(self) -> float:
        return HOUR_MS if self.until_ms - self.from_ms <= BY_HOUR_UP_TO_MS else DAY_MS

    def take(self, entry: dict[str, Any]) -> None:
        """Raises KeyError, TypeError or ValueError for one that makes no sense, and counts nothing of it then."""
        at_ms = _finite(entry["at_ms"])
        inside = self.from_ms <= at_ms <= self.until_ms
        match entry["type"]:
            case "cycle":
                self._cycle(entry, at_ms, inside)
            case "decision":
                self._decision(entry, at_ms, inside)
            case "hold":
                self.holding.take(str(entry["run"]), str(entry["kind"]), str(entry["change"]), at_ms)
            case "wake-up":
                self.coalesced += inside and entry["outcome"] == "coalesced"
            case other:
                raise ValueError(other)
        self.entries += inside

    def _cycle(self, entry: dict[str, Any], at_ms: float, inside: bool) -> None:
        session, failed, steps = str(entry["session"]), bool(entry["error"]), _numbers(entry["steps"])
        if not failed:
            self.pausing.cycle(session, at_ms)
        if inside:
            self.cycles += 1
            self.failed_cycles += failed
            for step, duration_ms in steps.items():
                self.steps[step].append(duration_ms)

    def _decision(self, entry: dict[str, Any], at_ms: float, inside: bool) -> None:
        key, outcome = (str(entry["session"]), str(entry["pane"])), str(entry["outcome"])
        steps, runs = _numbers(entry["steps"]), [str(run) for run in entry["runs"]]
        if entry["observed"] in ("paused", "pausing"):
            self.pausing.seen(*key)
        again = self.last.get(key) in AGAIN.get(outcome, ())
        self.last[key] = outcome
        if not inside:
            return
        self.names[key] = (_text(entry.get("label")), _text(entry.get("agent")))
        self.outcomes[outcome] += not again
        if outcome == "paused":
            self._paused(key, self._kind(runs), entry.get("policy"), at_ms)
            if "confirm" in steps:
                self.steps["confirm"].append(steps["confirm"])

    def _paused(self, key: Key, kind: str, policy: str | None, at_ms: float) -> None:
        self.pauses[key] += 1
        self.kinds[kind] += 1
        self.policies[str(policy or "none")] += 1
        bucket = int((at_ms - self.from_ms) // self.bucket_ms)
        self.buckets[min(bucket, self._buckets_in_all - 1)][kind] += 1

    def _kind(self, runs: list[str]) -> str:
        found = {FOCUS if run == FOCUS else self.holding.kinds.get(run, OTHER) for run in runs}
        return next((kind for kind in KINDS if kind in found), OTHER)

    def report(self) -> Report:
        return Report(
            from_ms=self.from_ms,
            until_ms=self.until_ms,
            entries=self.entries,
            not_understood=self.not_understood,
            cycles=self.cycles,
            failed_cycles=self.failed_cycles,
            coalesced=self.coalesced,
            asked=self.outcomes["pause-sent"],
            confirmed=self.outcomes["paused"],
            unconfirmed=self.outcomes["not-confirmed"],
            refused=self.outcomes["refused"],
            spared=self.outcomes["now-focused"],
            by_kind={kind: self.kinds[kind] for kind in KINDS if self.kinds[kind]},
            by_policy=dict(self.policies.most_common()),
            steps={step: Spread.of(values) for step, values in self.steps.items()},
            breaks=self.holding.stretches("break"),
            manual=self.holding.stretches("manual"),
            panes=self._panes(),
            buckets=self._buckets(),
            bucket_ms=self.bucket_ms,
        )

    def _panes(self) -> tuple[PaneFigures, ...]:
        paused_ms = self.pausing.durations()
        keys = [key for key in {**self.names, **paused_ms} if self.pauses[key] or paused_ms.get(key)]
        found = (
            PaneFigures(*key, *self.names.get(key, (None, None)), self.pauses[key], paused_ms.get(key, 0.0))
            for key in keys
        )
        return tuple(sorted(found, key=lambda pane: (-pane.paused_ms, pane.session, pane.pane)))

    @property
    def _buckets_in_all(self) -> int:
        return max(1, ceil((self.until_ms - self.from_ms) / self.bucket_ms))

    def _buckets(self) -> tuple[Bucket, ...]:
        return tuple(
            Bucket(self.from_ms + index * self.bucket_ms, dict(self.buckets.get(index, {})))
            for index in range(self._buckets_in_all)
        )


def _numbers(steps: Any) -> dict[str, float]:
    return {str(step): _finite(duration_ms) for step, duration_ms in steps.items()}


def _finite(value: Any) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError(value)
    return number


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
