"""`attention doctor`: every precondition, with the command that mends it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from ..model import CheckLevel, CheckResult
from ..progress import progress

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

    from ..app import App
    from .controller import Controller

    Ask = Callable[[], Iterable[CheckResult]]

INSTALLATION = "installation"
MARKS = {CheckLevel.OK: "ok  ", CheckLevel.WARNING: "warn", CheckLevel.FAILED: "FAIL"}


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "doctor", help=summary, description="Look at every precondition. Exits 1 if one fails."
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    parser.set_defaults(run=run, looks=True)


@dataclass(frozen=True, slots=True)
class Group:
    """Checks that belong together, and are shown so."""

    name: str
    checks: Sequence[Ask]


def run(arguments: argparse.Namespace, app: App) -> int:
    found = []
    for group in _groups(app):
        with progress(f"looking at {group.name}", quiet=arguments.json):
            found.append((group.name, [result for check in group.checks for result in _results(check)]))
    levels = [result.level for _, results in found for result in results]
    if arguments.json:
        checks = [{"group": name, **asdict(result)} for name, results in found for result in results]
        document = {"v": 1, "ok": CheckLevel.FAILED not in levels, "checks": checks}
        print(json.dumps(document, ensure_ascii=False))
    else:
        for name, results in found:
            _show(name, results)
        print(_summary(levels))
    return 1 if CheckLevel.FAILED in levels else 0


def _show(group: str, results: Sequence[CheckResult]) -> None:
    if results:
        print(group)
    for result in results:
        print(f"  {MARKS[result.level]}  {result.name}: {result.message}")
        if result.mend and result.level is not CheckLevel.OK:
            print(f"        to mend it: {result.mend}")


def _summary(levels: Sequence[CheckLevel]) -> str:
    failed, warnings = levels.count(CheckLevel.FAILED), levels.count(CheckLevel.WARNING)
    if not failed and not warnings:
        return "everything is in order"
    return f"{failed} failed, {warnings} {'warning' if warnings == 1 else 'warnings'}"


def _groups(app: App) -> list[Group]:
    """The core's own, then one for each plugin that has checks."""
    from ..errors import Expected
    from ..state.folder import StateRefused
    from . import preconditions
    from .controller import controller_status
    from .outside import outside_every_host

    own: list[Ask] = [
        partial(_state, app),
        partial(preconditions.permissions, app),
        partial(_environment, app),
    ]
    try:
        configuration = app.configuration
    except Expected as error:
        wrong = CheckResult("settings", CheckLevel.FAILED, str(error), "attention config check")
        return [Group(INSTALLATION, [*own, lambda: [wrong]])]
    try:
        context = app.context
    except StateRefused:  # The first check says so.
        return [Group(INSTALLATION, [*own, partial(_settings, app)])]
    installation: list[Ask] = [
        *own,
        partial(_settings, app),
        partial(preconditions.set_up, app),
        partial(preconditions.files, app),
    ]
    controller = cache(partial(controller_status, app))  # Asked once, and not before its check is shown.
    running: list[Ask] = [
        partial(_hosts, app),
        partial(_controller, app, controller),
        partial(_wake_ups, app),
        partial(preconditions.break_sources, app, controller),
        partial(preconditions.left_out, app),
        partial(preconditions.locks, app),
        partial(preconditions.ended_sessions, app),
        partial(preconditions.clock, app),
    ]
    announced = configuration.plugins.call_each("attention_checks", context=context)
    return [
        Group(INSTALLATION, installation),
        Group("what runs", running),
        *(Group(plugin, [check.run for check in checks]) for plugin, checks in announced),
        Group("agents", [partial(_agents, app), partial(outside_every_host, app)]),
    ]


def _results(check: Ask) -> list[CheckResult]:
    """A check that fails itself is a result, not an end."""
    try:
        return list(check())
    except Exception as error:
        name = getattr(getattr(check, "func", check), "__qualname__", "check").strip("_")
        return [
            CheckResult(name, CheckLevel.FAILED, f"the check itself failed: {type(error).__name__}: {error}")
        ]


def _state(app: App) -> list[CheckResult]:
    from ..state.folder import StateRefused

    try:
        app.state.try_out(app.files_of_the_person)
        there = app.effects.files.exists(app.state.root)
        message = f"{app.state.root}" if there else f"none yet; {app.state.root} is made when it is needed"
        return [CheckResult("state folder", CheckLevel.OK, message)]
    except StateRefused as error:
        return [CheckResult("state folder", CheckLevel.FAILED, str(error))]


def _settings(app: App) -> list[CheckResult]:
    configuration = app.configuration
    file = CheckResult("settings", CheckLevel.OK, str(configuration.path or "defaults, no file"))
    warnings = [CheckResult("settings", CheckLevel.WARNING, warning) for warning in configuration.warnings()]
    broken = [
        CheckResult(f"plugin {status.name}", CheckLevel.FAILED, status.reason, status.fix)
        for status in configuration.plugins.broken
    ]
    return [file, *warnings, *broken]


def _environment(app: App) -> list[CheckResult]:
    from ..settings import unknown_environment

    return [
        CheckResult("environment", CheckLevel.WARNING, problem)
        for problem in unknown_environment(app.effects.environment)
    ]


def _hosts(app: App) -> list[CheckResult]:
    """A plugin whose program is absent says so, and is no failure; but one host must be there."""
    from ..woken import nothing_runs

    if not app.sources:
        message = "none is selected: there is no focus to follow"
        mend = "name one in focus.sources, or enable its plugin: attention plugins"
        return [CheckResult("host", CheckLevel.FAILED, message, mend)]
    running = {source.name for source, _ in app.sessions()}
    if running:
        return [CheckResult("host", CheckLevel.OK, f"{', '.join(sorted(running))} runs")]
    if app.unanswered:  # Its own plugin says how to mend it.
        return [CheckResult("host", CheckLevel.FAILED, nothing_runs(app.sources, app.unanswered))]
    announced = app.configuration.plugins.call_each("attention_installers", context=app.context)
    installers = {installer.name: installer for _, group in announced for installer in group}
    if all(name in installers and installers[name].found() is None for name in app.sources):
        message = f"{_none_of(list(app.sources), 'is installed', 'is not installed')}: agents in panes need one to live in"
        mend = f"install {' or '.join(app.sources)}, then run: attention setup"
        return [CheckResult("host", CheckLevel.FAILED, message, mend)]
    message = f"{_none_of(list(app.sources), 'runs now', 'does not run now')}: there is no focus to follow"
    mend = f"start {' or '.join(app.sources)}; agents in its panes are followed from then on"
    return [CheckResult("host", CheckLevel.WARNING, message, mend)]


def _none_of(names: Sequence[str], does: str, does_not: str) -> str:
    return f"none of {', '.join(names)} {does}" if len(names) > 1 else f"{names[0]} {does_not}"


def _controller(app: App, ask: Callable[[], Controller | None]) -> list[CheckResult]:
    from .controller import in_a_line

    status = ask()
    if status is None:
        return [_no_controller(app)]
    return [
        CheckResult("controller", CheckLevel.OK, in_a_line(status).partition(": ")[2]),
        *(
            CheckResult(problem.about, CheckLevel.WARNING, problem.message, problem.mend)
            for problem in status.problems
        ),
        *_second_controller(app, status.pid),
    ]


def _no_controller(app: App) -> CheckResult:
    """One that holds the lock and does not answer hangs, or somebody has taken its address away."""
    from .controller import NONE, silent

    files = app.effects.files
    if message := silent(app):
        return CheckResult("controller", CheckLevel.FAILED, message, "attention stop")
    if files.exists(app.state.serve_address):
        message = f"{app.state.serve_address} is of one that was killed"
        return CheckResult("controller", CheckLevel.WARNING, message, "attention serve --detach")
    return CheckResult("controller", CheckLevel.OK, NONE)


def _second_controller(app: App, pid: int) -> list[CheckResult]:
    """The one that answers and the one that has written its description should be the same."""
    from ..state.documents import Broken, load

    try:
        written = (load(app.effects.files, app.state.serve_description) or {}).get("pid", pid)
    except Broken as error:
        return [CheckResult("controller", CheckLevel.WARNING, str(error), "attention stop")]
    if written == pid:
        return []
    message = f"pid {pid} answers, and {app.state.serve_description} names pid {written}: are there two?"
    return [CheckResult("controller", CheckLevel.FAILED, message, "attention stop")]


def _wake_ups(app: App) -> list[CheckResult]:
    """Markers that stay are wake-ups that no cycle has covered: cycles fail, nothing runs them,
    or the session has ended and no cycle ever will.
    """
    files = app.effects.files
    running = {app.state.session(session).key for _, session in app.sessions()}
    results = []
    for key in files.names(app.state.sessions):
        folder = app.state.session_by_key(key)
        left = files.names(folder.wake)
        if left:
            message = f"of {key}, {len(left)} that no cycle has covered"
            mend = "attention reconcile"
            if key not in running:
                message += "; this session does not run now"
                mend = f"if it has ended, delete {folder.root}"
            results.append(CheckResult("wake-ups", CheckLevel.WARNING, message, mend))
    return results


def _agents(app: App) -> list[CheckResult]:
    """One whose transport needs a hello and that has said none is not asked."""
    from .panes import agents

    return [
        CheckResult(
            f"agent in pane {named.text}",
            CheckLevel.WARNING,
            f"this {named.candidate.pane.agent} has said no hello: its extension was not there when it started",
            "leave it and start it anew",
        )
        for named in agents(app)
        if named.candidate.pane.hello is None
        and app.strategies.agents[str(named.candidate.pane.agent)].need_hello
    ]
