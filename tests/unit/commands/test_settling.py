"""The second look that a short absence is owed, as the one-shot runner takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework.settling import look_again
from attention_framework.state.memory import load_memory

if TYPE_CHECKING:
    from .conftest import Shell

ADDRESS = ("--host", "fake", "--address", "/run/fake.sock", "--trigger", "pane.focused")


@pytest.fixture
def settling(shell: Shell) -> Shell:
    """The person has just left the first pane."""
    shell.configuration.settings.focus.settle_ms = 1_000
    shell.settle()
    shell.host.focus("w1:p2")
    return shell


def test_it_waits_until_the_absence_counts_and_asks_then(settling: Shell) -> None:
    slept = settling.waits()
    result = settling.run("reconcile", *ADDRESS)
    assert slept == [1_000]
    assert [line.partition(" policy")[0] for line in result.lines] == [
        "left-running pane=w1:p1",
        "already-paused pane=w1:p2",
        "pause-sent pane=w1:p1",
        "already-paused pane=w1:p2",
    ]
    assert settling.triggers[-2:] == ["pane.focused", "settled"]


def test_the_wait_holds_no_lock_that_a_cycle_needs(settling: Shell) -> None:
    folder = settling.app.state.session(settling.host.session)
    free: list[bool] = []

    def look(ms: float) -> None:
        for path in (folder.lock, folder.line):
            lock = settling.memory.disk.process().try_lock(path)
            free.append(lock is not None)
            if lock is not None:
                lock.release()

    settling.memory.clock.on_sleep.append(look)
    settling.run("reconcile", *ADDRESS)
    assert free == [True, True]


def test_whoever_comes_back_meanwhile_is_not_asked(settling: Shell) -> None:
    settling.memory.clock.on_sleep.append(lambda ms: settling.host.focus("w1:p1"))
    result = settling.run("reconcile", *ADDRESS)
    assert "pause-sent" not in result.out
    settling.look()
    assert "w1:p1" not in settling.paused


def test_another_absence_that_began_meanwhile_is_waited_for_too(settling: Shell) -> None:
    switches = ["w1:p2", "w1:p1"]

    def switch(ms: float) -> None:
        while switches:
            settling.host.focus(switches.pop())
            settling.run("reconcile", *ADDRESS)

    slept = settling.waits()
    settling.memory.clock.on_sleep.append(switch)
    settling.run("reconcile", *ADDRESS)
    settling.look()
    assert "w1:p1" in settling.paused
    assert slept == [1_000, 1_000]


def test_one_process_waits_for_a_session_and_the_others_go(settling: Shell) -> None:
    folder = settling.app.state.session(settling.host.session)
    other = settling.memory.disk.process()
    assert other.try_lock(folder.waiter) is not None
    slept = settling.waits()
    result = settling.run("reconcile", *ADDRESS)
    assert (result.code, slept) == (0, [])
    assert "pause-sent" not in result.out


def test_what_was_found_while_the_waiter_let_go_is_not_lost(settling: Shell) -> None:
    """Its last cycle is over, and it still has the lock: whoever finds something then cannot wait itself."""
    folder = settling.app.state.session(settling.host.session)
    found: list[str] = []

    def find_something() -> None:
        found.append("now")
        settling.host.focus("w1:p1")
        settling.run("reconcile", *ADDRESS)
        settling.host.focus("w1:p2")
        settling.run("reconcile", *ADDRESS)

    settling.before_the_waiter_lets_go(find_something)
    settling.run("reconcile", *ADDRESS)
    settling.look()
    assert found == ["now"]
    memory = load_memory(folder, settling.memory.files, pytest.fail)
    assert memory is not None
    assert memory.again_at_ms is None, "the last look was taken"
    assert settling.triggers[-1] == "settled"


def test_a_wake_up_that_another_process_covered_waits_as_its_cycle_says(settling: Shell) -> None:
    from attention_framework.runner import Woken, wake

    app = settling.new_app()
    session = settling.host.session
    assert wake(app, session, "hold b-1").report is not None
    told: list[Woken] = []
    look_again(app, Woken(session, None), told.append)
    assert [each.report.trigger for each in told if each.report] == ["settled"]


def test_without_the_setting_nothing_waits(shell: Shell) -> None:
    shell.settle()
    slept = shell.waits()
    shell.host.focus("w1:p2")
    assert "pause-sent pane=w1:p1" in shell.run("reconcile", *ADDRESS).out
    assert slept == []


def test_a_host_that_is_gone_by_then_is_reported(settling: Shell) -> None:
    settling.memory.clock.on_sleep.append(lambda ms: setattr(settling.host, "down", True))
    result = settling.run("reconcile", *ADDRESS)
    assert result.code == 1
    assert "no fake host answers" in result.err


def test_a_window_that_is_not_in_front_counts_where_the_settings_say_so(shell: Shell) -> None:
    shell.settle()
    shell.agents["w1:p1"].brake()
    assert "left-running pane=w1:p1" in shell.run("reconcile", *ADDRESS).out
    shell.configuration.settings.reflex.away = "pause"
    assert "pause-sent pane=w1:p1" in shell.run("reconcile", *ADDRESS).out
    assert "the window is not in front" in shell.run("explain", "w1:p1").out
