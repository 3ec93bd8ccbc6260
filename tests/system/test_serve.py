"""The resident controller as a process of its own, with a simulated Herdr and simulated agents, and what may befall it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import SimulatedHerdr

from attention_framework import real_effects
from attention_framework.serve.client import NoServer, ask_server, server_status
from attention_framework.state.folder import StateFolder
from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attention_framework.serve.client import Answer

BOUND_S = 60.0
WINDOWS = sys.platform == "win32"
unix_only = pytest.mark.skipif(WINDOWS, reason="signals of Unix")
SETTINGS = """plugins = ["herdr", "omp_keys", "policies", "stretchly"]
[focus]
sources = ["herdr"]
[[policy]]
use = "holds"
[[policy]]
use = "focused"
"""
EFFECTS = real_effects()


@dataclass
class World:
    herdr: SimulatedHerdr
    home: Path
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = StateFolder(self.home / "state")
        self.config = self.home / "attention.toml"
        self.config.write_text(SETTINGS)
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("HERDR_", "TMUX", "ATTENTION_"))
        }
        self.environment = {**kept, "HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / "x")}

    def command(self, *words: str) -> list[str]:
        options = ["--state", str(self.state.root), "--config", str(self.config)]
        return [sys.executable, "-m", "attention_framework", *options, *words]

    def run(self, *words: str, code: int | None = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            self.command(*words),
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=BOUND_S,
            check=False,
        )
        assert code is None or done.returncode == code, done.stderr
        return done

    def start(self, *words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self.command(*words),
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP if sys.platform == "win32" else 0,
        )
        self.started.append(process)
        return process

    def serve(self, *options: str) -> subprocess.Popen[str]:
        process = self.start("serve", *options)
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith(f"serving: pid {process.pid}, "), line
        until(lambda: self.status()["sessions"] and self.status()["sessions"][0]["cycles"], BOUND_S)
        return process

    def stop(self, process: subprocess.Popen[str]) -> None:
        """As the system does it; on Windows, where there may be no console to send a break to, by the command."""
        if WINDOWS:
            self.run("stop")
        else:
            process.send_signal(signal.SIGTERM)
        assert process.wait(BOUND_S) == 0

    def ask(self, verb: str, **values: str) -> Answer:
        return ask_server(self.state, EFFECTS, verb, BOUND_S, **values)

    def status(self) -> dict[str, Any]:
        return server_status(self.state, EFFECTS)

    def wake(self, **values: str) -> Answer:
        return self.ask("wake", host="herdr", address=self.herdr.address, **values)

    def word(self, pane: str, **values: str) -> str:
        answer = self.ask("ask", host="herdr", address=self.herdr.address, pane=pane, question="1", **values)
        return answer.of("answer")[0].partition(" ")[0]

    def agents(self) -> tuple[str, str]:
        """Two agents side by side, known to Herdr; the first has the focus."""
        first = self.herdr.pane_ids()[0]
        second = self.herdr.split(first)
        for number, pane in enumerate((first, second)):
            options = (
                "--state",
                str(self.state.root),
                "--record",
                str(self.home / f"r{number}"),
                "--busy-ms",
                "-1",
            )
            self.herdr.start_agent(pane, *options)
        self.herdr.focus(first)
        until(lambda: len(self.hellos()) == 2, BOUND_S, "both have said hello")
        return first, second

    def hellos(self) -> list[dict[str, Any]]:
        return [json.loads(path.read_bytes()) for path in self.state.sessions.glob("*/agents/*.json")]

    def paused(self) -> set[str]:
        return {hello["pane"] for hello in self.hellos() if hello["state"] == "paused"}

    def left(self) -> set[str]:
        """Files that only a controller that runs should have."""
        return {"serve.addr", "serve.sock", "serve.json", "reflex.json"} & set(os.listdir(self.state.root))

    def journal(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.state.journal.read_text().splitlines()]

    def markers(self) -> list[Path]:
        return list(self.state.sessions.glob("*/wake/*"))

    def cycles(self) -> int:
        return sum(session["cycles"] for session in self.status()["sessions"])


@pytest.fixture
def world() -> Iterator[World]:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="attn", ignore_cleanup_errors=True) as folder:
        home = Path(folder).resolve()
        with SimulatedHerdr(home / "x" / "herdr", startup_grace_s=0) as herdr:
            world = World(herdr, home)
            try:
                yield world
            finally:
                for process in world.started:
                    if process.poll() is None:
                        process.kill()
                        process.wait(BOUND_S)
                    if process.stdout:
                        process.stdout.close()
                world.run("stop", code=None)


def test_it_pauses_who_has_lost_the_focus_without_any_hook(world: World) -> None:
    first, second = world.agents()
    world.serve()
    until(lambda: world.paused() == {second}, BOUND_S)
    world.herdr.focus(second)
    until(lambda: world.paused() == {first, second}, BOUND_S)
    assert world.word(second) == "run"
    assert world.word(first) == "pause"


def test_in_the_background_there_is_one_and_stop_ends_it(world: World) -> None:
    assert "started: pid" in world.run("serve", "--detach").stdout
    pid = world.status()["pid"]
    assert f"runs already: pid {pid}" in world.run("serve", "--detach").stdout
    assert f"runs already (pid {pid})" in world.run("serve", code=1).stderr
    assert f"resident, pid {pid}" in world.run("status").stdout
    if not WINDOWS:
        assert (world.state.root / "serve.sock").stat().st_mode & 0o777 == 0o600
    assert world.run("stop").stdout == "stopped\n"
    assert world.left() == set()
    with pytest.raises(NoServer):
        world.status()


def test_in_the_background_wrong_settings_are_shown_and_nothing_is_left(world: World) -> None:
    world.config.write_text("[focus]\nsource = []\n")
    assert "attention.toml:2" in world.run("serve", "--detach", code=2).stderr
    assert world.left() == set()


def test_of_several_that_start_at_once_one_serves(world: World) -> None:
    processes = [world.start("serve") for _ in range(4)]
    until(lambda: sum(process.poll() is None for process in processes) == 1, BOUND_S)
    (alive,) = [process for process in processes if process.poll() is None]
    until(lambda: world.state.serve_address.exists(), BOUND_S)
    assert world.status()["pid"] == alive.pid
    assert [process.returncode for process in processes if process is not alive] == [1, 1, 1]


def test_a_graceful_end_leaves_nothing(world: World) -> None:
    process = world.serve()
    assert world.left() >= {"serve.addr", "serve.json", "reflex.json"}
    world.stop(process)
    assert world.left() == set()


def test_the_next_one_makes_right_what_a_killed_one_has_left(world: World) -> None:
    first, second = world.agents()
    for focused in (first, second, first, second):
        process = world.serve()
        process.kill()
        process.wait(BOUND_S)
        assert "serve.addr" in world.left()
        with pytest.raises(NoServer):
            world.status()
        world.herdr.focus(focused)  # While nobody is there.
    process = world.serve()
    until(lambda: first in world.paused(), BOUND_S)
    assert world.status()["pid"] == process.pid
    world.stop(process)


def test_one_that_was_killed_and_then_stopped_is_not_started_again(world: World) -> None:
    """Also not by a hook that has found it dead before the person said so."""
    process = world.serve()
    process.kill()
    process.wait(BOUND_S)
    assert "serve.addr" in world.left()
    assert world.run("stop").stdout == "no controller runs\n"
    assert world.left() == set()
    assert "stays so" in world.run("serve", "--revive", code=1).stderr
    assert "stays so" in world.run("serve", "--detach", "--revive", code=1).stderr
    assert world.left() == set()


@unix_only
def test_one_that_was_stopped_catches_up(world: World) -> None:
    first, second = world.agents()
    process = world.serve()
    until(lambda: world.paused() == {second}, BOUND_S)
    process.send_signal(signal.SIGSTOP)
    world.herdr.focus(second)
    process.send_signal(signal.SIGCONT)
    until(lambda: first in world.paused(), BOUND_S)
    world.stop(process)


@unix_only
def test_a_socket_that_somebody_removes_is_made_anew(world: World) -> None:
    process = world.serve()
    world.state.serve_socket.unlink()
    until(world.state.serve_socket.exists, BOUND_S)
    until(lambda: world.run("status").stdout.count(f"pid {process.pid}"), BOUND_S)
    world.stop(process)


@pytest.mark.parametrize("handoff", [False, True])
def test_it_outlives_a_restart_of_the_host(world: World, handoff: bool) -> None:
    process = world.serve()
    world.herdr.restart(handoff=handoff)
    first, second = world.agents()
    until(lambda: world.paused() == {second}, BOUND_S)
    world.herdr.focus(second)
    until(lambda: first in world.paused(), BOUND_S)
    assert world.word(second) == "run"
    world.stop(process)


def test_a_session_that_was_not_there_at_the_start_is_found(world: World) -> None:
    process = world.serve()
    with SimulatedHerdr(world.home / "x" / "herdr", session="second", startup_grace_s=0) as second:
        assert (
            ask_server(world.state, EFFECTS, "wake", BOUND_S, host="herdr", address=second.address).code == 0
        )
        assert len(world.status()["sessions"]) == 2
    until(lambda: len(world.status()["sessions"]) == 1, BOUND_S)
    world.stop(process)


def test_changed_settings_are_taken_over_and_wrong_ones_are_not(world: World) -> None:
    process = world.serve()

    def mode() -> str:
        return str(json.loads(world.state.reflex.read_bytes())["mode"])

    assert mode() == "brake"
    world.config.write_text(SETTINGS + "[reflex]\nmode = 'strict'\n")
    until(lambda: mode() == "strict", BOUND_S)
    world.config.write_text(SETTINGS + "[reflex]\nmode = 'x'\n")
    problem = until(lambda: world.status()["settings"]["problem"], BOUND_S)
    assert "reflex.mode" in problem
    assert mode() == "strict"
    assert world.wake().code == 0
    world.config.write_text(SETTINGS)
    until(lambda: mode() == "brake", BOUND_S)
    assert world.status()["settings"]["problem"] is None
    world.stop(process)


def test_a_break_source_is_followed_and_its_break_ends_with_the_controller(world: World) -> None:
    first, second = world.agents()
    marker = world.home / "marker"
    source = f'[breaks]\nsources = ["marker"]\n[strategy.marker]\nfile = {json.dumps(str(marker))}\n'
    world.config.write_text(SETTINGS + source)
    process = world.serve()
    marker.touch()
    until(lambda: world.paused() == {first, second}, BOUND_S)
    assert list(world.state.holds.glob("*.json"))
    world.stop(process)
    assert not list(world.state.holds.glob("*.json"))


def test_a_break_that_a_command_begins_is_answered_by_the_controller(world: World) -> None:
    first, second = world.agents()
    process = world.serve()
    told = world.run("break-start", "--run-id", "b").stdout
    # Which outcome depends on whether the controller had noticed the hold before it was woken.
    assert re.search(rf"^\S+ pane={re.escape(first)} policy=holds", told, re.MULTILINE), told
    until(lambda: world.paused() == {first, second}, BOUND_S)
    world.run("break-end", "--run-id", "b")
    world.stop(process)
    cycles = [entry["steps"] for entry in world.journal() if entry["type"] == "cycle"]
    assert cycles
    assert not any("mark" in steps for steps in cycles), "a process of its own leaves a marker first"


def test_ten_thousand_wake_ups_cost_few_cycles_and_none_is_lost(world: World) -> None:
    process = world.serve()
    before = world.cycles()
    wrong: list[object] = []

    def storm(threads_own: int) -> None:
        for number in range(1_250):
            answer = world.wake(trigger=f"t{threads_own}", answer="no" if number % 10 else "yes")
            if answer.code:
                wrong.append(answer)

    threads = [threading.Thread(target=storm, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(BOUND_S * 3)
    assert wrong == []
    until(lambda: not world.markers(), BOUND_S)
    assert world.status()["counts"]["wakes"] >= 10_000
    assert world.cycles() - before < 2_000
    world.stop(process)


def test_one_shot_runners_and_the_controller_work_side_by_side(world: World) -> None:
    first, second = world.agents()
    process = world.serve()
    stop = threading.Event()
    failed: list[str] = []

    def one_shots() -> None:
        while not stop.is_set():
            done = world.run("reconcile", "--host", "herdr", "--address", world.herdr.address, code=None)
            if done.returncode:
                failed.append(done.stderr)

    def wakes() -> None:
        while not stop.is_set():
            if world.wake(trigger="side by side").code:
                failed.append("wake")

    threads = [threading.Thread(target=work) for work in (one_shots, one_shots, wakes)]
    for thread in threads:
        thread.start()
    try:
        for number in range(20):
            focused, other = (second, first) if number % 2 == 0 else (first, second)
            world.herdr.focus(focused)
            until(lambda other=other: other in world.paused(), BOUND_S)
            assert world.word(focused) == "run"
    finally:
        stop.set()
        for thread in threads:
            thread.join(BOUND_S)
    assert failed == []
    world.wake()
    assert not world.markers()
    world.stop(process)


def test_what_was_accepted_by_a_killed_controller_is_covered_by_whoever_comes_next(world: World) -> None:
    process = world.serve()
    for number in range(200):
        world.wake(trigger=f"t{number}", answer="no")
    process.kill()
    process.wait(BOUND_S)
    world.run("reconcile", "--host", "herdr", "--address", world.herdr.address)
    assert not world.markers()


def test_over_tcp_it_works_the_same_for_who_knows_the_token(world: World) -> None:
    first, second = world.agents()
    process = world.serve("--tcp")
    kind, host, _, token = world.state.serve_address.read_text().split()
    assert (kind, host, len(token)) == ("tcp", "127.0.0.1", 32)
    until(lambda: world.paused() == {second}, BOUND_S)
    assert world.word(first) == "run"
    assert world.run("stop").stdout == "stopped\n"
    assert process.wait(BOUND_S) == 0
