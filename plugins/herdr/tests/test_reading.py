from __future__ import annotations

import copy
from typing import Any

import pytest
from attention_herdr.reading import SUPPORTED, parse_version, read_snapshot

from attention_framework import HostUnavailable, Session

SESSION = Session("herdr", "/home/me/.config/herdr/herdr.sock", "default")
FILE = "/home/me/.omp/agent/sessions/-home-me-w1/x.jsonl"
# Condensed from a recording of Herdr 0.8.2.
RECORDED: dict[str, Any] = {
    "type": "session_snapshot",
    "snapshot": {
        "version": "0.8.2",
        "protocol": 20,
        "focused_workspace_id": "w1",
        "focused_tab_id": "w1:t1",
        "focused_pane_id": "w1:p1",
        "workspaces": [],
        "tabs": [],
        "panes": [
            {
                "pane_id": "w1:p1", "terminal_id": "term_66", "workspace_id": "w1", "tab_id": "w1:t1",
                "focused": True, "cwd": "/home/me", "foreground_cwd": "/home/me/code/w1", "agent": "omp",
                "terminal_title": "\u03c0 \u2834 w1", "terminal_title_stripped": "\u03c0 > w1",
                "agent_status": "working",
                "agent_session": {"source": "herdr:omp", "agent": "omp", "kind": "path", "value": FILE},
                "revision": 589,
            },
            {
                "pane_id": "w1:p3", "terminal_id": "term_67", "workspace_id": "w1", "tab_id": "w1:t1",
                "focused": False, "label": "build", "cwd": "/home/me/code", "agent_status": "unknown",
            },
        ],
        "layouts": [],
        "agents": [{"pane_id": "w1:p1", "name": "reviewer", "agent": "omp", "agent_status": "working"}],
    },
}  # fmt: skip


def recorded(**changes: Any) -> dict[str, Any]:
    """The recording with other values at the top of the snapshot; None takes a key out."""
    document = copy.deepcopy(RECORDED)
    for key, value in changes.items():
        if value is None:
            del document["snapshot"][key]
        else:
            document["snapshot"][key] = value
    return document


def test_a_pane_with_an_agent_is_read_whole() -> None:
    pane = read_snapshot(SESSION, RECORDED).panes[0]
    assert (pane.id, pane.agent, pane.status, pane.focused) == ("w1:p1", "omp", "working", True)
    assert (pane.title, pane.cwd, pane.conversation) == ("\u03c0 > w1", "/home/me/code/w1", FILE)
    assert pane.session == SESSION


def test_a_pane_is_labelled_by_its_label_or_by_the_name_of_its_agent() -> None:
    panes = read_snapshot(SESSION, RECORDED).panes
    assert [pane.label for pane in panes] == ["reviewer", "build"]


def test_a_pane_without_an_agent_has_no_status() -> None:
    pane = read_snapshot(SESSION, RECORDED).panes[1]
    assert (pane.agent, pane.status, pane.conversation, pane.title) == (None, None, None, "")


def test_a_status_that_herdr_cannot_tell_is_none() -> None:
    document = recorded()
    document["snapshot"]["panes"][0]["agent_status"] = "unknown"
    assert read_snapshot(SESSION, document).panes[0].status is None


def test_a_missing_focus_is_nobody_and_not_unknown() -> None:
    document = recorded(focused_pane_id=None)
    document["snapshot"]["panes"][0]["focused"] = False
    snapshot = read_snapshot(SESSION, document)
    assert snapshot.focused == frozenset()
    assert not any(pane.focused for pane in snapshot.panes)


def test_where_only_the_panes_tell_the_focus_they_are_believed() -> None:
    document = recorded(focused_pane_id=None)
    snapshot = read_snapshot(SESSION, document)
    assert snapshot.focused == frozenset({"w1:p1"})
    assert [pane.focused for pane in snapshot.panes] == [True, False]


def test_a_version_that_was_not_read_and_names_no_focus_has_an_unknown_one() -> None:
    """Else every agent would pause, for a field that is called something else by now."""
    document = recorded(focused_pane_id=None, protocol=99)
    document["snapshot"]["panes"][0]["focused"] = False
    assert read_snapshot(SESSION, document).focused is None
    document["snapshot"]["panes"] = []
    assert read_snapshot(SESSION, document).focused == frozenset()


@pytest.mark.parametrize(
    "more",
    [
        {"workspaces": [{"id": "w1"}, {"workspace_id": "w1"}]},
        {"agents": [{"agent": "omp"}, {"pane_id": "w1:p1", "name": "reviewer"}]},
    ],
)
def test_what_is_not_needed_may_be_of_another_shape(more: dict[str, Any]) -> None:
    snapshot = read_snapshot(SESSION, recorded(**more))
    assert len(snapshot.panes) == 2
    assert len(snapshot.workspaces) == len(more.get("workspaces", ())[1:])


@pytest.mark.parametrize("protocol", SUPPORTED)
def test_a_protocol_that_was_read_warns_of_nothing(protocol: int) -> None:
    assert read_snapshot(SESSION, recorded(protocol=protocol)).warnings == ()


@pytest.mark.parametrize("protocol", [16, 18, 21, None])
def test_any_other_protocol_warns_and_works(protocol: int | None) -> None:
    snapshot = read_snapshot(SESSION, recorded(protocol=protocol, version="0.9.3"))
    assert len(snapshot.panes) == 2
    assert "Herdr 0.9.3" in snapshot.warnings[0]
    assert str(protocol) in snapshot.warnings[0]


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"snapshot": None},
        {"snapshot": []},
        recorded(panes=None),
        recorded(panes={"w1:p1": {}}),
        recorded(panes=[{"agent": "omp"}]),
        recorded(agents=7),
    ],
)
def test_another_shape_is_no_answer(result: dict[str, Any]) -> None:
    with pytest.raises(HostUnavailable, match=r"session\.snapshot at .*another shape"):
        read_snapshot(SESSION, result)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("0.8.2", (0, 8, 2)),
        ("herdr 0.9.3\n", (0, 9, 3)),
        ("0.8.2-nightly.17", (0, 8, 2)),
        ("1.0", (1, 0, 0)),
        ("main", None),
        ("", None),
    ],
)
def test_versions_are_read_leniently(text: str, version: tuple[int, ...] | None) -> None:
    assert parse_version(text) == version
