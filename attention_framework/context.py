"""What a strategy is given of its surroundings."""

from __future__ import annotations

import site
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .kinds import HostUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .effects import Effects
    from .kinds import Logger, PaneControl
    from .log import Log
    from .model import AgentKind, HostEnvironment, Session
    from .settings import Configuration

PROBE_LIMIT_S = 20.0


class Surroundings:
    """What the contexts of all strategies share."""

    def __init__(self, configuration: Configuration, effects: Effects, state: Path, log: Log) -> None:
        self.configuration = configuration
        self.effects = effects
        self.state = state
        self.log = log
        self.root = StrategyContext(self, "attention")

    @cached_property
    def command(self) -> tuple[str, ...]:
        """Looked up only when something is to be written down, as setup does: it may start a process."""
        return (
            *_python(self.effects, self._modules()),
            *("-m", __package__ or "attention_framework"),
            *("--state", str(self.state)),
            *("--config", str(self.configuration.place)),
        )

    def _modules(self) -> list[str]:
        loaded = (
            strategy.cls.__module__.partition(".")[0]
            for strategy in self.configuration.plugins.strategies.values()
        )
        return sorted({__package__ or "attention_framework", *loaded})


class StrategyContext:
    """See `kinds.Context`."""

    def __init__(self, shared: Surroundings, name: str) -> None:
        self._shared = shared
        self.state: Path = shared.state
        self.config: Path | None = shared.configuration.path
        self.effects: Effects = shared.effects
        self.log: Logger = shared.log.named(name)
        self.agents: Sequence[AgentKind] = tuple(shared.configuration.plugins.agents.values())
        self.hosts: Sequence[HostEnvironment] = tuple(shared.configuration.plugins.hosts.values())

    @classmethod
    def of(cls, configuration: Configuration, effects: Effects, state: Path, log: Log) -> StrategyContext:
        """The context of the framework itself; `named` makes those of strategies."""
        return Surroundings(configuration, effects, state, log).root

    def named(self, name: str) -> StrategyContext:
        """The same for one strategy, whose log it names."""
        return StrategyContext(self._shared, name)

    @property
    def command(self) -> tuple[str, ...]:
        return self._shared.command

    def control(self, session: Session) -> PaneControl:
        """The pane control of the session's host.
        Raises HostUnavailable when no selected focus source has this name.
        """
        for source in self._shared.configuration.focus_sources(self._shared.root):
            if source.name == session.host:
                return source.control(session)
        raise HostUnavailable(
            f"no enabled plugin controls panes of {session.host}: "
            "look at `attention plugins`, and at focus.sources in the settings"
        )

    def settings(self, strategy: str) -> Any:
        return self._shared.configuration.settings_of(strategy)

    def has_break_source(self, name: str) -> bool:
        return name in self._shared.configuration.settings.breaks.sources


def comes_and_goes(prefix: str) -> bool:
    """Whether an environment lies in a cache, as `uvx` and `pipx run` make it: what is written down of it, such as
    the interpreter's path, is soon wrong.
    """
    return not {".cache", "Caches", "archive-v0"}.isdisjoint(Path(prefix).parts)


def _python(effects: Effects, modules: Sequence[str]) -> tuple[str, ...]:
    """The interpreter, isolated where the packages can still
    be imported then: not from a user's site folder.
    """
    if all(_in_site_packages(module) for module in modules) or _importable(effects, modules):
        return (sys.executable, "-I")
    return (sys.executable, "-P")


def _in_site_packages(module: str) -> bool:
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is not None and Path(file).parent.parent in map(Path, site.getsitepackages())


def _importable(effects: Effects, modules: Sequence[str]) -> bool:
    """An editable install is elsewhere, and still found."""
    try:
        probe = effects.processes.run(
            [sys.executable, "-I", "-c", f"import {', '.join(modules)}"], timeout_s=PROBE_LIMIT_S
        )
    except OSError:  # TimeoutError is one.
        return False
    return probe.code == 0
