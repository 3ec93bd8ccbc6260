"""The further tries of a hook whose cycle has failed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from attention_framework import HostUnavailable
from attention_framework.bounded import Bounded
from attention_framework.retrying import WAITS_MS
from attention_framework.testing import SESSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .conftest import Shell

HOOK = ("--host", "fake", "--address", SESSION.address, "--trigger", "pane.focused", "--revive")


def fail(shell: Shell, times: int) -> list[int]:
    """The host is slow: so many snapshots fail. What is given back has an entry for each that was read."""
    read: list[int] = []

    def before_snapshot() -> None:
        read.append(len(read))
        if len(read) <= times:
            raise HostUnavailable("no answer within 2 s")

    shell.host.before_snapshot = before_snapshot
    return read


def markers(shell: Shell) -> list[str]:
    return list(shell.memory.files.names(shell.app.state.session(SESSION).wake))


def test_a_host_that_was_slow_for_a_moment_loses_no_wake_up(shell: Shell) -> None:
    fail(shell, 1)
    waited = shell.waits()
    result = shell.run("reconcile", *HOOK)
    assert result.code == 0
    assert "no answer within 2 s" in result.err
    assert "pause-sent pane=w1:p2" in result.out
    assert waited == [WAITS_MS[0]]
    assert markers(shell) == []
    assert shell.triggers == ["pane.focused", "retry, pane.focused"]


def test_one_that_stays_slow_is_given_up_and_the_wake_up_stays(shell: Shell) -> None:
    fail(shell, 100)
    waited = shell.waits()
    result = shell.run("reconcile", *HOOK)
    assert result.code == 1
    assert waited == list(WAITS_MS)
    assert len(markers(shell)) == 1


def test_a_person_who_says_it_is_told_at_once(shell: Shell) -> None:
    fail(shell, 1)
    waited = shell.waits()
    assert shell.run("reconcile", *HOOK[:-1]).code == 1
    assert waited == []


def test_a_session_that_has_ended_is_not_tried_again(shell: Shell) -> None:
    shell.host.down = True
    waited = shell.waits()
    assert shell.run("reconcile", *HOOK).code == 1
    assert waited == [WAITS_MS[0]]


def test_nobody_tries_what_another_process_has_covered_meanwhile(shell: Shell) -> None:
    read = fail(shell, 1)
    shell.memory.clock.on_sleep.append(lambda ms: shell.run("reconcile", *HOOK[:-1]) and None)
    assert shell.run("reconcile", *HOOK).code == 0
    assert len(read) == 3, "the one that failed, the other process's, and its second look"


def test_one_process_tries_at_a_time_and_the_others_wait_for_what_it_finds(shell: Shell) -> None:
    fail(shell, 1)
    folder = shell.app.state.session(SESSION)
    other = shell.memory.disk.process().try_lock(folder.waiter)
    assert other is not None
    waited = shell.waits()
    shell.memory.clock.on_sleep.append(lambda ms: other.release() if len(waited) == 2 else None)
    assert shell.run("reconcile", *HOOK).code == 0
    assert waited == list(WAITS_MS[:2])
    assert markers(shell) == []


def test_what_was_found_while_the_trier_let_go_is_not_lost(shell: Shell) -> None:
    """Its cycle is over, and it still has the lock: whoever finds an absence that is too short yet cannot wait itself."""
    shell.configuration.settings.focus.settle_ms = 1_000
    shell.settle()
    fail(shell, 1)
    found: list[str] = []

    def find_something() -> None:
        found.append("now")
        shell.host.focus("w1:p2")
        shell.run("reconcile", *HOOK)

    shell.before_the_waiter_lets_go(find_something)
    shell.run("reconcile", *HOOK)
    shell.look()
    assert found == ["now"]
    assert "w1:p1" in shell.paused


def test_where_the_controller_has_died_it_is_not_waited_with(shell: Shell) -> None:
    """It tries again for as long as it takes. Whoever covers the wake-up meanwhile need not know that it has died."""
    shell.memory.files.write(shell.app.state.serve_address, b"unix /state/serve.sock\n")
    shell.memory.files.write(
        shell.app.state.serve_description, b'{"v": 1, "pid": 99, "started": {"ticks": 7}}'
    )
    fail(shell, 1)
    started: list[int] = []
    processes = shell.memory.processes
    shell.memory.clock.on_sleep.append(lambda ms: started.append(len(processes.detached)))
    shell.memory.clock.on_sleep.append(lambda ms: shell.run("reconcile", *HOOK[:-1]) and None)
    assert shell.run("reconcile", *HOOK).code == 0
    assert processes.detached == [(*shell.context.command, "serve", "--detach", "--revive")]
    assert started[0] == 1


@pytest.fixture
def hang() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_host_that_hung_is_called_again(shell: Shell, hang: threading.Event) -> None:
    """A command calls nobody again who hung: there it would only cost. Here it is what the tries are for."""
    said: list[str] = []
    bounded = shell.configuration.call = Bounded(said.append, 1.0)
    bounded.first_rest_s = 0.0
    read: list[int] = []

    def before_snapshot() -> None:
        read.append(len(read))
        if len(read) == 1:
            hang.wait()

    shell.host.before_snapshot = before_snapshot
    assert shell.run("reconcile", *HOOK).code == 0
    assert len(read) > 1
    assert markers(shell) == []
