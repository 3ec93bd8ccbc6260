from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from attention_framework import ProcessIdentity
from attention_framework.effects import processes as processes_module
from attention_framework.effects import real_effects
from attention_framework.effects.processes import start_ticks
from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Iterator

PROCESSES = real_effects().processes
linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux")
WAITS = "import sys; print('ready', flush=True); sys.stdin.read()"


@pytest.fixture
def child() -> Iterator[subprocess.Popen[str]]:
    """A process that waits until the test ends."""
    with subprocess.Popen(
        [sys.executable, "-c", WAITS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "ready\n"
        yield started
        if started.returncode is None:
            started.kill()


def by_clock(pid: int) -> ProcessIdentity:
    return ProcessIdentity(pid, None, round(psutil.Process(pid).create_time() * 1000))


def test_a_program_is_run_to_its_end() -> None:
    done = PROCESSES.run(
        [sys.executable, "-c", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"],
        timeout_s=60,
    )
    assert (done.code, done.output.strip(), done.errors.strip()) == (3, "out", "err")


def test_output_that_is_no_utf_8_is_no_error() -> None:
    done = PROCESSES.run(
        [sys.executable, "-c", r"import sys; sys.stdout.buffer.write(b'\xff')"], timeout_s=60
    )
    assert done.output == "\ufffd"


def test_it_has_the_environment_that_it_is_given() -> None:
    environment = {**os.environ, "ATTENTION_TEST": "given"}
    code = "import os; print(os.environ['ATTENTION_TEST'])"
    done = PROCESSES.run([sys.executable, "-c", code], timeout_s=60, environment=environment)
    assert done.output.strip() == "given"


def test_one_that_takes_too_long_is_ended_and_named() -> None:
    with pytest.raises(TimeoutError, match=r"did not end within 0\.2 s"):
        PROCESSES.run([sys.executable, "-c", "import threading; threading.Event().wait()"], timeout_s=0.2)


LEAVES_ONE = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import sys, time; print(sys.argv[1]); time.sleep(600)", sys.argv[1]])
time.sleep(float(sys.argv[2]))
"""


@pytest.mark.parametrize(
    ("lasts_s", "said"), [("0", "has ended, but not what it started,"), ("600", "did not end")]
)
def test_what_a_program_leaves_behind_with_its_output_is_not_waited_for(
    tmp_path: Path, lasts_s: str, said: str
) -> None:
    """subprocess.run waits for the end of the output once it has killed the program, on Windows without a bound."""
    command = [sys.executable, "-c", LEAVES_ONE, str(tmp_path), lasts_s]
    for timeout_s in (1, 4, 16):  # More where the machine is too busy for it to leave anything in that time.
        error, left = ended_and_left(command, timeout_s, str(tmp_path))
        if left:
            break
    assert len(left) == 1, "what it started is not ours to end"
    assert isinstance(error, TimeoutError)
    assert f"{said} within {timeout_s} s" in str(error)


def ended_and_left(
    command: list[str], timeout_s: float, mark: str
) -> tuple[BaseException | None, list[psutil.Process]]:
    """How a run has ended, or None within a minute, and the processes with this word, which are ended now."""
    ended = queue.SimpleQueue[BaseException | None]()

    def run() -> None:
        try:
            PROCESSES.run(command, timeout_s=timeout_s)
        except BaseException as error:
            ended.put(error)

    threading.Thread(target=run, daemon=True).start()
    error = None
    with suppress(queue.Empty):
        error = ended.get(timeout=60)
    left = [each for each in psutil.process_iter(["cmdline"]) if mark in (each.info["cmdline"] or ())]
    for process in left:
        process.kill()
    psutil.wait_procs(left, 10)
    return error, left


def test_a_program_that_is_not_there_is_said_so() -> None:
    with pytest.raises(FileNotFoundError):
        PROCESSES.run(["no-such-program-anywhere"], timeout_s=1)


def test_it_reads_nothing_from_the_terminal() -> None:
    done = PROCESSES.run([sys.executable, "-c", "import sys; print(repr(sys.stdin.read()))"], timeout_s=60)
    assert done.output.strip() == "''"


OUTLIVES = """
import os, sys, time
from pathlib import Path
written = Path(sys.argv[1])
written.with_suffix(".tmp").write_text(str(os.getpid()))
written.with_suffix(".tmp").replace(written)
time.sleep(60)
"""
STARTER = """
import sys
from attention_framework.effects import real_effects
real_effects().processes.start_detached([sys.executable, "-c", *sys.argv[1:]])
"""


def test_a_detached_process_outlives_its_starter_in_a_session_of_its_own(tmp_path: Path) -> None:
    written = tmp_path / "pid"
    subprocess.run([sys.executable, "-c", STARTER, OUTLIVES, str(written)], check=True, timeout=60)
    pid = int(until(lambda: written.exists() and written.read_text(), 60, "the detached process has begun"))
    process = psutil.Process(pid)
    try:
        assert process.is_running()
        if sys.platform != "win32":
            assert os.getsid(pid) == pid
            assert os.getpgid(pid) != os.getpgid(0)
    finally:
        process.kill()
        psutil.wait_procs([process], 10)


class TestAlive:
    def test_exactly_this_process_lives(self, child: subprocess.Popen[str]) -> None:
        said = by_clock(child.pid)
        assert PROCESSES.alive(said)
        assert PROCESSES.alive(replace(said, started_ms=said.started_ms + 4_900))
        assert not PROCESSES.alive(replace(said, started_ms=said.started_ms + 60_000))
        assert PROCESSES.alive(replace(said, started_ms=0)), "a start that nobody knows is no contradiction"

    def test_one_that_has_ended_does_not(self, child: subprocess.Popen[str]) -> None:
        said = by_clock(child.pid)
        child.kill()
        child.wait(60)
        assert not PROCESSES.alive(said)

    @linux
    def test_its_ticks_tell_it_from_the_next_one_with_its_pid(self, child: subprocess.Popen[str]) -> None:
        ticks = start_ticks(child.pid)
        assert ticks is not None
        assert PROCESSES.alive(ProcessIdentity(child.pid, ticks))
        assert not PROCESSES.alive(ProcessIdentity(child.pid, ticks + 1))

    @linux
    def test_a_clock_that_was_set_back_kills_nobody(self, child: subprocess.Popen[str]) -> None:
        said = ProcessIdentity(child.pid, start_ticks(child.pid), started_ms=1)
        assert PROCESSES.alive(said)

    @linux
    def test_a_zombie_is_dead(self, child: subprocess.Popen[str]) -> None:
        said = ProcessIdentity(child.pid, start_ticks(child.pid))
        child.kill()
        until(lambda: not PROCESSES.alive(said), 60, "it is a zombie")
        assert (Path("/proc") / str(child.pid)).exists()
        assert start_ticks(child.pid) is None

    @linux
    @pytest.mark.parametrize("name", [b"(a) b)", b"x", b"tab\tand space"])
    def test_a_program_may_have_any_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: bytes
    ) -> None:
        fields = [b"S", *(b"%d" % number for number in range(4, 40))]
        (tmp_path / "7").mkdir()
        (tmp_path / "7" / "stat").write_bytes(b"7 (" + name + b") " + b" ".join(fields) + b"\n")
        monkeypatch.setattr(processes_module, "PROC", tmp_path)
        assert start_ticks(7) == 22
        assert start_ticks(8) is None


def test_the_pids_above_a_process_are_known(child: subprocess.Popen[str]) -> None:
    above = PROCESSES.ancestors(child.pid)
    assert os.getpid() in above
    assert list(above)[above.index(os.getpid()) :][1:2] == [os.getppid()][: len(above) - 1]
    child.kill()
    child.wait(60)
    assert PROCESSES.ancestors(child.pid) == []


def test_the_age_of_this_process_grows_from_its_start() -> None:
    first = PROCESSES.age_ms()
    started_ms = psutil.Process().create_time() * 1000
    assert 0 < first <= PROCESSES.age_ms()
    assert abs(time.time() * 1000 - started_ms - PROCESSES.age_ms()) < 60_000


def test_the_clocks_go_forth() -> None:
    clock = real_effects().clock
    wall, monotonic = clock.wall_ms(), clock.monotonic_ms()
    clock.sleep_ms(1)
    assert clock.monotonic_ms() - monotonic >= 1
    assert abs(wall - time.time() * 1000) < 60_000


def test_this_process_is_alive_by_what_it_says_of_itself() -> None:
    processes = real_effects().processes
    own = processes.own()
    assert own.pid == os.getpid()
    assert processes.alive(own)
    assert not processes.alive(replace(own, ticks=None if own.ticks is None else own.ticks + 1, started_ms=1))


def test_running_processes_are_found_by_their_command_with_their_environment() -> None:
    mark = f"mark-{os.getpid()}"
    with subprocess.Popen(
        [sys.executable, "-c", WAITS, mark],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PANE_OF_THE_TEST": "w1:p1"},
    ) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "ready\n"
        found = PROCESSES.running(lambda command: mark in command)
        started.communicate("")
    assert started.pid in {process.pid for process in found}
    assert {process.environment.get("PANE_OF_THE_TEST") for process in found} == {"w1:p1"}
