"""`herdr-plugin.toml`: read, checked, and shown as Herdr 0.8.2 shows an installed plugin."""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ApiError

FILE = "herdr-plugin.toml"
PLATFORMS = ("linux", "macos", "windows")
VERSION = (0, 8, 2)
HOOK_EVENTS = frozenset(
    f"{kind}.{what}"
    for kind, happenings in {
        "workspace": "created updated closed renamed moved reordered focused",
        "worktree": "created opened removed",
        "tab": "created closed renamed moved focused",
        "pane": "created closed focused moved exited agent_detected agent_status_changed",
    }.items()
    for what in happenings.split()
)


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to run: a hook, a startup command or an action. `key` is the event or the id of the action."""

    key: str
    argv: tuple[str, ...]
    platforms: tuple[str, ...] | None

    @property
    def here(self) -> bool:
        return self.platforms is None or this_platform() in self.platforms


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that passed the checks. `document` is what was read."""

    path: Path
    id: str
    document: dict[str, Any]
    events: tuple[Command, ...]
    startup: tuple[Command, ...]
    actions: tuple[Command, ...]
    warnings: tuple[str, ...]

    @property
    def root(self) -> Path:
        return self.path.parent

    @property
    def here(self) -> bool:
        return this_platform() in self.document.get("platforms", PLATFORMS)

    def shape(self, *, enabled: bool, source: dict[str, Any]) -> dict[str, Any]:
        document = self.document
        optional = {
            "startup": [{"command": list(command.argv)} for command in self.startup],
            "actions": [
                _entry(action, ("id", "title", "description", "contexts"))
                for action in document.get("actions", [])
            ],
            "events": [{"on": command.key, "command": list(command.argv)} for command in self.events],
            "panes": [
                _entry(pane, ("id", "title", "description", "placement"))
                for pane in document.get("panes", [])
            ],
        }
        return {
            "plugin_id": self.id,
            "name": document["name"],
            "version": document["version"],
            "min_herdr_version": document["min_herdr_version"],
            **({"description": document["description"]} if document.get("description") else {}),
            "manifest_path": str(self.path),
            "plugin_root": str(self.root),
            "enabled": enabled,
            **({"platforms": document["platforms"]} if "platforms" in document else {}),
            **{key: value for key, value in optional.items() if value},
            "source": source,
            **({"warnings": list(self.warnings)} if self.warnings else {}),
        }


def read(path: str) -> Manifest:
    """From the folder of the plugin or its manifest. Raises ApiError with the codes of Herdr."""
    given = Path(path)
    file = given / FILE if given.is_dir() else given
    if file.name != FILE:
        raise ApiError("invalid_plugin_manifest_path", f"plugin manifest must be named {FILE}")
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ApiError("plugin_manifest_not_found", f"plugin manifest not found at {file}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ApiError("plugin_manifest_read_failed", f"failed to read {file}: {error}") from error
    try:
        return check(file.resolve(), tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ApiError("plugin_manifest_parse_failed", f"failed to parse {file}: {error}") from error


def check(path: Path, document: dict[str, Any]) -> Manifest:
    identifier = str(document.get("id", ""))
    if not re.fullmatch(r"[A-Za-z0-9:._-]{1,120}", identifier):
        raise ApiError("invalid_plugin_id", f"invalid plugin id '{identifier}'")
    for key in ("name", "version"):
        if not str(document.get(key) or "").strip():
            raise ApiError(f"invalid_plugin_{key}", f"plugin {key} is required")
    _check_version(document.get("min_herdr_version"))
    _check_platforms(document)
    events = sorted(
        (_command(entry, str(entry.get("on", ""))) for entry in document.get("events", [])),
        key=lambda c: (c.key, c.argv),
    )
    if any(not command.key for command in events):
        raise ApiError("invalid_plugin_event", "plugin event hook needs an event name")
    warnings = [] if "platforms" in document else ["missing platforms"]
    warnings += [f"unknown event '{command.key}'" for command in events if command.key not in HOOK_EVENTS]
    return Manifest(
        path,
        identifier,
        document,
        tuple(events),
        tuple(_command(entry, "startup") for entry in document.get("startup", [])),
        tuple(_checked_actions(document.get("actions", []))),
        tuple(warnings),
    )


def this_platform() -> str:
    return {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")


def _checked_actions(entries: list[dict[str, Any]]) -> list[Command]:
    actions: list[Command] = []
    for entry in entries:
        identifier = str(entry.get("id", ""))
        if not re.fullmatch(r"[A-Za-z0-9:_-]{1,120}", identifier):
            raise ApiError("invalid_plugin_action_id", f"invalid plugin action id '{identifier}'")
        if not str(entry.get("title") or "").strip():
            raise ApiError("invalid_plugin_action_title", f"plugin action '{identifier}' needs a title")
        if identifier in [action.key for action in actions]:
            raise ApiError("duplicate_plugin_action_id", f"duplicate plugin action id '{identifier}'")
        actions.append(_command(entry, identifier))
    return actions


def _command(entry: dict[str, Any], key: str) -> Command:
    argv = entry.get("command")
    if not isinstance(argv, list) or not argv or not all(isinstance(part, str) and part for part in argv):
        raise ApiError("invalid_plugin_command", "plugin command must be a list of words that are not empty")
    _check_platforms(entry)
    platforms = entry.get("platforms")
    return Command(key, tuple(argv), None if platforms is None else tuple(platforms))


def _check_platforms(entry: dict[str, Any]) -> None:
    platforms = entry.get("platforms")
    if platforms is not None and (not platforms or any(name not in PLATFORMS for name in platforms)):
        raise ApiError("invalid_plugin_platform", f"plugin platforms must be some of {', '.join(PLATFORMS)}")


def _check_version(text: object) -> None:
    found = re.fullmatch(r"v?(\d+)\.(\d+)\.(\d+).*", str(text or ""))
    if not found:
        raise ApiError("invalid_plugin_min_herdr_version", "plugin min_herdr_version is required")
    if tuple(map(int, found.groups())) > VERSION:
        raise ApiError("plugin_requires_newer_herdr", f"plugin requires herdr {text} or newer")


def _entry(entry: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: entry[key] for key in (*keys, "command") if key in entry}
