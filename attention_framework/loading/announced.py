"""What a plugin announces, checked before anybody relies on it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .. import kinds
from ..model import AgentKind, HostEnvironment
from ..observing import METHODS
from .status import Kind, Strategy, Unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

HOOKS = {
    Kind.FOCUS_SOURCE: "attention_focus_sources",
    Kind.TRANSPORT: "attention_transports",
    Kind.DETECTOR: "attention_pause_detectors",
    Kind.BREAK_SOURCE: "attention_break_sources",
    Kind.POLICY: "attention_policies",
    Kind.OBSERVER: "attention_observers",
}
_PROTOCOLS = {
    Kind.FOCUS_SOURCE: kinds.FocusSource,
    Kind.TRANSPORT: kinds.AgentTransport,
    Kind.DETECTOR: kinds.PauseDetector,
    Kind.BREAK_SOURCE: kinds.BreakSource,
    Kind.POLICY: kinds.Policy,
    Kind.OBSERVER: kinds.Observer,
}
_NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


@dataclass(slots=True)
class Announced:
    """Strategies, agents and hosts, by name: those of one plugin, or of all."""

    strategies: dict[str, Strategy] = field(default_factory=dict)
    agents: dict[str, tuple[str, AgentKind]] = field(default_factory=dict)
    """Name to `(plugin, kind)`."""
    hosts: dict[str, tuple[str, HostEnvironment]] = field(default_factory=dict)

    def names(self) -> tuple[tuple[str, str], ...]:
        """`(kind, name)` of everything, for people."""
        strategies = [(strategy.kind.value, strategy.name) for strategy in self.strategies.values()]
        return (
            *strategies,
            *(("agent", name) for name in self.agents),
            *(("host", name) for name in self.hosts),
        )

    def add(self, other: Announced) -> None:
        """take over what another plugin announces. Raises Unfit, and takes nothing, if a name is taken."""
        for name, strategy in other.strategies.items():
            if (mine := self.strategies.get(name)) is not None:
                raise _taken(f"{strategy.kind} {name}", mine.plugin, strategy.plugin)
        for name, (plugin, _) in other.agents.items():
            if name in self.agents:
                raise _taken(f"agent {name}", self.agents[name][0], plugin)
        for name, (plugin, _) in other.hosts.items():
            if name in self.hosts:
                raise _taken(f"host {name}", self.hosts[name][0], plugin)
        self.strategies |= other.strategies
        self.agents |= other.agents
        self.hosts |= other.hosts


def collect(plugin: str, ask: Callable[[str], Any]) -> Announced:
    """Ask one plugin for all that it announces;
    `ask` calls its implementation of a hook. Raises Unfit for what cannot be used.
    """
    found = Announced()
    for kind, hook in HOOKS.items():
        for item in _items(hook, ask):
            strategy = _strategy(kind, plugin, item, hook)
            if strategy.name in found.strategies:
                raise Unfit(
                    f"announces {strategy.name} twice", f"the second is {_title(item)}; give it another name"
                )
            found.strategies[strategy.name] = strategy
    for agent in _values("attention_agents", AgentKind, ask):
        found.agents[_named(agent.name, agent, "attention_agents")] = (plugin, agent)
    for host in _values("attention_hosts", HostEnvironment, ask):
        found.hosts[_named(host.host, host, "attention_hosts")] = (plugin, host)
    return found


def _strategy(kind: Kind, plugin: str, item: object, hook: str) -> Strategy:
    if not isinstance(item, type):
        raise Unfit(
            f"announces {item!r} in {hook}, which is no class", f"{hook} returns classes, not instances"
        )
    name = _named(getattr(item, "name", None), item, hook)
    lacking = [method for method in _methods(_PROTOCOLS[kind]) if not callable(getattr(item, method, None))]
    if lacking:
        raise Unfit(
            f"announces the {kind} {name}, which lacks {', '.join(lacking)}", f"add it to {_title(item)}"
        )
    if kind is Kind.OBSERVER and not any(callable(getattr(item, method, None)) for method in METHODS):
        raise Unfit(
            f"announces the observer {name}, which has none of {', '.join(METHODS)}",
            f"add one to {_title(item)}",
        )
    _check_settings(kind, name, item)
    return Strategy(kind, name, plugin, item)


def _check_settings(kind: Kind, name: str, item: type) -> None:
    from pydantic import BaseModel

    model = getattr(item, "Settings", None)
    if model is None:
        return
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise Unfit(
            f"announces the {kind} {name}, whose Settings are no pydantic model",
            f"derive {_title(item)}.Settings from pydantic.BaseModel",
        )
    if kind is Kind.POLICY and "use" in model.model_fields:
        raise Unfit(
            f"announces the policy {name}, whose Settings have a field `use`",
            "call it otherwise: `use` names the policy itself",
        )


def _named(name: object, item: object, hook: str) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        given = "without a `name`" if name is None else f"called {name!r}"
        raise Unfit(
            f"announces {_title(item)} {given} in {hook}",
            "a name is made of lower-case words joined by - or _",
        )
    return name


def _methods(protocol: type) -> Iterator[str]:
    return (name for name, value in vars(protocol).items() if not name.startswith("_") and callable(value))


def _values(hook: str, expected: type, ask: Callable[[str], Any]) -> Iterator[Any]:
    for item in _items(hook, ask):
        if not isinstance(item, expected):
            raise Unfit(f"announces {item!r} in {hook}", f"{hook} returns instances of {expected.__name__}")
        yield item


def _items(hook: str, ask: Callable[[str], Any]) -> Iterable[Any]:
    answer = ask(hook)
    if answer is None:
        return ()
    if isinstance(answer, (list, tuple)):
        return answer
    raise Unfit(f"returns {answer!r} from {hook}", "return a list")


def _taken(what: str, first: str, second: str) -> Unfit:
    return Unfit(
        f"announces the {what}, as the plugin {first} does", f"take {first} or {second} out of `plugins`"
    )


def _title(item: object) -> str:
    cls = item if isinstance(item, type) else type(item)
    return f"{cls.__module__}.{cls.__qualname__}"
