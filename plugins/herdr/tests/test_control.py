from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.control import HerdrControl
from attention_herdr.simulator.faults import ALWAYS

from attention_framework import Badge, HostUnavailable, Pane, PaneGone
from attention_framework.testing import until

if TYPE_CHECKING:
    from attention_herdr.testing import World


class Recorder:
    """A client that answers ok and keeps what was asked."""

    address = "/run/herdr.sock"

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.asked.append((method, params))
        return {"type": "ok"}


def typed(world: World, pane: str = "w1:p1") -> str:
    return world.herdr.screen(pane)


def test_keys_arrive_as_the_terminal_sends_them(world: World) -> None:
    world.control.send_keys(world.start_echo(), ["f12"])
    until(lambda: r"\x1b[24~" in typed(world))


def test_all_keys_of_one_call_arrive(world: World) -> None:
    world.control.send_keys(world.start_echo(), ["ctrl+alt+p", "esc"])
    until(lambda: r"\x1b\x10\x1b" in typed(world))


def test_an_unknown_key_is_an_error_before_anything_is_sent(world: World) -> None:
    pane = world.start_echo()
    with pytest.raises(ValueError, match="f13"):
        world.control.send_keys(pane, ["f12", "f13"])
    world.control.send_keys(pane, ["a"])
    until(lambda: "b'a'" in typed(world))
    assert "24~" not in typed(world)


def test_a_key_that_only_herdr_refuses_is_the_callers_error_too(world: World) -> None:
    world.herdr.fault("agent.send_keys", "error", code="invalid_key")
    with pytest.raises(ValueError, match="invalid_key"):
        world.control.send_keys(world.start_echo(), ["f12"])


def test_a_prompt_is_typed_and_submitted(world: World) -> None:
    world.control.send_prompt(world.start_echo(), "/pause")
    until(lambda: "/pause" in typed(world))


def test_the_screen_of_an_agent_is_read(world: World) -> None:
    assert "ready" in world.control.read_screen(world.start_echo())


def test_the_screen_of_a_plain_pane_is_read(world: World) -> None:
    assert isinstance(world.control.read_screen(world.pane("w1:p1")), str)


def test_a_pane_without_its_agent_is_gone(world: World) -> None:
    pane = world.start_echo()
    world.herdr.kill(pane.id)
    with pytest.raises(PaneGone):
        world.control.send_keys(pane, ["f12"])


def test_a_pane_that_went_between_snapshot_and_delivery_is_gone(world: World) -> None:
    second = world.herdr.split("w1:p1")
    pane = world.start_echo(second)
    world.herdr.close_pane(second)
    with pytest.raises(PaneGone):
        world.control.send_keys(pane, ["f12"])
    with pytest.raises(PaneGone):
        world.control.read_screen(pane)


def test_a_pane_that_was_moved_after_the_snapshot_still_gets_its_keys(world: World) -> None:
    second = world.herdr.split("w1:p1")
    pane = world.start_echo(second)
    moved = world.herdr.move_pane(second)
    world.control.send_keys(pane, ["f12"])
    until(lambda: r"\x1b[24~" in typed(world, moved))


def test_an_agent_that_was_not_ready_is_asked_once_more(world: World) -> None:
    pane = world.start_echo()
    world.herdr.fault("agent.send_keys", "error", code="agent_not_ready")
    world.control.send_keys(pane, ["f12"])
    until(lambda: r"\x1b[24~" in typed(world))


def test_but_only_once(world: World) -> None:
    pane = world.start_echo()
    world.herdr.fault("agent.send_keys", "error", code="agent_not_ready", times=2)
    with pytest.raises(PaneGone, match="agent_not_ready"):
        world.control.send_keys(pane, ["f12"])


def test_another_agent_in_the_pane_gets_nothing(world: World) -> None:
    pane = world.start_echo()
    world.herdr.fault("agent.send_keys", "error", code="agent_not_ready")
    with pytest.raises(PaneGone):
        world.control.send_keys(Pane(pane.session, pane.id, agent="claude"), ["f12"])
    assert "24~" not in typed(world)


def test_a_refusal_is_no_race(world: World) -> None:
    world.herdr.fault("agent.send_keys", "error", code="agent_send_keys_failed")
    with pytest.raises(HostUnavailable, match="agent_send_keys_failed"):
        world.control.send_keys(world.start_echo(), ["f12"])


def test_an_answer_without_a_text_is_no_screen(world: World) -> None:
    recorder: Any = Recorder()
    with pytest.raises(HostUnavailable, match="no text"):
        HerdrControl(recorder).read_screen(world.pane("w1:p1"))


def test_a_badge_is_a_token_of_the_pane(world: World) -> None:
    pane = world.start_echo()
    world.control.show_badge(pane, Badge("paused"))
    assert world.herdr.pane(pane.id)["tokens"] == {"attention": "paused"}
    world.control.show_badge(pane, None)
    assert not world.herdr.pane(pane.id).get("tokens")


def test_a_badge_starts_no_hook(world: World) -> None:
    pane = world.start_echo()
    before = [event.name for event in world.herdr.events()]
    world.control.show_badge(pane, Badge("paused"))
    assert [event.name for event in world.herdr.events()[len(before) :]] == ["pane.updated"]


def test_what_a_pane_shows_is_read_from_herdr_which_forgets_it_when_it_is_restarted(world: World) -> None:
    pane = world.start_echo()
    world.control.show_badge(pane, Badge("paused", ttl_ms=60_000))
    assert world.pane(pane.id).badge == "paused"
    world.herdr.restart()
    assert {pane.badge for pane in world.focus.snapshot(world.session).panes} == {""}


def test_a_badge_that_could_not_be_shown_is_shown_the_next_time(world: World) -> None:
    pane = world.start_echo()
    world.herdr.fault("pane.report_metadata", "close")
    with pytest.raises(HostUnavailable):
        world.control.show_badge(pane, Badge("paused"))
    world.control.show_badge(pane, Badge("paused"))
    assert world.herdr.pane(pane.id)["tokens"] == {"attention": "paused"}


def test_a_workspace_shows_its_badge_as_a_token_and_starts_no_hook(world: World) -> None:
    before = [event.name for event in world.herdr.events()]
    (workspace,) = world.focus.snapshot(world.session).workspaces
    world.control.show_workspace_badge(workspace, Badge("2 paused", ttl_ms=60_000))
    (workspace,) = world.focus.snapshot(world.session).workspaces
    assert (workspace.id, workspace.panes, workspace.badge) == ("w1", {"w1:p1"}, "2 paused")
    world.control.show_workspace_badge(workspace, None)
    assert world.focus.snapshot(world.session).workspaces[0].badge == ""
    told = [event.name for event in world.herdr.events()[len(before) :]]
    assert told == ["workspace.metadata_updated"] * 2


def test_a_herdr_that_does_not_know_badges_of_workspaces_is_fine(world: World) -> None:
    (workspace,) = world.focus.snapshot(world.session).workspaces
    world.herdr.fault("workspace.report_metadata", "error", code="invalid_request")
    world.control.show_workspace_badge(workspace, Badge("2 paused"))
    world.herdr.fault("workspace.report_metadata", "close")
    with pytest.raises(HostUnavailable):
        world.control.show_workspace_badge(workspace, Badge("2 paused"))


def test_locating_keeps_trouble_apart_from_absence(world: World) -> None:
    assert world.control.locate("w1:p1") == "w1:p1"
    assert world.control.locate("w9:p9") is None
    world.herdr.fault("pane.get", "close", times=ALWAYS)
    with pytest.raises(HostUnavailable):
        world.control.locate("w1:p1")
