"""From a file and an environment to checked settings, or to all that is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ..bounded import Bounded
from ..loading import PluginState, load_plugins
from ..loading.entry_points import installed
from .configuration import Configuration
from .document import find, read
from .environment import read_variables
from .explain import explain
from .layers import Layers
from .mistakes import Mistake, SettingsError
from .models import AttentionSettings
from .schema import build_model, json_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..loading import Plugins, PluginStatus
    from .document import Document

HINT_LIMIT_S = 2.0


@dataclass(frozen=True, slots=True)
class Examination:
    """All that is known of the settings. `settings` is None if there are mistakes."""

    layers: Layers
    plugins: Plugins
    model: type[AttentionSettings]
    settings: AttentionSettings | None
    mistakes: tuple[Mistake, ...]

    @property
    def document(self) -> Document:
        return self.layers.document

    def broken_plugins(self) -> list[tuple[PluginStatus, Mistake]]:
        """Plugins that the settings enable and that could not be loaded, with the place that enables them."""
        return [(status, _broken(status, self.layers)) for status in self.plugins.broken]

    def configuration(self, warn: Callable[[str], None]) -> Configuration:
        """What the settings select. Raises SettingsError if there are mistakes."""
        if self.settings is None:
            raise SettingsError(self.mistakes)
        return Configuration(self.layers, self.settings, self.plugins, Bounded(warn), warn)


def load_configuration(
    option: str | None, environment: Mapping[str, str], *, warn: Callable[[str], None], cache: bool = True
) -> Configuration:
    """The settings with the plugins that they enable.

    Raises SettingsError with every mistake. Plugins that cannot be
    loaded are none: `warn` is told, and the others do their work.

    :param option: the file that `--config` names.
    :param warn: told of broken plugins, of strategies that fail, and later of hooks that do.
    :param cache: whether what is found of the plugins may be written to stevedore's cache.
    """
    found = examine(option, environment, warn, cache=cache)
    for _, problem in found.broken_plugins():
        warn(str(problem))
    return found.configuration(warn)


def examine(
    option: str | None, environment: Mapping[str, str], report: Callable[[str], None], *, cache: bool = True
) -> Examination:
    """Read, load the plugins, check. Raises SettingsError only for a file that cannot be read or parsed."""
    document = read(*find(option, environment))
    plugins = load_plugins(_chosen(document, environment), report=report, cache=cache)
    model = build_model(plugins)
    variables, mistakes = read_variables(model, environment)
    layers = Layers(document, variables)
    settings: AttentionSettings | None = None
    try:
        settings = model(**layers.merged())
    except ValidationError as error:
        mistakes += explain(error, layers, json_schema(model), _Elsewhere(plugins))
    return Examination(layers, plugins, model, None if mistakes else settings, tuple(mistakes))


def _chosen(document: Document, environment: Mapping[str, str]) -> Sequence[str] | None:
    """Which plugins to load. If that key itself is wrong, its mistake is reported
    with all others, and the default plugins serve to find those.
    """
    variables, _ = read_variables(
        AttentionSettings,
        {name: value for name, value in environment.items() if name.upper() == "ATTENTION_PLUGINS"},
    )
    names: Any = Layers(document, variables).merged().get("plugins")
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else None


def _broken(status: PluginStatus, layers: Layers) -> Mistake:
    names = layers.merged().get("plugins", [])
    path = ("plugins", names.index(status.name)) if status.name in names else ()
    return Mistake(layers.blame(path) if path else "", f"plugins[{path[1]}]" if path else "", str(status))


class _Elsewhere:
    """Looks for a name in the plugins that are installed but not enabled.
    They are loaded only when there is a mistake to explain.
    """

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins
        self._others: Plugins | None = None

    def __call__(self, name: str) -> str:
        if self._others is None:
            names = [name for name in installed() if name not in self._plugins.enabled]
            self._others = load_plugins(names, report=_silent, import_limit_s=HINT_LIMIT_S)
        for status in self._others.enabled.values():
            if status.state is PluginState.LOADED and any(
                name == announced for _, announced in status.announces
            ):
                return f'the plugin {status.name} brings it, and is installed but not enabled: add "{status.name}" to `plugins`'
        return ""


def _silent(sentence: str) -> None:
    """Plugins that nobody enabled have nothing to report."""
