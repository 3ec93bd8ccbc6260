"""Clock, processes and sockets in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from attention_framework.effects import Completed
from attention_framework.testing import START_MS, Memory, Reply, until


def test_the_wall_clock_is_set_back_and_the_other_goes_on(memory: Memory) -> None:
    before = memory.clock.monotonic_ms()
    memory.clock.advance(10)
    memory.clock.set_wall(START_MS - 1_000)
    memory.clock.advance(5)
    assert memory.clock.wall_ms() == START_MS - 995
    assert memory.clock.monotonic_ms() == before + 15


def test_sleeping_moves_the_clock_and_lets_others_go_on(memory: Memory) -> None:
    slept: list[float] = []
    memory.clock.on_sleep.append(slept.append)
    memory.clock.sleep_ms(250)
    assert memory.clock.wall_ms() == START_MS + 250
    assert slept == [250]


def test_a_pid_that_is_given_out_again_is_another_process(memory: Memory) -> None:
    first = memory.processes.start(7)
    memory.processes.end(7)
    assert not memory.processes.alive(first)
    second = memory.processes.start(7, ticks=999)
    assert not memory.processes.alive(first)
    assert memory.processes.alive(second)


def test_without_ticks_the_start_is_compared_with_tolerance(memory: Memory) -> None:
    started = replace(memory.processes.start(7), ticks=None)
    assert memory.processes.alive(replace(started, started_ms=START_MS + 4_000))
    assert not memory.processes.alive(replace(started, started_ms=START_MS + 6_000))
    assert memory.processes.alive(replace(started, started_ms=0))


def test_ancestors_go_up_to_the_root(memory: Memory) -> None:
    memory.processes.start(7, parent=5)
    memory.processes.start(5, parent=1)
    assert memory.processes.ancestors(7) == [5, 1]
    assert memory.processes.ancestors(99) == []


def test_a_program_runs_if_it_is_there(memory: Memory) -> None:
    memory.processes.programs["omp"] = lambda command: Completed(0, command[1], "")
    assert memory.processes.run(["omp", "--version"], timeout_s=1).output == "--version"
    with pytest.raises(FileNotFoundError):
        memory.processes.run(["tmux"], timeout_s=1)
    assert memory.processes.ran == [("omp", "--version"), ("tmux",)]


def test_a_server_answers_in_lines_and_closes(memory: Memory) -> None:
    memory.sockets.servers["/run/x.sock"] = lambda received: received.upper() + b"rest"
    with memory.sockets.connect("/run/x.sock", b"hello\n", 1) as connection:
        assert connection.receive_line(1, 100) == b"HELLO\n"
        assert connection.receive_line(1, 100) == b"rest"
        assert connection.receive_line(1, 100) == b""
        with pytest.raises(BrokenPipeError):
            connection.send(b"more")


def test_a_silent_server_times_out_and_a_missing_one_is_an_os_error(memory: Memory) -> None:
    memory.sockets.servers["/run/x.sock"] = lambda received: Reply(b"cut", closes=False)
    connection = memory.sockets.connect("/run/x.sock", b"\n", 1)
    with pytest.raises(TimeoutError):
        connection.receive_line(1, 100)
    with pytest.raises(OSError, match="nobody"):
        memory.sockets.connect("/run/nobody.sock", b"\n", 1)


def test_a_line_over_the_limit_is_refused(memory: Memory) -> None:
    memory.sockets.servers["/run/x.sock"] = lambda received: b"x" * 11 + b"\n"
    connection = memory.sockets.connect("/run/x.sock", b"\n", 1)
    with pytest.raises(ValueError, match="10"):
        connection.receive_line(1, 10)
    assert connection.receive_line(1, 11) == b"x" * 11 + b"\n"


def test_waiting_ends_with_the_value_or_says_what_did_not_come() -> None:
    values = iter(["", "here"])
    assert until(lambda: next(values)) == "here"
    with pytest.raises(TimeoutError, match="a file"):
        until(lambda: None, timeout_s=0, what="a file")
