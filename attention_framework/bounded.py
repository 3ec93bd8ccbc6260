"""Calls to plugins that may raise or hang, and must stop nothing else.

A function runs over many items in one worker thread, so that a cycle over a thousand panes costs one
hand-over per strategy. The limit holds for each item. A thread that hangs cannot be ended: it is left behind
(a daemon, so that it does not keep the process alive), and its strategy is not called again: in a command not
at all, in a process that stays (`stays`) for a while, longer each time, and not while too many of its calls hang.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from .errors import Expected

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")
U = TypeVar("U")
LIMIT_S = 5.0
FIRST_REST_S = 1.0
LONGEST_REST_S = 60.0
STOPPED_S = 1.0
"""Who wakes so much too late was stopped."""
MOST_HANGING = 8
"""Threads that one strategy may have left behind: after that, one must come back before it is called again."""
_IMPORTERS = frozenset({"importlib", "metadata", "stevedore"})
_CALLERS = frozenset(
    Path(__file__).parent / name for name in ("bounded", "loading/entry_points", "loading/load")
)


class Ending(Enum):
    DONE = "done"
    RAISED = "raised"
    TIMED_OUT = "timed out"
    NOT_CALLED = "not called"


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """What became of one call: a value, or a problem put into words."""

    ending: Ending
    value: T | None = None
    problem: str = ""
    error: BaseException | None = None


NOTHING: Result[Any] = Result(Ending.DONE)
"""The most frequent answer: a policy that has no opinion."""


class Caller(Protocol):
    """`Bounded` in the real world; `Inline` where time is simulated."""

    def call(self, name: str, function: Callable[[], T]) -> Result[T]:
        """Call once on behalf of the strategy or plugin `name`."""
        ...

    def each(self, name: str, function: Callable[[U], T], items: Sequence[U]) -> list[Result[T]]:
        """Call for every item; one result each, in order.
        An item that raises stops no other; after one that hangs the rest is not called.
        """
        ...


class _Reporting:
    """Says each problem once. Expected errors are answers, and reported by whoever asked."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report

    def _tell(self, name: str, results: Sequence[Result[Any]]) -> None:
        problems = [
            result.problem
            for result in results
            if result.ending is Ending.RAISED and not isinstance(result.error, Expected)
        ]
        for problem in dict.fromkeys(problems):
            self._report(f"{name}: {problem}")


class Inline(_Reporting):
    """The same without threads: nothing notices a call that hangs."""

    def call(self, name: str, function: Callable[[], T]) -> Result[T]:
        return self.each(name, lambda _: function(), [None])[0]

    def each(self, name: str, function: Callable[[U], T], items: Sequence[U]) -> list[Result[T]]:
        results = [_attempt(function, item) for item in items]
        for result in results:
            if isinstance(result.error, KeyboardInterrupt):
                raise result.error
        self._tell(name, results)
        return results


@dataclass(slots=True)
class _GivenUp:
    """A strategy that hung."""

    reason: str
    rest_s: float
    until: float
    hanging: list[_Batch]

    def may_be_called(self, now: float) -> bool:
        self.hanging = [batch for batch in self.hanging if not batch.returned]
        return now >= self.until and len(self.hanging) < MOST_HANGING


class Bounded(_Reporting):
    """Calls in worker threads. Safe to use from several threads, and from within a call."""

    def __init__(self, report: Callable[[str], None], limit_s: float = LIMIT_S) -> None:
        super().__init__(report)
        self._limit_s = limit_s
        self._idle: list[_Worker] = []
        self._given_up: dict[str, _GivenUp] = {}
        self.stays = False
        """Whether this process goes on for days, so that a strategy that hung gets another chance."""
        self.first_rest_s = FIRST_REST_S

    @property
    def given_up(self) -> dict[str, str]:
        """Why strategies are not called at present, by their names."""
        now = time.monotonic()
        found = list(self._given_up.items())
        return {name: one.reason for name, one in found if not (self.stays and one.may_be_called(now))}

    def call(self, name: str, function: Callable[[], T]) -> Result[T]:
        return self.each(name, lambda _: function(), [None])[0]

    def each(self, name: str, function: Callable[[U], T], items: Sequence[U]) -> list[Result[T]]:
        refused = self._refused(name)
        if refused or not items:
            return [refused] * len(items) if refused else []
        try:
            worker = self._idle.pop()
        except IndexError:
            worker = _Worker()
        batch = _Batch(function, list(items))
        try:
            worker.batches.put(batch)
            batch.wait(self._limit_s)
        finally:  # The person may interrupt while a call hangs.
            results = batch.close()
            finished = len(results) == len(items)
            self._idle.append(worker) if finished else worker.batches.put(None)
        if not finished:
            results = self._give_up(name, batch, results)
        else:
            self._given_up.pop(name, None)
        self._tell(name, results)
        return results

    def _refused(self, name: str) -> Result[Any] | None:
        found = self._given_up.get(name)
        if found is None or (self.stays and found.may_be_called(time.monotonic())):
            return None
        return Result(Ending.NOT_CALLED, problem=found.reason)

    def _give_up(self, name: str, batch: _Batch, done: list[Result[Any]]) -> list[Result[Any]]:
        item = "" if batch.items == [None] else f" on {_short(batch.items[len(done)])}"
        again = "for a while" if self.stays else "again"
        reason = f"gave no answer within {self._limit_s:g} s{item}, and is not called {again}"
        before = self._given_up.get(name)
        rest_s = min(2 * before.rest_s, LONGEST_REST_S) if before else self.first_rest_s
        hanging = [*(before.hanging if before else ()), batch]
        self._given_up[name] = _GivenUp(reason, rest_s, time.monotonic() + rest_s, hanging)
        self._report(f"{name}: {reason}")
        left = len(batch.items) - len(done) - 1
        skipped: Result[Any] = Result(Ending.NOT_CALLED, problem=reason)
        return [*done, Result(Ending.TIMED_OUT, problem=reason), *[skipped] * left]


class _Batch:
    """One function over its items, with the moment at which the present item began."""

    def __init__(self, function: Callable[[Any], Any], items: list[Any]) -> None:
        self.items = items
        self.results: list[Result[Any]] = []
        self._function = function
        self._began = time.monotonic()
        self._closed = False
        self.returned = False
        """Also of one that was given up: its thread is free again."""
        self._changing = threading.Lock()
        self._finished = threading.Event()

    def run(self) -> None:
        try:
            self._run()
        finally:
            self.returned = True

    def _run(self) -> None:
        for item in self.items:
            self._began = time.monotonic()
            result = _attempt(self._function, item)
            with self._changing:
                if self._closed:
                    return
                self.results.append(result)
        self._finished.set()

    def wait(self, limit_s: float) -> None:
        """Until every item is done, or one has taken longer than the limit. Time in which this whole process was
        stopped does not count: nobody could answer, or hear an answer.
        """
        while (left := self._began + limit_s - time.monotonic()) > 0:
            due = time.monotonic() + left
            if self._finished.wait(left):
                return
            if time.monotonic() > due + STOPPED_S:
                self._began = time.monotonic()

    def close(self) -> list[Result[Any]]:
        """The results so far; what comes later is dropped."""
        with self._changing:
            self._closed = True
            return self.results


class _Worker:
    """A daemon thread that runs batches until it is handed None."""

    def __init__(self) -> None:
        self.batches: SimpleQueue[_Batch | None] = SimpleQueue()
        threading.Thread(target=self._work, name="attention-bounded", daemon=True).start()

    def _work(self) -> None:
        while (batch := self.batches.get()) is not None:
            batch.run()


def _attempt(function: Callable[[U], T], item: U) -> Result[T]:
    try:
        value = function(item)
        return NOTHING if value is None else Result(Ending.DONE, value)
    except BaseException as error:  # SystemExit too: a plugin does not end the process.
        return Result(Ending.RAISED, problem=describe(error), error=error)


def give_another_chance(call: Caller) -> None:
    """Call a strategy that hung again, after a while. Where there are no time limits none is given up."""
    if isinstance(call, Bounded):
        call.stays = True


def describe(error: BaseException) -> str:
    """One line: what was raised, and where."""
    if isinstance(error, Expected):
        return str(error) or type(error).__name__
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    where = _place(error)
    return f"{text} ({where})" if where else text


def _place(error: BaseException) -> str:
    """The innermost line that somebody wrote; what imports it is not the culprit."""
    if isinstance(error, SyntaxError):  # Its text names the place already.
        return ""
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if (
            not file.startswith("<frozen")
            and Path(file).parent.name not in _IMPORTERS
            and Path(file).with_suffix("") not in _CALLERS
        ):
            place = f"{file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _short(item: object) -> str:
    return str(getattr(item, "id", None) or item)[:80]
