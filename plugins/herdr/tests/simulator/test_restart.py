"""What survives when the server stops and starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attention_herdr.simulator import SimulatedHerdr

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_restart_keeps_ids_and_ends_programs(
    herdr: SimulatedHerdr, echo: Callable[..., str], until: Callable[..., Any]
) -> None:
    second = herdr.split("w1:p1", focus=True)
    echo(second, kind="omp")
    before = herdr.pane(second)["terminal_id"]
    herdr.restart()
    assert herdr.pane_ids() == ["w1:p1", second]
    assert herdr.focused == second
    assert herdr.pane(second)["terminal_id"] != before
    assert "agent" not in herdr.pane(second)
    assert herdr.events() == []


def test_after_a_restart_old_ids_of_moved_panes_are_forgotten(herdr: SimulatedHerdr) -> None:
    second = herdr.split("w1:p1")
    moved = herdr.move_pane(second)
    assert herdr.pane(second)["pane_id"] == moved
    herdr.restart()
    assert second not in herdr.pane_ids()


def test_a_handoff_keeps_programs_and_the_address_is_gone_for_a_moment(
    herdr: SimulatedHerdr,
    ask: Callable[..., Any],
    echo: Callable[..., str],
    got: Callable[[str], bytes],
    until: Callable[..., Any],
) -> None:
    pane = echo(kind="omp")
    herdr.stop(keep_programs=True)
    assert not herdr.socket_path.exists()
    assert not herdr.running
    herdr.start()
    assert ask("agent.get", target=pane)["agent"]["agent"] == "omp"
    assert herdr.events() == []
    ask("agent.send_keys", target=pane, keys=["f12"])
    until(lambda: got(pane) == b"\x1b[24~")


def test_two_sessions_are_two_servers() -> None:
    with SimulatedHerdr() as one, SimulatedHerdr(one.config_dir, session="second") as two:
        assert two.socket_path == one.config_dir / "sessions" / "second" / "herdr.sock"
        assert one.pane_ids() == two.pane_ids() == ["w1:p1"]
        one.split("w1:p1", focus=True)
        assert (one.focused, two.focused) == ("w1:p2", "w1:p1")


def test_closing_leaves_nothing_behind() -> None:
    import threading

    before = set(threading.enumerate())
    with SimulatedHerdr() as herdr:
        folder = herdr.config_dir
        herdr.storm(3)
    assert set(threading.enumerate()) == before
    assert not folder.exists()
