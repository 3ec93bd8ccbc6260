"""What the settings have selected, as strategies that work."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ..loading import Kind
from .schema import NoSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ..bounded import Caller
    from ..context import StrategyContext
    from ..kinds import AgentTransport, BreakSource, FocusSource, Observer, PauseDetector, Policy
    from ..loading import Plugins, Strategy
    from .layers import Layers
    from .models import AgentSettings, AttentionSettings


class Configuration:
    """Checked settings with loaded plugins. Strategies are made when they are first asked for, each once.

    One that cannot be made is reported and left out: it stops none of the others. `call` is how strategies
    are to be called: one that hung while it was made is not called again.
    """

    def __init__(
        self,
        layers: Layers,
        settings: AttentionSettings,
        plugins: Plugins,
        call: Caller,
        warn: Callable[[str], None],
    ) -> None:
        self.layers = layers
        self.settings = settings
        self.plugins = plugins
        self.call = call
        self._warn = warn
        self._made: dict[object, Any] = {}
        self._left_out: dict[str, str] = {}

    @property
    def path(self) -> Path | None:
        """The settings file; None if there is none."""
        document = self.layers.document
        return document.path if document.found else None

    @property
    def place(self) -> Path:
        """Where the settings file is, or would be."""
        return self.layers.document.path

    @property
    def left_out(self) -> Mapping[str, str]:
        """Why strategies that are selected were not made when they were asked for, by their names."""
        return self._left_out

    @property
    def agents(self) -> Mapping[str, AgentSettings]:
        """Settings of every agent kind that a loaded plugin announces."""
        return {name: getattr(self.settings.agents, name) for name in self.plugins.agents}

    def focus_sources(self, context: StrategyContext) -> list[FocusSource]:
        """The hosts to watch."""
        return self._instances(Kind.FOCUS_SOURCE, self.settings.focus.sources, context)

    def break_sources(self, context: StrategyContext) -> list[BreakSource]:
        """What tells of screen breaks."""
        return self._instances(Kind.BREAK_SOURCE, self.settings.breaks.sources, context)

    def transports(self, agent: str, context: StrategyContext) -> list[AgentTransport]:
        return self._instances(Kind.TRANSPORT, self.agents[agent].transport, context)

    def detectors(self, agent: str, context: StrategyContext) -> list[PauseDetector]:
        return self._instances(Kind.DETECTOR, self.agents[agent].detector, context)

    def observers(self, context: StrategyContext) -> list[Observer]:
        """Nothing selects them: every one of an enabled plugin is told."""
        return self._instances(Kind.OBSERVER, list(self.plugins.of_kind(Kind.OBSERVER)), context)

    def policies(self, context: StrategyContext) -> list[Policy]:
        """In the order of the settings. One may stand there twice, with settings of its own each time."""
        known = self.plugins.of_kind(Kind.POLICY)
        found = []
        for index, entry in enumerate(self.settings.policy):
            if (strategy := self._known(Kind.POLICY, known, entry.use)) is not None:
                found.append(self._instance((strategy.name, index), strategy, entry, context))
        return [policy for policy in found if policy is not None]

    def settings_of(self, name: str) -> Any:
        """See `Context.settings`."""
        strategy = self.plugins.strategies.get(name)
        if strategy is None or strategy.kind is Kind.POLICY:
            return None
        return _own(strategy, self._settings_of(strategy))

    def warnings(self) -> list[str]:
        """Agents that nothing can pause, and what the selected strategies say about their settings: a
        strategy class may have `warnings(settings)`, a class method that returns sentences.
        """
        sentences = list(self._without_strategies())
        for strategy, settings in self._selected():
            ask = getattr(strategy.cls, "warnings", None)
            if ask is not None:
                result = self.call.call(strategy.name, partial(ask, settings))
                sentences += [f"{strategy.name}: {sentence}" for sentence in result.value or ()]
        return list(dict.fromkeys(sentences))

    def _without_strategies(self) -> Iterator[str]:
        for name, agent in self.agents.items():
            if not agent.transport:
                yield (
                    f"agents.{name}.transport is empty: nothing can ask an agent of this kind to pause. "
                    "Name a transport, or leave the key out to get the default"
                )
            if not agent.detector:
                yield (
                    f"agents.{name}.detector is empty: nothing sees whether an agent of this kind has paused, so no "
                    "pause is ever confirmed. Name a detector, or leave the key out to get the default"
                )

    def selected(self) -> list[tuple[str, str, str]]:
        """`(kind, name, plugin)` of every selected strategy, for people."""
        return list(
            dict.fromkeys(
                (strategy.kind.value, strategy.name, strategy.plugin) for strategy, _ in self._selected()
            )
        )

    def _selected(self) -> Iterator[tuple[Strategy, Any]]:
        agents = self.agents.values()
        chosen = {
            Kind.FOCUS_SOURCE: self.settings.focus.sources,
            Kind.BREAK_SOURCE: self.settings.breaks.sources,
            Kind.TRANSPORT: [name for agent in agents for name in agent.transport],
            Kind.DETECTOR: [name for agent in agents for name in agent.detector],
            Kind.OBSERVER: list(self.plugins.of_kind(Kind.OBSERVER)),
        }
        for kind, names in chosen.items():
            known = self.plugins.of_kind(kind)
            yield from ((known[name], self._settings_of(known[name])) for name in names if name in known)
        policies = self.plugins.of_kind(Kind.POLICY)
        yield from (
            (policies[entry.use], _own(policies[entry.use], entry))
            for entry in self.settings.policy
            if entry.use in policies
        )

    def _instances(self, kind: Kind, names: Sequence[str], context: StrategyContext) -> list[Any]:
        known = self.plugins.of_kind(kind)
        found = []
        for name in dict.fromkeys(names):
            if (strategy := self._known(kind, known, name)) is not None:
                found.append(self._instance(name, strategy, self._settings_of(strategy), context))
        return [strategy for strategy in found if strategy is not None]

    def _known(self, kind: Kind, known: Mapping[str, Strategy], name: str) -> Strategy | None:
        """The settings let unknown names pass only while a plugin is broken, and an agent's defaults may name
        a strategy of a plugin that is not enabled.
        """
        if name not in known:
            self._leave_out(name, f"the {kind} {name}", "no loaded plugin announces it")
        return known.get(name)

    def _settings_of(self, strategy: Strategy) -> Any:
        return _own(strategy, getattr(self.settings.strategy, strategy.name))

    def _instance(self, key: object, strategy: Strategy, settings: Any, context: StrategyContext) -> Any:
        if key not in self._made:
            self._made[key] = self._make(strategy, _own(strategy, settings), context)
        return self._made[key]

    def _make(self, strategy: Strategy, settings: Any, context: StrategyContext) -> Any:
        if strategy.settings is not None and settings is None:
            needs = f"it needs settings, in [strategy.{strategy.name}]"
            self._leave_out(strategy.name, f"the {strategy.kind} {strategy.name}", needs)
            return None
        result = self.call.call(strategy.name, lambda: strategy.cls(settings, context.named(strategy.name)))
        if result.problem:
            which = f"the {strategy.kind} {strategy.name} of the plugin {strategy.plugin}"
            self._leave_out(strategy.name, which, result.problem)
        return result.value

    def _leave_out(self, name: str, which: str, why: str) -> None:
        self._left_out[name] = why
        self._warn(f"{which} is left out: {why}")


def _own(strategy: Strategy, settings: Any) -> Any:
    """None for a strategy without a Settings model."""
    return None if strategy.settings is None or isinstance(settings, NoSettings) else settings
