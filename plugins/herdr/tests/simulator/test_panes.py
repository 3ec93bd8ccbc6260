"""Workspaces, tabs, panes: their ids, what closing and moving tells, and who still finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import SimulatedHerdr
from attention_herdr.simulator.client import Failed

if TYPE_CHECKING:
    from collections.abc import Callable


def told(herdr: SimulatedHerdr, *kinds: str) -> list[str]:
    names = [event.name for event in herdr.events()]
    return [name for name in names if name.split(".")[0] in kinds and not name.endswith("focused")]


def test_numbers_are_never_given_out_twice(herdr: SimulatedHerdr) -> None:
    assert herdr.split("w1:p1") == "w1:p2"
    herdr.close_pane("w1:p2")
    assert herdr.split("w1:p1") == "w1:p3"
    assert herdr.add_tab("w1") == "w1:p4"
    assert herdr.add_workspace() == "w2:p1"


def test_after_a_restart_the_id_of_a_closed_workspace_can_come_again(herdr: SimulatedHerdr) -> None:
    herdr.close_pane(herdr.add_workspace())
    assert herdr.add_workspace() == "w3:p1"
    herdr.close_pane("w3:p1")
    herdr.restart()
    assert herdr.add_workspace() == "w2:p1"


def test_a_moved_pane_has_a_new_id_and_its_old_one_is_an_alias_for_pane_methods(
    herdr: SimulatedHerdr, ask: Callable[..., Any], echo: Callable[..., str]
) -> None:
    second = herdr.split("w1:p1")
    echo(second, kind="omp")
    moved = ask("pane.move", pane_id=second, destination={"type": "new_workspace"})["move_result"]
    assert (moved["previous_pane_id"], moved["pane"]["pane_id"]) == (second, "w2:p1")
    assert ask("pane.get", pane_id=second)["pane"]["pane_id"] == "w2:p1"
    assert ask("agent.get", target="w2:p1")["agent"]["agent"] == "omp"
    with pytest.raises(Failed, match=f"agent target {second} not found"):
        ask("agent.get", target=second)
    assert herdr.move_pane("w2:p1", "w1") == "w1:p3"
    assert (
        ask("pane.get", pane_id="w2:p1")["pane"]["pane_id"]
        == ask("pane.get", pane_id=second)["pane"]["pane_id"]
        == "w1:p3"
    )


def test_a_move_within_a_workspace_keeps_the_id(herdr: SimulatedHerdr) -> None:
    second = herdr.split("w1:p1")
    assert herdr.move_pane(second, "w1") == second
    assert herdr.pane(second)["tab_id"] == "w1:t2"


def test_a_pane_that_is_alone_in_its_tab_does_not_move_to_a_new_one(
    herdr: SimulatedHerdr, ask: Callable[..., Any]
) -> None:
    moved = ask("pane.move", pane_id="w1:p1", destination={"type": "new_tab"})["move_result"]
    assert moved["changed"] is False
    assert herdr.pane_ids() == ["w1:p1"]


def test_a_pane_moves_beside_another(herdr: SimulatedHerdr, ask: Callable[..., Any]) -> None:
    other = herdr.add_workspace()
    target = {"type": "tab", "tab_id": "w2:t1", "target_pane_id": other, "split": "down"}
    moved = ask("pane.move", pane_id="w1:p1", destination=target)["move_result"]
    assert (moved["closed_workspace_id"], moved["closed_tab_id"]) == ("w1", "w1:t1")
    assert "source_layout" not in moved
    assert [pane["pane_id"] for pane in moved["target_layout"]["panes"]] == [other, "w2:p2"]
    assert herdr.pane_ids() == [other, "w2:p2"]


def test_closing_a_pane_tells_that_and_closing_more_tells_only_the_whole(
    herdr: SimulatedHerdr, ask: Callable[..., Any]
) -> None:
    herdr.close_pane(herdr.split("w1:p1"))
    assert told(herdr, "pane")[-1] == "pane.closed"
    herdr.add_tab()
    ask("tab.close", tab_id="w1:t2")
    herdr.add_workspace()
    ask("workspace.close", workspace_id="w2")
    assert told(herdr, "pane", "tab", "workspace") == [
        "pane.created", "pane.closed",
        "tab.created", "pane.created", "tab.closed",
        "workspace.created", "tab.created", "pane.created", "workspace.closed",
    ]  # fmt: skip


def test_a_program_that_ends_may_take_its_pane_along_and_only_that_is_told(
    herdr: SimulatedHerdr, echo: Callable[..., str], until: Callable[..., Any]
) -> None:
    other = herdr.add_workspace()
    echo(other, closes_pane=True)
    before = len(herdr.events())
    herdr.kill(other)
    until(lambda: herdr.pane_ids() == ["w1:p1"])
    assert [event.name for event in herdr.events()[before:]] == ["pane.exited"]


def test_what_is_not_there_is_named(ask: Callable[..., Any]) -> None:
    for method, params, message in (
        ("pane.get", {"pane_id": "w1:p9"}, "pane_not_found: pane w1:p9 not found"),
        (
            "agent.read",
            {"target": "w9:p9", "source": "detection"},
            "agent_not_found: agent target w9:p9 not found",
        ),
        (
            "agent.send_keys",
            {"target": "w1:p1", "keys": ["f12"]},
            "agent_not_found: agent target w1:p1 not found",
        ),
        ("tab.focus", {"tab_id": "w1:t9"}, "tab_not_found: "),
        ("workspace.focus", {"workspace_id": "w9"}, "workspace_not_found: "),
    ):
        with pytest.raises(Failed, match=message):
            ask(method, **params)


def test_no_focus_no_current_pane() -> None:
    from attention_herdr.simulator.client import call

    with SimulatedHerdr(first_pane=False) as herdr, pytest.raises(Failed, match="pane_not_found"):
        call(herdr.address, "pane.current")


def test_notifications_are_kept(herdr: SimulatedHerdr, ask: Callable[..., Any]) -> None:
    assert ask("notification.show", title="Paused 1 agent") == {
        "type": "notification_show",
        "shown": False,
        "reason": "disabled",
    }
    assert herdr.notifications[0]["title"] == "Paused 1 agent"


def test_badges_are_tokens_that_expire(until: Callable[..., Any]) -> None:
    from attention_herdr.simulator import ManualClock

    clock = ManualClock()
    with SimulatedHerdr(clock=clock) as herdr:
        badge = {"pane_id": "w1:p1", "source": "attention"}
        herdr.call(
            "pane.report_metadata", tokens={"attention": "x" * 100, "other": "y"}, ttl_ms=60_000, **badge
        )
        herdr.call("pane.report_metadata", tokens={"other": "stays"}, **badge)
        assert herdr.pane("w1:p1")["tokens"] == {"attention": "x" * 80, "other": "stays"}
        until(lambda: clock.sleepers() == [60, 60])
        clock.advance(60)
        until(lambda: herdr.pane("w1:p1")["tokens"] == {"other": "stays"})
        herdr.call("pane.report_metadata", tokens={"other": None}, **badge)
        assert "tokens" not in herdr.pane("w1:p1")


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"ttl_ms": 0}, "invalid_metadata_ttl"),
        ({"ttl_ms": 86_400_001}, "invalid_metadata_ttl"),
        ({"tokens": {"with blank": "x"}}, "invalid_metadata_token"),
        ({"tokens": {str(number): "x" for number in range(17)}}, "metadata_token_limit"),
        ({"state_labels": {"asleep": "x"}}, "invalid_state_label"),
        ({"source": ""}, "invalid_metadata_source"),
    ],
)
def test_badges_have_limits(ask: Callable[..., Any], more: dict[str, Any], code: str) -> None:
    with pytest.raises(Failed, match=code):
        ask("pane.report_metadata", **{"pane_id": "w1:p1", "source": "attention", **more})


def test_tokens_of_a_workspace_expire_and_are_forgotten_by_a_restart(until: Callable[..., Any]) -> None:
    from attention_herdr.simulator import ManualClock

    clock = ManualClock()
    with SimulatedHerdr(clock=clock) as herdr:
        badge = {"workspace_id": "w1", "source": "attention"}
        herdr.call("workspace.report_metadata", tokens={"attention": "2 paused"}, ttl_ms=60_000, **badge)
        herdr.call("workspace.report_metadata", tokens={"other": "stays"}, **badge)
        (workspace,) = herdr.call("workspace.list")["workspaces"]
        assert workspace["tokens"] == {"attention": "2 paused", "other": "stays"}
        until(lambda: clock.sleepers() == [60])
        clock.advance(60)
        until(lambda: herdr.call("workspace.list")["workspaces"][0]["tokens"] == {"other": "stays"})
        herdr.restart()
        assert "tokens" not in herdr.call("workspace.list")["workspaces"][0]


def test_tokens_run_no_hook_and_labels_do(herdr: SimulatedHerdr) -> None:
    badge = {"pane_id": "w1:p1", "source": "attention"}
    before = len(herdr.events())
    herdr.call("pane.report_metadata", tokens={"attention": "paused"}, **badge)
    herdr.call("pane.report_metadata", state_labels={"working": "paused"}, **badge)
    assert [event.name for event in herdr.events()[before:]] == ["pane.updated", "pane.agent_status_changed"]
