"""The journal: one JSON object a line for every cycle, decision and change of a hold. Its fields are an
interface (docs/reference/journal.md).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .errors import describe_os_error
from .model import Outcome
from .state.documents import encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from .effects import Effects, Lock
    from .model import CycleReport, Decision, Hold, Session

MAX_BYTES = 5_000_000
KEEP = 3
LOCK_WAIT_MS = 1_000.0
LOCK_LOOK_MS = 2.0


@dataclass(frozen=True, slots=True)
class Journal:
    """Appends whole lines, and renames the file when it has grown: `journal.jsonl`, `journal.1.jsonl`, …"""

    path: Path
    effects: Effects
    report: Callable[[str], None]
    """Takes what keeps lines from being written: no reason to fail, what they tell of has happened."""
    max_bytes: int = MAX_BYTES
    keep: int = KEEP

    def write_cycle(self, report: CycleReport) -> None:
        self._append([_cycle(report), *(_decision(report, decision) for decision in report.decisions)])

    def write_coalesced(
        self, session: Session, key: str, trigger: str, steps: tuple[tuple[str, float], ...]
    ) -> None:
        """A wake-up that another process's cycle has covered."""
        self._append([{
            "type": "wake-up", "at_ms": self._now(), "host": session.host, "session": key, "trigger": trigger,
            "outcome": Outcome.COALESCED, "steps": dict(steps),
        }])  # fmt: skip

    def write_hold(self, hold: Hold, change: str, why: str = "") -> None:
        self._append([{
            "type": "hold", "at_ms": self._now(), "run": hold.run, "kind": hold.kind, "source": hold.source, "change": change,
            "why": why, "deadline_ms": hold.deadline_ms,
            "scope": "all" if hold.scope.everything else sorted(pane for _, pane in hold.scope.panes),
        }])  # fmt: skip

    def write_given_back(self, run: str, panes: Sequence[str]) -> None:
        """What was resumed after the last of the breaks that overlapped."""
        self._append([{
            "type": "hold", "at_ms": self._now(), "run": run, "kind": "break", "change": "gave-back", "panes": list(panes),
        }])  # fmt: skip

    @property
    def paths(self) -> list[Path]:
        """Where its files are or will be, the newest first."""
        return [self.path, *self._rotated()]

    def read(self) -> Iterator[dict[str, Any]]:
        """Every entry that is still there, the oldest first. Lines that are no JSON are passed over."""
        for path in reversed(self.paths):
            try:
                content = self.effects.files.read(path)
            except FileNotFoundError:
                continue
            yield from parse_lines(content)

    def _append(self, entries: list[dict[str, Any]]) -> None:
        content = b"".join(encoded(entry) for entry in entries)
        try:
            self._append_locked(content)
        except OSError as error:
            self.report(f"the journal cannot be written: {describe_os_error(error)}")

    def _append_locked(self, content: bytes) -> None:
        lock = self._lock()
        try:
            # Only under the lock: two that rotate at once would push a file out.
            if lock is not None and self.effects.files.size(self.path) + len(content) > self.max_bytes:
                self._rotate()
            self.effects.files.append(self.path, content)
        finally:
            if lock is not None:
                lock.release()

    def _lock(self) -> Lock | None:
        """Appends of several processes must not fall into each other;
        but a journal line is no reason to wait for long.
        """
        end = self.effects.clock.monotonic_ms() + LOCK_WAIT_MS
        while True:
            lock = self.effects.files.try_lock(self.path.with_name("journal.lock"))
            if lock is not None or self.effects.clock.monotonic_ms() >= end:
                return lock
            self.effects.clock.sleep_ms(LOCK_LOOK_MS)

    def _rotated(self) -> list[Path]:
        return [
            self.path.with_name(f"{self.path.stem}.{number}{self.path.suffix}")
            for number in range(1, self.keep + 1)
        ]

    def _rotate(self) -> None:
        names = self.paths
        self.effects.files.remove(names[-1])
        for younger, older in reversed(list(pairwise(names))):
            if self.effects.files.exists(younger):
                self.effects.files.rename(younger, older)

    def _now(self) -> int:
        return self.effects.clock.wall_ms()


def parse_lines(content: bytes) -> Iterator[dict[str, Any]]:
    """Those that are JSON objects; nothing else is an entry."""
    for line in content.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            yield entry


def _cycle(report: CycleReport) -> dict[str, Any]:
    return {
        "type": "cycle",
        "at_ms": report.started_ms,
        "cycle": report.cycle,
        "trigger": report.trigger,
        "host": report.session.host,
        "session": report.key,
        "decisions": len(report.decisions),
        "error": report.error or None,
        "again_ms": report.again_ms,
        "steps": dict(report.steps),
    }


def _decision(report: CycleReport, decision: Decision) -> dict[str, Any]:
    seen = decision.observed
    return {
        "type": "decision",
        "at_ms": report.started_ms,
        "cycle": report.cycle,
        "trigger": report.trigger,
        "session": decision.session,
        "pane": decision.pane,
        "label": decision.label or None,
        "agent": decision.agent,
        "verdict": decision.action,
        "policy": decision.policy or None,
        "runs": list(decision.runs),
        "observed": seen.state,
        "evidence": seen.evidence,
        "detector": seen.detector or None,
        "outcome": decision.outcome,
        "reason": decision.reason,
        "transport": decision.transport or None,
        "steps": {**dict(report.steps), **dict(decision.steps)},
    }
