"""`attention verify` from the options to the exit code: asks, sets the scene, goes through the steps, shows and writes."""

from __future__ import annotations

import contextlib
import json
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from ..errors import Expected, WrongUsage, describe_os_error
from ..nearest import did_you_mean
from . import draft as drafts
from .absence import Grade
from .actor import Actor
from .figures import absence_figures, draft_figures, measured, step_figures
from .page import claim_line, figure_lines, standing_lines, step_lines, table_lines
from .rehearsal import Rehearsal
from .scene import Scene
from .standings import is_resident, standings
from .work import PROMPT, TIMES, Work

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from ..app import App
    from ..kinds import FocusSource, OffersTrials, Simulation, Trial
    from ..model import AgentKind
    from .absence import Step
    from .guarantees import Standing

ABOUT: Final = """\
Two agents ({command}) are started in a disposable place of {host}. The focus moves between them; what you type
elsewhere is not touched, but {host} may show what happens, and agents of yours that lose the focus pause.
The agents are ended afterwards; what they keep of their conversations, they keep.
"""
ABOUT_PROMPT: Final = (
    "One step gives the second agent a prompt: up to {times} calls of a command that sleeps for a second. Your model is "
    "asked for each, until the agent is ended."
)
SIMULATED_WATCH_S: Final = 0.6


def try_own(arguments: argparse.Namespace, app: App) -> int:
    app.require_sources()
    source, host = _source(app, arguments.host)
    agent = _agent(app, arguments.agent)
    command = arguments.agent_command or (agent.programs or (agent.name,))[0]
    if not _agreed(arguments, command, source.name):
        return 1
    with (
        _ending_on_signals(),
        _folder() as folder,
        contextlib.ExitStack() as afterwards,
        contextlib.closing(host.trial()) as trial,
    ):
        scene = Scene(app, source, trial, agent, folder)
        works = {name: Work(folder / name) for name in ("first", "second")}
        for work in works.values():
            work.prepare()
        first, second = (Actor(name, scene, work.calls) for name, work in works.items())
        rehearsal = _rehearsal(arguments, scene, first, second, command, _prompt(arguments))
        afterwards.callback(_forget, scene)
        return _carry_out(arguments, rehearsal)


def _forget(scene: Scene) -> None:
    """Of a session that is over, and that nobody has any more."""
    if scene.trial.own_session:
        with contextlib.suppress(Expected):
            scene.app.effects.files.remove_tree(scene.session_folder.root)


def try_simulated(arguments: argparse.Namespace, app: App) -> int:
    """The settings of the simulation, not the person's."""
    from ..app import App as OtherApp

    kind = _simulation(app)
    sabotage = arguments.sabotage or ""
    if sabotage and sabotage not in kind.sabotages:
        meant = did_you_mean(sabotage, kind.sabotages)
        raise WrongUsage(f"there is no sabotage {sabotage!r}{meant} (known: {', '.join(kind.sabotages)})")
    with _ending_on_signals(), _folder() as folder, kind(sabotage) as simulation:
        other = OtherApp(str(simulation.config), str(simulation.state))
        with contextlib.closing(simulation.trial()) as trial:
            return _on_stage(arguments, other, simulation, trial, folder)


def _on_stage(
    arguments: argparse.Namespace, app: App, simulation: Simulation, trial: Trial, folder: Path
) -> int:
    scene = Scene(app, app.source_of(trial.session), trial, _agent(app, arguments.agent), folder)

    def actor(name: str) -> Actor:
        (folder / name).mkdir()
        found = Actor(name, scene, lambda: simulation.calls(found.pane_id))
        return found

    arguments.watch = min(arguments.watch, SIMULATED_WATCH_S)
    rehearsal = _rehearsal(
        arguments,
        scene,
        actor("first"),
        actor("second"),
        "simulated",
        lambda _: None if arguments.no_prompt else "work",
    )
    return _carry_out(arguments, rehearsal)


def _rehearsal(
    arguments: argparse.Namespace,
    scene: Scene,
    first: Actor,
    second: Actor,
    command: str,
    prompt: Callable[[Actor], str | None],
) -> Rehearsal:
    copies = (drafts.EditorCopy(scene.folder, "first"), drafts.EditorCopy(scene.folder, "second"))
    text = drafts.text(uuid4().hex[:8])
    return Rehearsal(
        *(scene, first, second, command, copies, text, prompt),
        watch_s=arguments.watch,
        switches=arguments.switches,
        repeat=arguments.repeat,
    )


# --- choosing and asking


def _source(app: App, name: str | None) -> tuple[FocusSource, OffersTrials]:
    from ..kinds import OffersTrials

    if name is not None and name not in app.sources:
        raise WrongUsage(f"host {name!r} is not selected (focus.sources: {', '.join(app.sources) or 'none'})")
    for source in [app.sources[name]] if name else app.sources.values():
        if isinstance(source, OffersTrials) and (name or app.sessions_of(source) or len(app.sources) == 1):
            return source, source
    which = name or ", ".join(app.sources) or "none is selected"
    raise Expected(
        f"no host that can be tried out is running ({which}). Start one, or name one with --host; --simulated needs none"
    )


def _agent(app: App, name: str | None) -> AgentKind:
    known = {kind.name: kind for kind in app.context.agents}
    if name is None and known:
        return next(iter(known.values()))
    if name not in known:
        raise WrongUsage(f"there is no kind of agent {name!r} (known: {', '.join(known) or 'none'})")
    return known[name]


def _simulation(app: App) -> type[Simulation]:
    answers = app.configuration.plugins.call_each("attention_simulations")
    kinds: list[type[Simulation]] = [kind for _, found in answers for kind in found]
    if not kinds:
        raise Expected(
            "no enabled plugin has a simulated host. Install attention-herdr, or enable the plugin herdr"
        )
    return kinds[0]


def _agreed(arguments: argparse.Namespace, command: str, host: str) -> bool:
    from ..words.questions import agrees, can_answer

    if arguments.yes:
        return True
    if not can_answer():
        raise WrongUsage(
            "it starts agents and moves the focus, so it asks first, and here nobody can answer: say --yes, "
            "with --no-prompt if nothing may be spent"
        )
    print(ABOUT.format(command=command, host=host), end="")
    return agrees("Go on?")


def _prompt(arguments: argparse.Namespace) -> Callable[[Actor], str | None]:
    """Asked when the step comes. See `Rehearsal.prompt`."""

    from ..words.questions import agrees, answer

    def choose(actor: Actor) -> str | None:
        text: str = arguments.prompt or PROMPT.format(times=TIMES)
        if arguments.no_prompt:
            return None
        if arguments.yes:
            return text
        print(ABOUT_PROMPT.format(times=TIMES))
        if agrees("Give it this prompt?"):
            return text
        own = f"Give the agent in pane {actor.pane_id} a prompt of your own that has it call ./step, then Enter; s skips: "
        return None if answer(own).lower() == "s" else ""

    return choose


# --- showing and writing


def _carry_out(arguments: argparse.Namespace, rehearsal: Rehearsal) -> int:
    told: list[Step] = []
    for step in rehearsal.steps():
        told.append(step)
        if not arguments.json:
            print("\n".join(step_lines(step)), flush=True)
    found = _standings(rehearsal)
    report = _report(rehearsal, told, found)
    path = _write(arguments.report, report, rehearsal.scene.app)
    if arguments.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        _show(rehearsal, told, found)
        print(f"\nThe report, without any text of yours: {path}")
    return 0 if all(step.grade is Grade.PASSED for step in told) else 1


def _standings(rehearsal: Rehearsal) -> list[tuple[str, Standing]]:
    try:
        return standings(rehearsal.scene.app, rehearsal.scene.trial.session)
    except Expected:
        return []


def _show(rehearsal: Rehearsal, steps: Sequence[Step], found: list[tuple[str, Standing]]) -> None:
    print()
    for line in figure_lines(measured(rehearsal.absences)):
        print(line)
    print(f"\n{claim_line(steps)}\n")
    print("\n".join(table_lines()))
    print()
    for name, standing in found:
        print("\n".join(standing_lines(name, standing)))


def _report(rehearsal: Rehearsal, steps: Sequence[Step], found: list[tuple[str, Standing]]) -> dict[str, Any]:
    import platform
    from dataclasses import asdict

    from .. import __version__

    scene = rehearsal.scene
    settings = scene.app.configuration.settings
    agent = scene.app.configuration.agents[scene.agent.name]
    return {
        "v": 1,
        "attention": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}",
        "host": scene.source.name,
        "moves": scene.trial.moves,
        "agent": scene.agent.name,
        "versions": rehearsal.first.versions,
        "resident": is_resident(scene.app),
        "settings": {
            "transport": agent.transport,
            "detector": agent.detector,
            "reflex": settings.reflex.model_dump(),
            "settle_ms": settings.focus.settle_ms,
        },
        "modes": [standing.mode for _, standing in found],
        "missing": sorted({sentence for _, standing in found for sentence in standing.missing}),
        "claim": claim_line(steps),
        "steps": [step_figures(step) for step in steps],
        "measured_ms": {title: asdict(spread) for title, spread in measured(rehearsal.absences).items()},
        "absences": [absence_figures(absence) for absence in rehearsal.absences],
        "drafts": [draft_figures(draft) for draft in rehearsal.drafts],
    }


def _write(name: str | None, report: dict[str, Any], app: App) -> Path:
    content = json.dumps(report, indent=2, ensure_ascii=False).encode() + b"\n"
    if name is None:
        with tempfile.NamedTemporaryFile(prefix="attention-verify-", suffix=".json", delete=False) as file:
            file.write(content)
            return Path(file.name)
    path = Path(name).absolute()
    try:
        app.effects.files.write(path, content)
    except OSError as error:
        raise Expected(f"the report cannot be written: {describe_os_error(error)}") from error
    return path


# --- leaving nothing


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="attention-verify-", ignore_cleanup_errors=True) as name:
        yield Path(name).resolve()


@contextlib.contextmanager
def _ending_on_signals() -> Iterator[None]:
    """A terminal that goes, and a `kill`, end it as Ctrl-C does: by way of everything that is to be cleaned up."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [(number, signal.signal(number, interrupt)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
