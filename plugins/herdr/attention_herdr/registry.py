"""Herdr's list of plugins: through a running server,
or else through the `herdr` command, which can do the same without one.

One list for all sessions of a user (0.7.5+). `herdr plugin unlink` wants a server, `herdr plugin uninstall`
does not, and removes no files of a plugin that was linked (read in Herdr's `cli/plugin.rs`).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from attention_framework import HostUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from .client import HerdrClient
    from .focus import HerdrFocus
    from .program import HerdrProgram

LONG_S: Final = 10.0
"""Linking reads and checks the manifest, under a lock that other servers take too."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A plugin as Herdr knows it."""

    root: str
    enabled: bool
    warnings: tuple[str, ...] = ()

    def is_at(self, folder: Path) -> bool:
        return _same(self.root) == _same(str(folder))


class Registry:
    """All methods raise HostUnavailable."""

    def __init__(self, focus: HerdrFocus, program: HerdrProgram) -> None:
        self._focus = focus
        self._program = program

    def find(self, plugin_id: str) -> Linked | None:
        return listed(self._ask("plugin.list", {}, ["plugin", "list", "--json"]), plugin_id)

    def link(self, folder: Path) -> Linked:
        """Link a folder, and enable it if it was linked before."""
        result = self._ask(
            "plugin.link", {"path": str(folder), "enabled": True}, ["plugin", "link", str(folder)]
        )
        return _linked(result.get("plugin") or {})

    def unlink(self, plugin_id: str) -> None:
        client = self._client()
        if client is not None:
            client.call("plugin.unlink", {"plugin_id": plugin_id}, LONG_S)
        else:
            self._program.run("plugin", "uninstall", plugin_id)

    def _ask(self, method: str, params: dict[str, Any], words: Sequence[str]) -> dict[str, Any]:
        client = self._client()
        if client is not None:
            return client.call(method, params, LONG_S)
        output = self._program.run(*words)
        try:
            result = json.loads(output)["result"]
        except (ValueError, KeyError, TypeError) as error:
            raise HostUnavailable(
                f"`herdr {' '.join(words)}` answered something else: {output[:200]!r}"
            ) from error
        return result if isinstance(result, dict) else {}

    def _client(self) -> HerdrClient | None:
        sessions = self._focus.sessions()
        return self._focus.client(sessions[0]) if sessions else None


def listed(result: Mapping[str, Any], plugin_id: str) -> Linked | None:
    """In the result of `plugin.list`."""
    for found in result.get("plugins") or ():
        if isinstance(found, dict) and found.get("plugin_id") == plugin_id:
            return _linked(found)
    return None


def _linked(found: Mapping[str, Any]) -> Linked:
    root = str(found.get("plugin_root") or os.path.dirname(str(found.get("manifest_path") or "")))
    return Linked(root, bool(found.get("enabled", True)), tuple(map(str, found.get("warnings") or ())))


def _same(path: str) -> str:
    """One spelling, also for Windows paths in the long form that Rust's `canonicalize` gives."""
    return os.path.normcase(os.path.realpath(path.removeprefix("\\\\?\\")))
