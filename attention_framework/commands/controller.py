"""What a person is told of the resident controller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..words.local_time import local_time, near_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..app import App

NONE = "none is resident: every event runs a cycle of its own"
ANEW = "attention stop, then attention serve --detach"
SILENT, BACKING_OFF = "gives no answer", "backing off"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that the controller cannot do at the moment."""

    about: str
    """`break source marker`, `host tmux`, ..."""
    message: str
    """What it said, since when, and when it is tried again."""
    mend: str

    def __str__(self) -> str:
        return f"{self.about}: {self.message}. To mend it: {self.mend}"


@dataclass(frozen=True, slots=True)
class Controller:
    """The part of its status that a person asks for."""

    pid: int
    started_ms: int
    sessions: int
    problems: tuple[Problem, ...]
    version: str

    @property
    def is_outdated(self) -> bool:
        """Of another version than the one that is installed now: it runs the code of before an upgrade."""
        return self.version != __version__

    def document(self) -> dict[str, Any]:
        """As `attention status --json` prints it."""
        problems = list(map(str, self.problems))
        return {
            "pid": self.pid,
            "started_ms": self.started_ms,
            "sessions": self.sessions,
            "problems": problems,
        }


def controller_status(app: App) -> Controller | None:
    """None if none answers."""
    from ..serve.client import NoServer, server_status

    try:
        status = server_status(app.state, app.effects)
        return Controller(
            int(status["pid"]),
            int(status["started_ms"]),
            len(status["sessions"]),
            tuple(_Problems(status, app.effects.clock.wall_ms(), str(app.state.log)).all()),
            _version(status),
        )
    except (NoServer, AttributeError, KeyError, TypeError, ValueError):
        return None


def _version(status: dict[str, Any]) -> str:
    return str(status.get("version", "unknown"))


def silent(app: App) -> str:
    """What there is to say of one that holds its lock and gives no answer: it hangs or is stopped, or somebody has taken its
    address away. Empty where there is none.
    """
    from ..state.locks import is_held

    state = app.state
    if not is_held(app.effects.files, state.serve_lock):
        return ""
    return f"one holds {state.serve_lock} and does not answer at {state.serve_address}"


def in_a_line(status: Controller | None, none: str = NONE) -> str:
    """Without its problems. `none`: said where none answers."""
    if status is None:
        return f"controller: {none}"
    found = "1 session" if status.sessions == 1 else f"{status.sessions} sessions"
    return f"controller: resident, pid {status.pid} since {local_time(status.started_ms)}, {found}"


def in_lines(status: Controller | None, none: str = NONE) -> list[str]:
    problems = status.problems if status else ()
    told = [(f"  {one.about}: {one.message}", f"    to mend it: {one.mend}") for one in problems]
    return [in_a_line(status, none), *(line for lines in told for line in lines)]


def mend_source(name: str, key: str, log: str) -> str:
    return f"set it right ([strategy.{name}]), or take it out of {key} in the settings; {log} tells more"


def mend_left_out(name: str) -> str:
    return (
        f"set [strategy.{name}] right in the settings, or name {name} no more; where its plugin was mended: "
        + ANEW
    )


class _Problems:
    """Read from what the controller answers. An older one knows fewer keys."""

    def __init__(self, status: dict[str, Any], now_ms: int, log: str) -> None:
        self._status = status
        self._now_ms = now_ms
        self._log = log

    def all(self) -> Iterator[Problem]:
        yield from self._of_version()
        yield from self._of_settings()
        for host in self._status.get("hosts", ()):
            if host["state"] == SILENT:
                message = f"it does not say which sessions run: {host['problem']}{self._times(host)}"
                yield Problem(
                    f"host {host['name']}", message, mend_source(host["name"], "focus.sources", self._log)
                )
        for session in self._status["sessions"]:
            yield from self._of_session(session)
        for source in self._status["breaks"]:
            yield from self._of_break_source(source)
        yield from self._of_strategies()

    def _of_version(self) -> Iterator[Problem]:
        found = _version(self._status)
        if found != __version__:
            message = f"it is of before an upgrade ({found}), and {__version__} is installed"
            yield Problem("version of the controller", message, ANEW)

    def _of_settings(self) -> Iterator[Problem]:
        wrong = self._status["settings"]["problem"]
        if wrong:
            message = f"older ones are in use, the present ones are wrong: {wrong}"
            yield Problem("settings of the controller", message, "attention config check")

    def _of_session(self, session: dict[str, Any]) -> Iterator[Problem]:
        mend = f"see whether its host runs and answers; {self._log} tells more"
        about = f"session {session['address']}"
        if session["watch"] == BACKING_OFF:
            message = (
                f"it is not watched at the moment, so that a changed focus is noticed late: {session['watch_problem']}"
                + self._times(session)
            )
            yield Problem(about, message, mend)
        elif session["error"]:
            yield Problem(about, f"its last cycle failed: {session['error']}", mend)

    def _of_break_source(self, source: dict[str, Any]) -> Iterator[Problem]:
        about, mend = (
            f"break source {source['name']}",
            mend_source(source["name"], "breaks.sources", self._log),
        )
        if source["state"] == SILENT:
            message = "it does not say which breaks are going on, so that none of its breaks begins or ends: "
        elif source["state"] == BACKING_OFF:
            message = "it is not followed at the moment, so that its breaks are noticed late: "
        else:
            return
        yield Problem(about, f"{message}{source['problem']}{self._times(source)}", mend)

    def _of_strategies(self) -> Iterator[Problem]:
        """Without those that are named already."""
        parts = (*self._status.get("hosts", ()), *self._status["breaks"])
        named = {part["name"] for part in parts if part["state"] == SILENT}
        for name, reason in self._status["given_up"].items():
            if name not in named:
                yield Problem(name, reason, f"{self._log} tells more")
        for name, reason in self._status.get("left_out", {}).items():
            yield Problem(name, f"it is left out: {reason}", mend_left_out(name))

    def _times(self, one: dict[str, Any]) -> str:
        since_ms, again_ms, every_s = one.get("since_ms"), one.get("again_ms"), one.get("back_off_s")
        since = f"; since {near_time(since_ms, self._now_ms)}" if since_ms else ""
        if again_ms:
            return f"{since}; it is tried again at {near_time(again_ms, self._now_ms)}"
        return f"{since}; it is tried again every {every_s:g} s" if since and every_s else since
