"""What the commands share: the state folder, the settings, the selected strategies.
Each part is made when it is first asked for.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from .context import StrategyContext
    from .cycle import Controller, Look, Strategies
    from .effects import Effects, Files
    from .effects.guarded import GuardedFiles
    from .held_break import HeldBreak
    from .holds import Holds
    from .journal import Journal
    from .kinds import Context, FocusSource, Installer
    from .log import Log
    from .model import Session, Snapshot
    from .settings import Configuration, Examination
    from .state.folder import StateFolder

T = TypeVar("T")


class App:
    """One run of the command line."""

    def __init__(self, config: str | None = None, state: str | None = None) -> None:
        self._config = config
        self._state = state
        self.warned: set[str] = set()
        self.unanswered: dict[str, str] = {}
        """Hosts that did not tell their sessions when they were asked last, with the reason."""
        self._looks = False
        self._unprepared: StateFolder | None = None
        self._guard: GuardedFiles | None = None

    def look_only(self) -> None:
        """Until `write` nothing on the disk is changed, and no state folder made."""
        self._looks = True

    def write(self) -> None:
        """From now on the disk may be changed. Raises StateRefused."""
        self._looks = False
        if self._guard is not None:
            self._guard.closed = False
        if self._unprepared is not None:
            self._unprepared.prepare(self.effects.files)
            self._unprepared = None

    def write_where_it_is(self) -> None:
        """The same, unless there is no state folder: then there is nothing to change. Raises StateRefused."""
        with suppress(OSError):  # Whoever needs the folder says so.
            if not self.effects.files.exists(self.state_root()):
                return
        self.write()

    @property
    def config(self) -> str | None:
        """The settings file that `--config` names."""
        return self._config

    @cached_property
    def effects(self) -> Effects:
        from .effects import real_effects

        if not self._looks:
            return real_effects()
        from .effects.guarded import GuardedFiles

        self._guard = GuardedFiles()
        return real_effects(self._guard)

    @property
    def files_of_the_person(self) -> Files:
        """For what a command that only looks writes all the same, because it was asked to."""
        from .effects import real_effects

        return real_effects().files if self._guard is not None else self.effects.files

    @cached_property
    def state(self) -> StateFolder:
        """The state folder, checked, and made unless this run only looks. Raises StateRefused."""
        from .state.folder import StateFolder

        folder = StateFolder(self.state_root())
        if self._looks:
            folder.check(self.effects.files)
            self._unprepared = folder
        else:
            folder.prepare(self.effects.files)
        return folder

    @cached_property
    def log(self) -> Log:
        from .log import Log

        log = Log(self.state.log, self.effects.files)
        if (configuration := self.__dict__.get("configuration")) is not None:
            log.level = configuration.settings.log.level
        return log

    @cached_property
    def journal(self) -> Journal:
        from .journal import Journal

        return Journal(self.state.journal, self.effects, self.warn)

    @cached_property
    def holds(self) -> Holds:
        from .holds import Holds

        return Holds(self.state, self.effects.files, self.warn)

    @cached_property
    def configuration(self) -> Configuration:
        """The settings with the plugins that they enable. Raises SettingsError."""
        from .settings import load_configuration

        configuration = load_configuration(
            self._config, self.effects.environment, warn=self.warn, cache=not self._looks
        )
        if (
            "log" in self.__dict__
        ):  # What was said before the settings were known went out at the default level.
            self.log.level = configuration.settings.log.level
        return configuration

    def require_sources(self) -> None:
        """Raise SettingsError before anything is done whose second half needs the settings."""
        self.sources  # noqa: B018  (made when it is first asked for)

    def examine(self) -> Examination:
        """The settings with all that is wrong with them. Needs no state folder.
        Raises SettingsError for a file that cannot be parsed.
        """
        from .settings import examine

        return examine(self._config, self.effects.environment, self.report, cache=not self._looks)

    @cached_property
    def context(self) -> StrategyContext:
        from .context import StrategyContext

        return StrategyContext.of(self.configuration, self.effects, self.state.root, self.log)

    @cached_property
    def sources(self) -> dict[str, FocusSource]:
        """The selected hosts, by name."""
        return {source.name: source for source in self.configuration.focus_sources(self.context)}

    @cached_property
    def installers(self) -> dict[str, Installer]:
        """What `setup` and `uninstall` can connect, by name; the settings come last."""
        from .serve.at_logon import ServeInstaller
        from .settings_file import SettingsInstaller

        announced = self.configuration.plugins.call_each("attention_installers", context=self.context)
        programs = {installer.name: installer for _, installers in announced for installer in installers}
        settings = SettingsInstaller(self.configuration, self.context, programs)
        serve = ServeInstaller(cast("Context", self.context))
        return {**programs, serve.name: serve, settings.name: settings}

    @cached_property
    def strategies(self) -> Strategies:
        from .cycle import AgentStrategies, Strategies

        configuration, context = self.configuration, self.context
        agents = {
            name: AgentStrategies(
                statuses=frozenset(agent.statuses),
                transports=configuration.transports(name, context),
                detectors=configuration.detectors(name, context),
            )
            for name, agent in configuration.agents.items()
        }
        return Strategies(policies=configuration.policies(context), agents=agents)

    @cached_property
    def controller(self) -> Controller:
        from .cycle import Controller

        settings = self.configuration.settings
        return Controller(
            *(self.state, self.effects, self.strategies, self.holds, self.configuration.call, self.warn),
            settle_ms=settings.focus.settle_ms,
            away_counts=settings.reflex.away == "pause",
        )

    def sessions(self) -> Iterator[tuple[FocusSource, Session]]:
        """Every running session of every selected host. A host that fails is reported, and stops no other."""
        for source in self.sources.values():
            for session in self.sessions_of(source) or ():
                yield source, session

    def sessions_of(self, source: FocusSource) -> Sequence[Session] | None:
        """The running sessions of one host; None if it gives no answer, which is reported."""
        from .errors import Expected

        result = self.configuration.call.call(source.name, source.sessions)
        if isinstance(result.error, Expected):  # All else the caller has reported.
            self.warn(f"{source.name}: {result.error}")
        if result.value is None:
            self.unanswered[source.name] = result.problem or "gave no answer"
        else:
            self.unanswered.pop(source.name, None)
        return result.value

    def renewed(self) -> App:
        """The same state folder and world with the settings as they are now."""
        fresh = App(self._config, self._state)
        for part in ("effects", "state", "log"):
            fresh.__dict__[part] = getattr(self, part)
        return fresh

    def looks(self) -> Iterator[tuple[Session, Look]]:
        """What is to be seen in every running session. One that gives no answer is reported and left out."""
        yield from self._answers(self.controller.look)

    def snapshots(self) -> Iterator[tuple[Session, Snapshot]]:
        """The same without asking any agent what it does."""
        yield from self._answers(self.controller.snapshot)

    def hold_break(self, run: str, source: str, lasts_ms: int) -> HeldBreak | None:
        """See `kinds.Application`."""
        from .held_break import hold_break

        return hold_break(self, run, source, lasts_ms)

    def _answers(self, ask: Callable[[FocusSource, Session], T]) -> Iterator[tuple[Session, T]]:
        from .kinds import HostUnavailable

        for source, session in self.sessions():
            try:
                yield session, ask(source, session)
            except HostUnavailable as error:
                self.warn(str(error))

    def source_of(self, session: Session) -> FocusSource:
        """The host of a session. Raises WrongUsage if the settings do not select it."""
        from .errors import WrongUsage
        from .nearest import did_you_mean

        if session.host not in self.sources:
            chosen = ", ".join(self.sources) or "none"
            meant = did_you_mean(session.host, self.sources)
            raise WrongUsage(f"host {session.host!r} is not selected{meant} (focus.sources: {chosen})")
        return self.sources[session.host]

    def warn(self, sentence: str) -> None:
        """Tell the person once, and the log."""
        from .state.folder import StateRefused

        if sentence not in self.warned:
            self.report(sentence)
            with suppress(StateRefused):  # Whoever needs the folder says so.
                self.log.file_only("attention").warning("{}", sentence)

    def report(self, sentence: str) -> None:
        """Tell the person once."""
        from .progress import make_way

        if sentence not in self.warned:
            self.warned.add(sentence)
            make_way()
            print(f"attention: {sentence}", file=sys.stderr)

    def add_plugin_commands(self, subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
        """Commands of plugins. Wrong settings must not take the help away,
        and are reported by the command itself.
        """
        from .errors import Expected

        try:
            self.configuration.plugins.call_each("attention_commands", subcommands=subcommands)
        except Expected as error:
            self.warn(str(error))

    def plugins_not_enabled(self) -> list[str]:
        """Installed ones that the settings leave out; none if the settings are wrong."""
        from .errors import Expected
        from .loading.status import PluginState

        try:
            statuses = self.configuration.plugins.statuses()
        except Expected:
            return []
        return [status.name for status in statuses if status.state is PluginState.INSTALLED]

    def state_root(self) -> Path:
        """Where the state folder is, or would be."""
        chosen = self._state or self.effects.environment.get("ATTENTION_STATE")
        if chosen:
            return Path(chosen).absolute()
        from platformdirs import user_state_path

        return user_state_path("attention-framework", appauthor=False)
