"""Loading the plugins that the settings enable: import, register, ask what they announce."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pluggy

from .. import hookspecs
from ..bounded import Bounded, Ending
from ..hookspecs import API
from ..nearest import nearest
from .announced import Announced, collect
from .entry_points import default_names, import_plugin
from .plugins import Plugins, implementations
from .status import PluginState, PluginStatus, Unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..bounded import Caller

IMPORT_LIMIT_S = 10.0


def load_plugins(
    names: Sequence[str] | None = None,
    *,
    report: Callable[[str], None],
    call: Caller | None = None,
    import_limit_s: float = IMPORT_LIMIT_S,
    cache: bool = True,
) -> Plugins:
    """Load these plugins; None means those of this project that are installed.

    Nothing is raised for a broken plugin: it has left no trace
    in the result but its status, which the caller reports.

    :param report: told of hooks that raise or hang later on.
    :param call: how hooks are called later on; by default with a time limit.
    :param cache: whether what is found may be written to stevedore's cache.
    """
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    bounded = Bounded(_silent, import_limit_s)
    everything = Announced()
    chosen = default_names() if names is None else list(dict.fromkeys(names))
    statuses = [_load(name, manager, everything, bounded, cache) for name in chosen]
    return Plugins(manager, statuses, everything, call or Bounded(_silent), report)


def _load(
    name: str, manager: pluggy.PluginManager, everything: Announced, bounded: Caller, cache: bool
) -> PluginStatus:
    try:
        plugin = _bounded_step(bounded, name, "its import", lambda: import_plugin(name, cache))
        check_api(plugin)
        register(manager, plugin, name)
        mine = _announcements(manager, name, bounded)
        everything.add(mine)
    except Unfit as error:
        withdraw(manager, name)
        return PluginStatus(name, error.state, reason=str(error), fix=error.fix)
    return PluginStatus(name, PluginState.LOADED, announces=mine.names())


def check_api(plugin: Any) -> None:
    """Raises Unfit for a plugin that was written for another version of the plugin API.
    One that says nothing was written for the first.
    """
    declared = getattr(plugin, "ATTENTION_API", 1)
    if not isinstance(declared, int) or isinstance(declared, bool):
        raise Unfit(
            f"gives {declared!r} as its ATTENTION_API", "write the number that attention_framework.API has"
        )
    written = f"was written for version {declared} of the plugin API, and this attention has version {API}"
    if declared > API:
        raise Unfit(written, "pip install --upgrade attention-framework")
    if declared < API:
        raise Unfit(written, "update the plugin, or take it out of `plugins`")


def register(manager: pluggy.PluginManager, plugin: Any, name: str) -> None:
    """Register a plugin whose hooks all fit their specifications.
    Raises Unfit; `withdraw` then takes out what pluggy has taken in.
    """
    try:
        manager.register(plugin, name)
    except pluggy.PluginValidationError as error:
        raise Unfit(
            f"implements a hook wrongly: {_first_line(error)}",
            "give the function the arguments that the hook's documentation lists",
        ) from error
    except ValueError as error:
        raise Unfit(
            "is the same module as another enabled plugin", "take one of the two out of `plugins`"
        ) from error
    callers = manager.get_hookcallers(plugin) or []
    if not callers:
        raise Unfit("implements no hook", "mark its functions with attention_framework.hookimpl")
    for caller in callers:
        _check_implementation(caller, name, manager)


def withdraw(manager: pluggy.PluginManager, name: str) -> None:
    """Unregister a plugin completely; older versions of pluggy
    leave one registered whose second hook does not fit.
    """
    if manager.has_plugin(name):
        manager.unregister(name=name)


def _check_implementation(caller: pluggy.HookCaller, name: str, manager: pluggy.PluginManager) -> None:
    mine = next(
        implementation for implementation in caller.get_hookimpls() if implementation.plugin_name == name
    )
    if not caller.has_spec():
        if mine.optionalhook:
            return
        known = [spec for spec in vars(manager.hook) if getattr(manager.hook, spec).has_spec()]
        near = nearest(caller.name, known)
        raise Unfit(
            f"implements a hook {caller.name}, which does not exist",
            f"use {near}, if you mean it" if near else f"known hooks are {', '.join(sorted(known))}",
        )
    if mine.hookwrapper or mine.wrapper:
        raise Unfit(
            f"wraps the hook {caller.name}",
            "implement it as a plain function: implementations are called one at a time",
        )


def _announcements(manager: pluggy.PluginManager, name: str, bounded: Caller) -> Announced:
    def ask(hook: str) -> Any:
        mine = [implementation for plugin, implementation in implementations(manager, hook) if plugin == name]
        return _bounded_step(bounded, name, hook, mine[0].function) if mine else None

    return collect(name, ask)


def _bounded_step(bounded: Caller, name: str, what: str, step: Callable[[], Any]) -> Any:
    result = bounded.call(name, step)
    if isinstance(result.error, Unfit):
        raise result.error
    if result.ending is Ending.TIMED_OUT:
        raise Unfit(
            f"hangs in {what}: it {result.problem.split(',')[0]}",
            "take it out of `plugins`, and report it to its authors",
        )
    if result.ending is not Ending.DONE:
        raise Unfit(
            f"fails in {what}: {result.problem}", "update or reinstall it, or take it out of `plugins`"
        ) from result.error
    return result.value


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[-2:])


def _silent(sentence: str) -> None:
    """The status tells it."""
