"""`herdr-plugin.toml`: what is refused with which code, and what is only a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import ApiError
from attention_herdr.simulator.plugins import manifest

if TYPE_CHECKING:
    from pathlib import Path

GOOD: dict[str, Any] = {
    "id": "attn", "name": "Attention", "version": "0.1.0", "min_herdr_version": "0.7.5",
    "platforms": ["linux", "macos", "windows"],
}  # fmt: skip


def test_a_good_one_has_no_warnings_and_its_hooks_are_sorted(tmp_path: Path) -> None:
    events = [
        {"on": "pane.focused", "command": ["b"]},
        {"on": "pane.closed", "command": ["c"]},
        {"on": "pane.focused", "command": ["a"]},
    ]
    found = manifest.check(tmp_path / manifest.FILE, {**GOOD, "events": events, "unknown": 1})
    assert found.warnings == ()
    assert [(command.key, command.argv[0]) for command in found.events] == [
        ("pane.closed", "c"),
        ("pane.focused", "a"),
        ("pane.focused", "b"),
    ]


def test_unknown_events_and_missing_platforms_are_warnings(tmp_path: Path) -> None:
    document = {key: value for key, value in GOOD.items() if key != "platforms"}
    found = manifest.check(tmp_path, {**document, "events": [{"on": "pane.updated", "command": ["x"]}]})
    assert found.warnings == ("missing platforms", "unknown event 'pane.updated'")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"id": "no blanks"}, "invalid_plugin_id"),
        ({"id": "x" * 121}, "invalid_plugin_id"),
        ({"name": " "}, "invalid_plugin_name"),
        ({"version": ""}, "invalid_plugin_version"),
        ({"min_herdr_version": None}, "invalid_plugin_min_herdr_version"),
        ({"min_herdr_version": "0.8.3"}, "plugin_requires_newer_herdr"),
        ({"platforms": []}, "invalid_plugin_platform"),
        ({"platforms": ["amiga"]}, "invalid_plugin_platform"),
        ({"events": [{"on": "pane.focused", "command": []}]}, "invalid_plugin_command"),
        ({"events": [{"on": "pane.focused", "command": ["x", ""]}]}, "invalid_plugin_command"),
        ({"events": [{"on": "pane.focused", "command": "x"}]}, "invalid_plugin_command"),
        ({"events": [{"command": ["x"]}]}, "invalid_plugin_event"),
        ({"startup": [{"command": []}]}, "invalid_plugin_command"),
        ({"actions": [{"id": "a.b", "title": "x", "command": ["x"]}]}, "invalid_plugin_action_id"),
        ({"actions": [{"id": "a", "title": "", "command": ["x"]}]}, "invalid_plugin_action_title"),
        ({"actions": [{"id": "a", "title": "x", "command": ["x"]}] * 2}, "duplicate_plugin_action_id"),
    ],
)
def test_what_is_refused(tmp_path: Path, change: dict[str, Any], code: str) -> None:
    with pytest.raises(ApiError) as caught:
        manifest.check(tmp_path / manifest.FILE, {**GOOD, **change})
    assert caught.value.code == code


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, content, code in (
        (tmp_path, None, "plugin_manifest_not_found"),
        (tmp_path / "other.toml", "", "invalid_plugin_manifest_path"),
        (tmp_path, "id = ", "plugin_manifest_parse_failed"),
    ):
        if content is not None:
            (tmp_path / manifest.FILE).write_text(content, encoding="utf-8")
        with pytest.raises(ApiError) as caught:
            manifest.read(str(path))
        assert caught.value.code == code
