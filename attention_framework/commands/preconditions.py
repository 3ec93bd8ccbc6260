"""What `attention doctor` looks at in this installation and in its state folder."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ..breaks import told
from ..model import CheckLevel, CheckResult
from ..state.locks import is_held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..app import App
    from ..setup_record import SetUp

OK, WARNING, FAILED = CheckLevel.OK, CheckLevel.WARNING, CheckLevel.FAILED
SETUP: Final = "attention setup"
START_LIMIT_S: Final = 30.0
AHEAD_MS: Final = 5_000
LOCK_LOOKS, LOCK_PAUSE_MS = 50, 100.0
"""A cycle takes some tenths of a second; one that is slow, some seconds."""


def permissions(app: App) -> list[CheckResult]:
    from ..state.folder import StateRefused, can_be_read_by_others

    try:
        root = app.state.root
    except StateRefused:  # Another check says so.
        return []
    if not app.effects.files.exists(root) or not can_be_read_by_others(root):
        return []
    message = f"others can look into {root}, where it says what your agents do"
    return [CheckResult("permissions", WARNING, message, f"chmod 700 {root}")]


def set_up(app: App) -> list[CheckResult]:
    """Everything that setup wrote starts one command, by its absolute path: it does not move with the interpreter."""
    from ..setup_record import SetupRecord

    found = SetupRecord.of(app).read()
    if found is None:
        return [CheckResult("setup", WARNING, "`attention setup` has connected nothing yet", SETUP)]
    problem = _does_not_start(app, found)
    mend = _mend(app, found)
    if problem:
        return [CheckResult("setup", FAILED, f"what setup wrote starts nothing: {problem}", mend)]
    if found.command != app.context.command:
        message = (
            f"what setup wrote starts {_named(found.command)}, and this is {_named(app.context.command)}"
        )
        return [CheckResult("setup", WARNING, message, mend)]
    return [CheckResult("setup", OK, f"what it wrote starts {found.command[0]}")]


def _does_not_start(app: App, found: SetUp) -> str:
    program = found.command[0]
    try:
        done = app.effects.processes.run([*found.command, "--version"], timeout_s=START_LIMIT_S)
    except FileNotFoundError:
        return f"there is no {program}"
    except OSError as error:  # TimeoutError is one.
        return f"{program}: {getattr(error, 'strerror', None) or error}"
    said = (done.errors or done.output).strip().splitlines()
    return "" if done.code == 0 else f"{program} says: {said[-1] if said else f'exit code {done.code}'}"


def _mend(app: App, found: SetUp) -> str:
    """By the interpreter that runs this: after it has moved, the `attention` on the PATH may be the old one."""
    own = app.context.command[0]
    return SETUP if own == found.command[0] else f"{own} -m attention_framework setup"


def _named(command: Sequence[str]) -> str:
    """With what tells two commands of one interpreter apart."""
    return " ".join(command)


def files(app: App) -> Iterator[CheckResult]:
    """Those that setup wrote, and that programs read."""
    from ..installing import Condition, OwnedFiles

    owned = OwnedFiles(app.state.root, app.effects.files)
    for path in owned.written():
        condition = owned.condition(path)
        if condition is Condition.GONE:
            yield CheckResult("files of setup", FAILED, f"{path} is gone", SETUP)
        elif condition is Condition.EDITED and path != app.configuration.place:
            message = f"{path} was edited since, so that setup neither replaces nor removes it"
            yield CheckResult("files of setup", WARNING, message, f"move it away, then: {SETUP}")


def locks(app: App) -> Iterator[CheckResult]:
    """The system frees a lock when its holder dies: one that stays taken is held by a process that hangs."""
    files = app.effects.files
    for key in files.names(app.state.sessions):
        folder = app.state.session_by_key(key)
        if not _gets_free(app, key):
            message = f"of {key}: a cycle has not ended for {LOCK_LOOKS * LOCK_PAUSE_MS / 1000:.0f} s"
            yield CheckResult(
                "locks", FAILED, message, f"end the process that holds {folder.lock} (fuser -v shows it)"
            )


def _gets_free(app: App, key: str) -> bool:
    for _ in range(LOCK_LOOKS):
        if not is_held(app.effects.files, app.state.session_by_key(key).lock):
            return True
        app.effects.clock.sleep_ms(LOCK_PAUSE_MS)
    return False


def break_sources(app: App, controller: Callable[[], object | None]) -> Iterator[CheckResult]:
    """A source that is selected has to tell, and somebody has to listen: else breaks hold nobody, and nobody says so."""
    from .controller import mend_source

    configuration = app.configuration
    if not configuration.settings.breaks.sources:
        return
    for source in configuration.break_sources(app.context):
        result = configuration.call.call(source.name, partial(told, source))
        if result.problem:
            mend = mend_source(source.name, "breaks.sources", str(app.state.log))
            yield CheckResult(f"break source {source.name}", WARNING, result.problem, mend)
        else:
            going_on = ", ".join(found.run for found in result.value or ())
            yield CheckResult(f"break source {source.name}", OK, going_on or "no break is going on")
    if controller() is None and not is_held(app.effects.files, app.state.break_watch_lock):
        message = f"nobody follows {', '.join(configuration.settings.breaks.sources)}: breaks hold no agent"
        yield CheckResult("break sources", WARNING, message, "attention serve --detach")


def left_out(app: App) -> Iterator[CheckResult]:
    """What the settings select and what could not be made of it."""
    from .controller import mend_left_out

    configuration = app.configuration
    configuration.break_sources(app.context)
    app.strategies, app.sources  # noqa: B018  (made when they are first asked for)
    for name, why in configuration.left_out.items():
        yield CheckResult(name, FAILED, f"it is left out: {why}", mend_left_out(name))


def ended_sessions(app: App) -> list[CheckResult]:
    from ..ended_sessions import ended

    found = ended(app)
    if not found:
        return []
    names = ", ".join(f"{session.host} at {session.address}" for _, session in found)
    return [CheckResult("ended sessions", WARNING, f"their state folders are still there: {names}", SETUP)]


def clock(app: App) -> list[CheckResult]:
    """Deadlines and leases are compared with times that other processes have written."""
    from ..state.hellos import live_hellos
    from ..state.memory import load_memory

    written = {
        f"the status file of the {hello.agent} in pane {hello.pane}": hello.written_ms
        for hello in live_hellos(app.state.root, app.effects, app.warn)
    }
    for key in app.effects.files.names(app.state.sessions):
        memory = load_memory(app.state.session_by_key(key), app.effects.files, app.warn)
        written[f"the last change of the focus in {key}"] = memory.changed_ms if memory else 0
    written.update({f"the hold {hold.run}": hold.started_ms for hold in app.holds.all()})
    ahead = _ahead(written, app.effects.clock.wall_ms())
    message = "the clock was set back: " + ", ".join(
        f"{what} is {ms / 1000:.0f} s ahead" for what, ms in ahead.items()
    )
    mend = "set the clock right; what is ahead is right again when that time has come"
    return [CheckResult("clock", WARNING, message, mend)] if ahead else []


def _ahead(written: Mapping[str, int], now_ms: int) -> dict[str, int]:
    return {what: ms - now_ms for what, ms in written.items() if ms - now_ms > AHEAD_MS}
