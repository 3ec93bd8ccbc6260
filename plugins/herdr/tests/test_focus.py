from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from attention_herdr.focus import HerdrFocus
from attention_herdr.simulator import SimulatedHerdr
from attention_herdr.simulator.faults import ALWAYS
from attention_herdr.testing import World

from attention_framework import HostUnavailable, Session

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def sessions(world: World, environment: Mapping[str, str]) -> list[Session]:
    context = replace(world.context, effects=replace(world.context.effects, environment=environment))
    return list(HerdrFocus(None, context).sessions())


def test_a_snapshot_shows_the_panes_and_who_has_the_focus(world: World) -> None:
    agent = world.start_echo()
    second = world.herdr.split("w1:p1", focus=True)
    snapshot = world.snapshot()
    assert [pane.id for pane in snapshot.panes] == ["w1:p1", second]
    assert snapshot.focused == frozenset({second})
    assert (agent.agent, agent.focused) == ("omp", True)
    assert snapshot.warnings == ()


def test_no_pane_is_an_answer(tmp_path: Path) -> None:
    with SimulatedHerdr(first_pane=False) as herdr:
        snapshot = World.around(herdr, tmp_path).snapshot()
    assert snapshot.panes == ()
    assert snapshot.focused == frozenset()


def test_focus_follows_the_person(world: World) -> None:
    second = world.herdr.split("w1:p1")
    third = world.herdr.add_tab()
    for pane in (second, third, "w1:p1"):
        world.herdr.focus(pane)
        assert world.snapshot().focused == frozenset({pane})


def test_named_sessions_are_found_beside_the_default_one(tmp_path: Path) -> None:
    folder = tmp_path / "herdr"
    with SimulatedHerdr(folder) as default, SimulatedHerdr(folder, session="work") as work:
        world = World.around(default, tmp_path)
        found = sessions(world, {"XDG_CONFIG_HOME": str(tmp_path)})
        assert found == [
            Session("herdr", default.address, "default"),
            Session("herdr", work.address, "work"),
        ]
        assert (
            sessions(world, {"XDG_CONFIG_HOME": str(tmp_path), "HERDR_SOCKET_PATH": work.address})
            == found[::-1]
        )
        # Pane ids repeat between sessions, and each has a focus of its own.
        assert [world.focus.snapshot(session).focused for session in found] == [frozenset({"w1:p1"})] * 2


def test_what_is_left_of_a_server_is_no_session(tmp_path: Path) -> None:
    folder = tmp_path / "herdr"
    with SimulatedHerdr(folder) as herdr:
        world = World.around(herdr, tmp_path)
        left = folder / "sessions" / "dead" / "herdr.sock"
        left.parent.mkdir(parents=True)
        # On Windows the marker file of a server that was killed; elsewhere nothing that can be connected to.
        left.write_text("4711:812345")
        (folder / "sessions" / "note.txt").write_text("")
        assert len(sessions(world, {"XDG_CONFIG_HOME": str(tmp_path)})) == 1
    assert world.context.logged == []


def test_a_server_that_hangs_is_reported_and_costs_little(tmp_path: Path) -> None:
    folder = tmp_path / "herdr"
    with SimulatedHerdr(folder) as default, SimulatedHerdr(folder, session="sick") as sick:
        world = World.around(default, tmp_path)
        sick.fault("ping", "hang", times=ALWAYS)
        began = time.monotonic()
        found = sessions(world, {"XDG_CONFIG_HOME": str(tmp_path)})
        assert time.monotonic() - began < 2.0
        assert [session.name for session in found] == ["default"]
    assert world.context.logged[0][0] == "warning"
    assert sick.address in world.context.logged[0][1]


def test_the_only_server_that_hangs_is_no_host_that_does_not_run(world: World) -> None:
    # On a busy machine the second connection of an earlier ping may arrive only now.
    world.herdr.fault("ping", "hang", times=ALWAYS)
    with pytest.raises(HostUnavailable, match="no answer"):
        world.focus.sessions()


def test_the_only_server_may_take_longer_for_a_moment(world: World) -> None:
    world.herdr.fault("ping", "delay", times=ALWAYS, delay_s=0.8)
    assert [session.address for session in world.focus.sessions()] == [world.herdr.address]
    assert world.context.logged == []


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are not files")
def test_nobody_there_is_noticed_at_once(world: World, tmp_path: Path) -> None:
    began = time.monotonic()
    assert sessions(world, {"HOME": str(tmp_path)}) == []
    assert time.monotonic() - began < 0.2


def test_a_host_that_dies_in_mid_reply_is_unavailable(world: World) -> None:
    world.herdr.fault("session.snapshot", "stop", times=ALWAYS)
    with pytest.raises(HostUnavailable, match=r"session\.snapshot"):
        world.snapshot()


def test_after_a_restart_the_same_session_answers(world: World) -> None:
    world.herdr.restart()
    assert world.snapshot().focused == frozenset({"w1:p1"})


def test_a_moved_pane_has_another_id_and_the_same_agent(world: World) -> None:
    world.start_echo()
    world.herdr.split("w1:p1")
    moved = world.herdr.move_pane("w1:p1")
    assert moved != "w1:p1"
    assert world.pane(moved).agent == "omp"
    assert world.control.locate("w1:p1") == moved
