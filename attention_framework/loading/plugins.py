"""The loaded plugins, and what they announce."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .entry_points import installed, status_of
from .status import Kind, PluginState, PluginStatus, Strategy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pluggy

    from ..bounded import Caller
    from ..model import AgentKind, HostEnvironment
    from .announced import Announced


class Plugins:
    """Made by `load_plugins`.

    :param manager: pluggy's manager with the plugins that loaded, under the names that the settings use.
    :param enabled: the status of every enabled plugin, in the order of the settings.
    """

    def __init__(
        self,
        manager: pluggy.PluginManager,
        enabled: Sequence[PluginStatus],
        announced: Announced,
        call: Caller,
        report: Callable[[str], None],
    ) -> None:
        self.manager = manager
        self.enabled = {status.name: status for status in enabled}
        self._announced = announced
        self._call = call
        self._report = report

    @property
    def broken(self) -> list[PluginStatus]:
        """Those that are enabled and could not be loaded, whatever the reason."""
        return [status for status in self.enabled.values() if status.state is not PluginState.LOADED]

    @property
    def agents(self) -> dict[str, AgentKind]:
        """Announced agent kinds, by name."""
        return {name: kind for name, (_, kind) in self._announced.agents.items()}

    @property
    def hosts(self) -> dict[str, HostEnvironment]:
        """Announced host environments, by the host's name."""
        return {name: host for name, (_, host) in self._announced.hosts.items()}

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """Announced strategies of every kind; their names are unique across kinds."""
        return self._announced.strategies

    def of_kind(self, kind: Kind) -> dict[str, Strategy]:
        return {name: strategy for name, strategy in self.strategies.items() if strategy.kind is kind}

    def statuses(self) -> list[PluginStatus]:
        """Every plugin that is enabled or installed, with its distribution. Reads the installed
        distributions: not for the hot path.
        """
        known = installed()
        enabled = [_with_distribution(status, known) for status in self.enabled.values()]
        return [
            *enabled,
            *(status_of(entries[0]) for name, entries in known.items() if name not in self.enabled),
        ]

    def call_each(self, hook: str, **arguments: Any) -> list[tuple[str, Any]]:
        """Call every plugin's implementation of a hook, one at a time,
        and return `(plugin, value)` of those that gave a value.

        One that raises or hangs is reported with its plugin's name, and stops no other.
        """
        answers = []
        for plugin, implementation in implementations(self.manager, hook):
            result = self._call.call(f"plugin {plugin}", _bind(implementation, arguments))
            if result.problem:
                self._report(f"the plugin {plugin} failed in {hook}: {result.problem}")
            elif result.value is not None:
                answers.append((plugin, result.value))
        return answers


def implementations(manager: pluggy.PluginManager, hook: str) -> Iterator[tuple[str, Any]]:
    """`(plugin, HookImpl)` in the order in which pluggy calls them.
    Raises AttributeError for a hook that is not specified.
    """
    for implementation in reversed(getattr(manager.hook, hook).get_hookimpls()):
        yield implementation.plugin_name, implementation


def _bind(implementation: Any, arguments: Mapping[str, Any]) -> Callable[[], Any]:
    """An implementation takes only the arguments that it names."""
    chosen = [arguments[name] for name in implementation.argnames]
    return lambda: implementation.function(*chosen)


def _with_distribution(status: PluginStatus, known: Mapping[str, Sequence[Any]]) -> PluginStatus:
    from dataclasses import replace

    if status.name not in known:
        return status
    there = status_of(known[status.name][0])
    return replace(status, target=there.target, distribution=there.distribution, version=there.version)
