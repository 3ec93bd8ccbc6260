"""Which plugins are installed.

Stevedore keeps the entry points of all distributions in a cache file, which may be up to two minutes behind
(its key rounds the times of change). So a name that it does not know, or whose module it does not find, is
looked up once more in the distributions themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..nearest import nearest
from .status import Missing, PluginState, PluginStatus, Unfit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint

GROUP = "attention_framework.plugins"
OURS = ("herdr", "omp_keys", "policies", "stretchly", "tmux")
"""The plugins of this project: enabled without a settings file, as far as they are installed."""


def installed() -> dict[str, list[EntryPoint]]:
    """Every installed plugin by name, past the cache.
    More than one entry: several distributions claim the name.
    """
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        claims = found.setdefault(entry.name, [])
        if not any(
            claim.value == entry.value for claim in claims
        ):  # A distribution may be on the path twice.
            claims.append(entry)
    return dict(sorted(found.items()))


def forget_cached() -> None:
    """Remove what stevedore has cached of this installation, where it has an environment of its own. Raises OSError."""
    import json
    import sys
    from pathlib import Path

    from stevedore import _cache

    if sys.prefix == sys.base_prefix:
        return
    folder = Path(_cache._get_cache_dir())
    for file in list(folder.iterdir()) if folder.is_dir() else []:
        if not file.is_file():
            continue
        try:
            owner = json.loads(file.read_bytes()).get("sys.prefix")
        except (ValueError, AttributeError):
            continue
        if owner == sys.prefix:
            file.unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def default_names() -> list[str]:
    found = installed()
    return [name for name in OURS if name in found]


def status_of(entry: EntryPoint) -> PluginStatus:
    """An installed plugin that is not enabled."""
    dist = entry.dist
    return PluginStatus(
        entry.name,
        PluginState.INSTALLED,
        entry.value,
        dist.name if dist else "",
        dist.version if dist else "",
    )


def import_plugin(name: str, cache: bool = True) -> Any:
    """The module or object that the plugin's entry point names.
    Raises Unfit if there is none, and whatever its import raises.

    :param cache: whether a cache that is not there yet may be written.
    """
    cached = _Cached(name, cache)
    if cached.plugin is not None:
        return cached.plugin
    claims = installed().get(name, [])
    if not claims:
        raise missing(name, installed())
    if len(claims) > 1:
        dists = ", ".join(sorted(claim.dist.name for claim in claims if claim.dist))
        raise Unfit(f"is claimed by several distributions: {dists}", "uninstall all but one of them")
    if cached.error is not None and claims[0].value == cached.target:
        raise cached.error
    return claims[0].load()


def missing(name: str, found: Mapping[str, object]) -> Missing:
    near = nearest(name, [*found, *OURS])
    if near is not None and near in found:
        return Missing(
            "is not installed", f"write {near} (which is) if you mean it, or take it out of `plugins`"
        )
    package = near or (name if name in OURS else None)
    if package:
        return Missing("is not installed", f"pip install attention-{package.replace('_', '-')}")
    return Missing(
        "is not installed", "install the distribution that supplies it, or take it out of `plugins`"
    )


class _Cached:
    """What stevedore makes of one name: the plugin, or the error of its import."""

    def __init__(self, name: str, cache: bool) -> None:
        from stevedore import _cache
        from stevedore.named import NamedExtensionManager

        if not cache:
            _cache._c._disable_caching = True  # Of writing alone: one that is there is read.
        self.error: BaseException | None = None
        self.target = ""
        manager: Any = NamedExtensionManager(
            GROUP, [name], on_load_failure_callback=self._failed, on_missing_entrypoints_callback=None
        )  # fmt: skip
        # Several extensions: stevedore's answer is one of several claims, which the caller sorts out.
        self.plugin = manager.extensions[0].plugin if len(manager.extensions) == 1 else None

    def _failed(self, manager: object, entry: EntryPoint, error: BaseException) -> None:
        self.error, self.target = error, entry.value
