from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import HostUnavailable
from attention_framework.testing import SESSION
from attention_framework.woken import nothing_runs

if TYPE_CHECKING:
    from .conftest import Shell

WHERE = ("--host", "fake", "--address", SESSION.address)


def test_it_says_each_decision_in_a_line(shell: Shell) -> None:
    result = shell.run("reconcile")
    assert result.code == 0
    assert result.lines == [
        "left-running pane=w1:p1 policy=focused",
        "pause-sent pane=w1:p2 policy=focused transport=fake-mailbox",
    ]
    shell.look()
    assert shell.paused == {"w1:p2"}


def test_one_session_is_meant_by_its_address(shell: Shell) -> None:
    shell.second_session()
    assert len(shell.run("reconcile", *WHERE).lines) == 2
    assert len(shell.run("reconcile").lines) == 3
    shell.memory.environment["FAKE_SOCKET"] = SESSION.address
    assert len(shell.run("reconcile", "--host", "fake", "--address-from", "FAKE_SOCKET").lines) == 2


def test_the_cycle_of_a_hook_notes_what_its_process_start_has_cost(shell: Shell) -> None:
    shell.run("reconcile", *WHERE, "--trigger", "pane.focused")
    cycle = next(entry for entry in shell.app.journal.read() if entry["type"] == "cycle")
    assert cycle["trigger"] == "pane.focused"
    assert list(cycle["steps"]) == [
        *("process-start", "mark", "line", "load", "wait"),
        *("hellos", "snapshot", "judge", "observe", "recheck", "deliver"),
    ]
    assert cycle["steps"]["process-start"] == 40.0


def test_the_observers_are_told_once_the_lock_is_free(shell: Shell) -> None:
    locks: list[Any] = []
    shell.plugins.answers = {}
    call_each = shell.plugins.call_each

    def look_at_the_lock(hook: str, **arguments: Any) -> Any:
        locks.append(dict(shell.memory.disk.locks))
        return call_each(hook, **arguments)

    shell.plugins.call_each = look_at_the_lock  # type: ignore[method-assign]
    shell.run("reconcile")
    assert [arguments["decision"].pane for arguments in shell.plugins.told("attention_decided")] == [
        "w1:p1",
        "w1:p2",
    ]
    assert len(shell.plugins.told("attention_cycle_finished")) == 1
    assert locks == [{}, {}, {}]


def test_a_wake_up_that_another_cycle_has_covered_says_so(shell: Shell) -> None:
    folder = shell.app.state.session(SESSION)

    def cover(operation: str, path: Any) -> None:
        if operation == "try_lock" and path == folder.line:
            shell.memory.disk.on_operation = None
            for name in shell.memory.files.names(folder.wake):
                shell.memory.files.remove(folder.wake / name)

    shell.memory.disk.on_operation = cover
    result = shell.run("reconcile")
    assert (result.code, result.lines) == (0, ["coalesced"])
    entries = list(shell.app.journal.read())
    assert [entry["outcome"] for entry in entries] == ["coalesced"]


def test_if_no_cycle_comes_to_its_end_it_gives_up_and_leaves_the_wake_up(shell: Shell) -> None:
    folder = shell.app.state.session(SESSION)
    other = shell.memory.process().files
    lock = other.try_lock(folder.lock)
    result = shell.run("reconcile")
    assert result.code == 1
    assert "have held" in result.err
    assert "the wake-up stays for the next one" in result.err
    assert len(shell.memory.files.names(folder.wake)) == 1
    assert lock is not None


def test_a_host_that_does_not_answer_is_an_error_and_the_wake_up_stays(shell: Shell) -> None:
    shell.host.down = True
    result = shell.run("reconcile", *WHERE)
    assert result.code == 1
    assert "no fake host answers" in result.err
    assert len(shell.memory.files.names(shell.app.state.session(SESSION).wake)) == 1
    assert [entry["error"] for entry in shell.app.journal.read()] == [
        "no fake host answers at /run/fake.sock"
    ]
    shell.host.down = False
    assert shell.run("reconcile", *WHERE).code == 0
    assert shell.memory.files.names(shell.app.state.session(SESSION).wake) == []


def test_without_a_running_session_there_is_nothing_to_do_and_it_is_said(shell: Shell) -> None:
    shell.host.down = True
    result = shell.run("reconcile")
    assert result.code == 1
    assert "no running session of fake" in result.err
    shell.hosts.clear()
    assert "none is selected" in shell.run("reconcile").err


def test_a_host_that_cannot_list_its_sessions_is_named_and_stops_no_other(shell: Shell) -> None:
    shell.second_session()

    def sessions() -> Any:
        raise HostUnavailable("tmux answered with an error never seen")

    shell.host.sessions = sessions  # type: ignore[method-assign]
    result = shell.run("reconcile")
    assert "fake: tmux answered with an error never seen" in result.err
    assert result.lines == ["left-running pane=w1:p1 policy=focused"]


def test_of_a_host_that_gives_no_answer_nobody_says_that_no_session_runs(shell: Shell) -> None:
    """It may be slow, and live."""

    def sessions() -> Any:
        raise HostUnavailable("tmux did not end within 2 s")

    answering, shell.host.sessions = shell.host.sessions, sessions  # type: ignore[method-assign]
    result = shell.run("reconcile")
    assert result.code == 1
    assert "whether a session of fake runs is not known: tmux did not end within 2 s" in result.err
    assert "no running session" not in result.err
    shell.host.sessions = answering  # type: ignore[method-assign]
    shell.host.down = True
    assert "no running session of fake" in shell.run("reconcile").err


def test_beside_a_host_that_gives_no_answer_the_others_are_said_not_to_run() -> None:
    said = nothing_runs(["herdr", "tmux"], {"tmux": "it did not end within 2 s"})
    assert said == (
        "no running session of herdr; whether a session of tmux runs is not known: it did not end within 2 s"
    )


def test_a_host_that_is_not_selected_is_wrong_usage_and_leaves_no_wake_up(shell: Shell) -> None:
    result = shell.run("reconcile", "--host", "zellij", "--address", "/run/z")
    assert result.code == 2
    assert "'zellij' is not selected (focus.sources: fake)" in result.err
    assert not any("wake" in path.parts for path in shell.memory.disk.content)


def test_a_wake_up_of_a_selected_host_whose_plugin_is_broken_stays(shell: Shell) -> None:
    shell.configuration.settings.focus.sources.append("herdr")
    assert shell.run("reconcile", "--host", "herdr", "--address", "/run/h").code == 2
    assert any("wake" in path.parts for path in shell.memory.disk.content)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--address", "/x"), "go with --host"),
        (("--address-from", "X"), "go with --host"),
        (("--host", "fake"), "--host needs --address"),
        (("--host", "fake", "--address-from", "NOT_SET"), "the environment has no NOT_SET"),
    ],
)
def test_half_an_address_is_wrong_usage(shell: Shell, words: tuple[str, ...], said: str) -> None:
    result = shell.run("reconcile", *words)
    assert result.code == 2
    assert said in result.err


def test_what_argparse_refuses_is_wrong_usage(shell: Shell) -> None:
    assert "not allowed with" in shell.wrong(
        "reconcile", "--host", "f", "--address", "a", "--address-from", "b"
    )
    assert "argument --wait: 'soon' is no number\n" in shell.wrong("reconcile", "--wait", "soon")


def test_a_full_disk_is_one_line_with_the_file(shell: Shell) -> None:
    shell.memory.disk.faults.fail("create", errno.ENOSPC)
    result = shell.run("reconcile")
    assert result.code == 1
    assert result.err.count("\n") == 1
    assert "No space left on device" in result.err
    assert "wake" in result.err


class TestWait:
    def test_it_waits_until_the_pause_is_seen(self, shell: Shell) -> None:
        shell.memory.clock.on_sleep.append(lambda _: shell.look())
        result = shell.run("reconcile", "--wait", "5")
        assert result.code == 0
        assert result.lines[-1] == "paused pane=w1:p2"

    def test_what_is_not_seen_in_time_is_not_confirmed(self, shell: Shell) -> None:
        before = shell.memory.clock.monotonic_ms()
        result = shell.run("reconcile", "--wait", "5")
        assert result.code == 1
        assert result.lines[-1] == "not-confirmed pane=w1:p2"
        assert 5_000 <= shell.memory.clock.monotonic_ms() - before < 5_100

    def test_every_session_is_waited_for(self, shell: Shell) -> None:
        second = shell.second_session()
        second.focus()
        result = shell.run("reconcile", "--wait", "1")
        assert [line for line in result.lines if line.startswith("not-confirmed")] == [
            "not-confirmed pane=w1:p2",
            "not-confirmed pane=w1:p1",
        ]

    def test_the_lock_is_free_meanwhile(self, shell: Shell) -> None:
        locks: list[int] = []
        shell.memory.clock.on_sleep.append(lambda _: locks.append(len(shell.memory.disk.locks)))
        shell.run("reconcile", "--wait", "1")
        assert set(locks) == {0}


class TestReviving:
    """A controller that has died leaves its address behind, one that was stopped takes it back."""

    @pytest.fixture
    def left(self, shell: Shell) -> Any:
        def left(pid: int) -> None:
            files = shell.memory.files
            files.write(Path("/state") / "serve.addr", b"unix /state/serve.sock\n")
            files.write(Path("/state") / "serve.json", b'{"v": 1, "pid": %d, "started": {"ticks": 7}}' % pid)

        return left

    def test_the_hook_that_ran_the_cycle_starts_it_again(self, shell: Shell, left: Any) -> None:
        left(99)
        shell.run("reconcile", *WHERE, "--revive")
        assert shell.memory.processes.detached == [(*shell.context.command, "serve", "--detach", "--revive")]

    def test_one_that_lives_needs_no_other(self, shell: Shell, left: Any) -> None:
        left(99)
        shell.memory.processes.start(99, ticks=7)
        shell.run("reconcile", *WHERE, "--revive")
        assert shell.memory.processes.detached == []

    def test_one_that_was_stopped_stays_so(self, shell: Shell) -> None:
        shell.run("reconcile", *WHERE, "--revive")
        assert shell.memory.processes.detached == []

    def test_a_person_who_asks_for_a_cycle_gets_a_cycle(self, shell: Shell, left: Any) -> None:
        left(99)
        shell.run("reconcile", *WHERE)
        assert shell.memory.processes.detached == []

    def test_a_description_that_cannot_be_read_is_no_proof_of_life(self, shell: Shell, left: Any) -> None:
        left(99)
        shell.memory.files.write(Path("/state") / "serve.json", b"{")
        shell.run("reconcile", *WHERE, "--revive")
        assert len(shell.memory.processes.detached) == 1
