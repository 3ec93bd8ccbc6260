"""Against a real tmux."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from attention_tmux.focus import TmuxFocus, TmuxSettings
from attention_tmux.processes import SETTLED_MS
from attention_tmux.servers import ASK_AGAIN_MS
from attention_tmux.testing import Person, TmuxServer
from attention_tmux.watching import INDEX, WAIT

from attention_framework import AgentKind, HostUnavailable, Session
from attention_framework.effects import real_effects
from attention_framework.testing import FakeContext, MemoryClock, until

if TYPE_CHECKING:
    from attention_framework import Snapshot


def only(focus: TmuxFocus) -> Session:
    [session] = focus.sessions()
    return session


def contents(file: Path) -> str:
    return file.read_text().strip() if file.exists() else ""


def look(focus: TmuxFocus) -> Snapshot:
    return focus.snapshot(only(focus))


def test_a_server_is_one_session_with_the_address_that_its_panes_inherit(
    server: TmuxServer, focus: TmuxFocus, folder: Path
) -> None:
    pane = server.run(
        "new-window", "-P", "-F", "#{pane_id}", f"echo $TMUX > {folder}/inherited; exec sleep 1000"
    ).strip()
    until(lambda: contents(folder / "inherited"), what="the pane has started")
    inherited = contents(folder / "inherited")
    session = only(focus)
    assert session.host == "tmux"
    assert session.address == inherited.rsplit(",", 1)[0]
    assert pane in {found.id for found in focus.snapshot(session).panes}


def test_a_server_that_the_settings_name_is_found_too(
    server: TmuxServer, context: FakeContext, folder: Path
) -> None:
    with TmuxServer(folder / "other", context.effects.environment) as other:
        other.new_session("x", "sleep 1000")
        focus = TmuxFocus(
            TmuxSettings(sockets=[str(folder / "other"), str(server.socket), str(folder / "missing")]),
            context,
        )
        assert {session.name for session in focus.sessions()} == {"other", "default"}


def test_sockets_without_a_server_are_passed_over(server: TmuxServer, focus: TmuxFocus) -> None:
    stale = server.socket.with_name("stale")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(stale))
    server.socket.with_name("a-file").touch()
    assert [session.name for session in focus.sessions()] == ["default"]


def test_a_server_is_asked_once_who_it_is_as_long_as_it_is_the_same(
    server: TmuxServer, context: FakeContext, folder: Path
) -> None:
    """Whoever looks for new servers every few seconds must not start a process each time."""
    program = folder / "counting-tmux"
    program.write_text(f'#!/bin/sh\necho "$@" >> {folder}/calls\nexec tmux "$@"\n')
    program.chmod(0o755)
    focus = TmuxFocus(TmuxSettings(program=str(program)), context)
    first = only(focus)
    assert [only(focus).address for _ in range(3)] == [first.address] * 3
    assert len(contents(folder / "calls").splitlines()) == 1
    os.kill(int(first.address.rsplit(",", 1)[1]), signal.SIGKILL)
    until(lambda: focus.sessions() == [], what="the killed one is gone, though its socket is there")
    assert server.socket.exists()
    server.new_session("a", "sleep 1000")
    assert only(focus).address != first.address


def test_no_tmux_is_no_session(context: FakeContext) -> None:
    assert TmuxFocus(None, context).sessions() == []
    assert TmuxFocus(TmuxSettings(program="no-such-tmux", sockets=["/x"]), context).sessions() == []


def test_without_a_person_the_focus_is_unknown(server: TmuxServer, focus: TmuxFocus) -> None:
    assert look(focus).focused is None
    assert focus.focus_now(only(focus)) is None


def test_what_the_person_looks_at_is_the_focus(server: TmuxServer, focus: TmuxFocus) -> None:
    right = server.run("split-window", "-h", "-t", "a", "-P", "-F", "#{pane_id}", "sleep 1000").strip()
    with Person(server, "a") as person:
        assert look(focus).focused == frozenset({right})
        person.press(b"\x02", b"o")
        until(lambda: look(focus).focused == frozenset({"%0"}), what="the left pane is focused")
        assert [pane.id for pane in look(focus).panes if pane.focused] == ["%0"]
        assert focus.focus_now(only(focus)) == frozenset({"%0"})
    until(lambda: look(focus).focused is None, what="nobody looks any more")


def test_two_people_in_two_sessions_focus_two_panes(server: TmuxServer, focus: TmuxFocus) -> None:
    other = server.new_session("b", "sleep 1000")
    with Person(server, "a"), Person(server, "b"):
        assert look(focus).focused == frozenset({"%0", other})


def test_a_pane_carries_what_tmux_knows_of_it(server: TmuxServer, focus: TmuxFocus, folder: Path) -> None:
    place = folder / "a place\nwith \x1f anything"
    place.mkdir()
    title = "printf '\\033]2;π | P 1 %%9\\033\\\\'; exec sleep 1000"
    pane = server.run(
        "new-window", "-n", "wi ndow", "-c", str(place), "-P", "-F", "#{pane_id}", title
    ).strip()
    [found] = until(
        lambda: [seen for seen in look(focus).panes if seen.id == pane and "π" in seen.title],
        what="the title is set",
    )
    assert found.tty == server.run("display-message", "-p", "-t", pane, "#{pane_tty}").strip()
    assert (found.label, found.title, found.cwd) == (
        "wi ndow",
        "π | P 1 %9",
        f"{folder}/a place with   anything",
    )
    assert found.status is None
    assert found.agent is None


def test_an_agent_is_found_by_its_foreground_process(
    server: TmuxServer, focus: TmuxFocus, folder: Path
) -> None:
    script = folder / "omp"
    script.write_text("#!/bin/sh\nsleep 1000 & wait\n")
    script.chmod(0o755)
    server.run("set-option", "-g", "default-shell", "/bin/sh")
    pane = server.run("new-window", "-P", "-F", "#{pane_id}").strip()

    def agent() -> str | None:
        return next(seen.agent for seen in look(focus).panes if seen.id == pane)

    assert agent() is None
    server.run("send-keys", "-t", pane, str(script), "Enter")
    until(lambda: agent() == "omp", what="the agent is found")
    server.run("send-keys", "-t", pane, "C-z")
    until(lambda: agent() is None, what="a suspended agent is not in the foreground")
    server.run("send-keys", "-t", pane, "fg", "Enter")
    until(lambda: agent() == "omp", what="the agent is back")


class CountedFiles:
    """Real files, and which of them were read."""

    def __init__(self) -> None:
        self._files, self.paths = real_effects().files, set[str]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def read(self, path: Path) -> bytes:
        self.paths.add(str(path))
        return self._files.read(path)

    def taken(self) -> set[str]:
        paths, self.paths = self.paths, set()
        return paths


def alone_in_its_pane(server: TmuxServer) -> str:
    """Pid of a program that no shell stands beside."""
    server.run("respawn-pane", "-k", "-t", "%0", "exec sleep 1000")
    pid = server.run("display-message", "-p", "-t", "%0", "#{pane_pid}").strip()
    command = Path(f"/proc/{pid}/cmdline")
    until(lambda: command.read_bytes().startswith(b"sleep"), what="the shell has become the program")
    return pid


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_of_processes_that_have_settled_only_those_of_the_panes_are_looked_at_again(
    server: TmuxServer, context: FakeContext
) -> None:
    files, clock = CountedFiles(), MemoryClock()
    focus = TmuxFocus(None, replace(context, effects=replace(context.effects, files=files, clock=clock)))
    session = only(focus)
    pid = alone_in_its_pane(server)
    pane = {f"/proc/{pid}/stat", f"/proc/{pid}/cmdline"}
    files.taken()
    focus.snapshot(session)
    first = files.taken()
    assert len(first) > len(pane)
    focus.snapshot(session)
    assert len(first & files.taken()) > len(pane), "they may be young still"
    clock.advance(SETTLED_MS)
    focus.snapshot(session)
    settled = files.taken()
    assert focus.snapshot(session).panes[0].agent is None
    assert files.taken() & first & settled == pane


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_where_the_program_in_front_is_an_agent_no_other_process_is_looked_at(
    server: TmuxServer, context: FakeContext
) -> None:
    files = CountedFiles()
    sleeper = [AgentKind("sleeper", "Sleeper", programs=("sleep",))]
    focus = TmuxFocus(None, replace(context, effects=replace(context.effects, files=files), agents=sleeper))
    session = only(focus)
    pid = alone_in_its_pane(server)
    files.taken()
    assert focus.snapshot(session).panes[0].agent == "sleeper"
    assert files.taken() == {f"/proc/{pid}/stat", f"/proc/{pid}/cmdline"}


def test_a_new_server_on_the_same_socket_is_another_session(server: TmuxServer, focus: TmuxFocus) -> None:
    old = only(focus)
    server.stop()
    server.new_session("a", "sleep 1000")
    assert only(focus).address != old.address
    with pytest.raises(HostUnavailable, match="is gone"):
        focus.snapshot(old)


def test_a_server_that_is_gone_is_reported_with_its_socket(server: TmuxServer, focus: TmuxFocus) -> None:
    session = only(focus)
    server.stop()
    with pytest.raises(
        HostUnavailable, match=r"`tmux list-panes` on .*default: (no server|error connecting)"
    ):
        focus.snapshot(session)
    with pytest.raises(HostUnavailable, match=r"no server|error connecting"):
        focus.focus_now(session)


def test_a_server_that_does_not_answer_is_given_up(server: TmuxServer, context: FakeContext) -> None:
    focus = TmuxFocus(TmuxSettings(timeout_s=0.3), context)
    session = only(focus)
    pid = int(session.address.rsplit(",", 1)[1])
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(HostUnavailable, match="did not end within"):
            focus.snapshot(session)
        assert focus.sessions() == [session], "it has said who it is, and its process is there"
        with pytest.raises(HostUnavailable, match="did not end within"):
            TmuxFocus(TmuxSettings(timeout_s=0.3), context).sessions()
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_server_that_does_not_answer_stays_a_session_also_when_it_is_asked_anew_who_it_is(
    server: TmuxServer, context: FakeContext
) -> None:
    clock = MemoryClock()
    context.effects = replace(context.effects, clock=clock)
    focus = TmuxFocus(TmuxSettings(timeout_s=0.3), context)
    session = only(focus)
    pid = int(session.address.rsplit(",", 1)[1])
    clock.advance(2 * ASK_AGAIN_MS)
    os.kill(pid, signal.SIGSTOP)
    try:
        assert focus.sessions() == [session]
    finally:
        os.kill(pid, signal.SIGCONT)


def test_beside_a_server_that_does_not_answer_the_others_are_found_and_it_is_logged(
    server: TmuxServer, context: FakeContext
) -> None:
    """Stopped, and its socket is the first one."""
    silent = server.socket.with_name("a-silent-one")
    with TmuxServer(silent, context.effects.environment) as other:
        other.new_session("x", "sleep 1000")
        pid = int(other.address.rsplit(",", 1)[1])
        os.kill(pid, signal.SIGSTOP)
        try:
            found = TmuxFocus(TmuxSettings(timeout_s=0.3), context).sessions()
        finally:
            os.kill(pid, signal.SIGCONT)
    assert [session.name for session in found] == ["default"]
    assert [line for level, line in context.logged if level == "warning" and "a-silent-one" in line]


@pytest.mark.parametrize("address", ["", "/tmp/x", "/tmp/x,", "/tmp/x,pid"])
def test_an_address_that_is_none_is_refused(focus: TmuxFocus, address: str) -> None:
    with pytest.raises(HostUnavailable, match="no address"):
        focus.snapshot(Session("tmux", address))


class Watcher:
    def __init__(self, focus: TmuxFocus) -> None:
        self.heard: list[str] = []
        self.stop = threading.Event()
        self.thread = threading.Thread(target=focus.watch, args=(only(focus), self.heard.append, self.stop))
        self.thread.start()
        until(lambda: self.heard, what="the hooks are set")

    def end(self) -> None:
        self.stop.set()
        self.thread.join(10)
        assert not self.thread.is_alive()


def hooked(server: TmuxServer) -> int:
    shown = server.run("show-hooks", "-g") + server.run("show-hooks", "-gw")
    return sum(f"[{INDEX}] " in line for line in shown.splitlines())


def left_in(server: TmuxServer) -> str:
    asked = (
        ("show-hooks", "-g"),
        ("show-hooks", "-gw"),
        ("show-environment", "-g"),
        ("show-environment", "-gh"),
    )
    return "".join(server.run(*words) for words in asked)


def waiting(server: TmuxServer) -> list[int]:
    """Clients that wait for a change."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if {str(server.socket), WAIT[3]} <= set(process.info["cmdline"] or ())
    ]


def test_a_watcher_is_woken_by_a_change_of_the_focus_and_leaves_nothing(
    server: TmuxServer, focus: TmuxFocus
) -> None:
    server.run("split-window", "-t", "a", "sleep 1000")
    before = left_in(server)
    watcher = Watcher(focus)
    try:
        watcher.heard.clear()
        server.run("select-pane", "-t", "%0")
        until(lambda: "tmux:window-pane-changed" in watcher.heard, what="woken")
        assert look(focus).focused is None, "a watcher is nobody who looks"
        assert server.run("list-clients") == ""
    finally:
        watcher.end()
    assert left_in(server) == before
    assert waiting(server) == []


def test_a_watcher_of_a_server_at_rest_waits(server: TmuxServer, focus: TmuxFocus) -> None:
    """The same client, for as long as nothing happens."""

    def stays() -> bool:
        before, heard = waiting(server), len(watcher.heard)
        for _ in range(20):
            server.run("display-message", "-p", "x")
        return len(before) == 1 and waiting(server) == before and len(watcher.heard) == heard

    watcher = Watcher(focus)
    try:
        until(stays, what="it waits")
        server.run("new-window", "-d", "-t", "a:", "sleep 1000")
        until(lambda: "tmux:window-linked" in watcher.heard, what="woken")
        until(stays, what="it waits again")
    finally:
        watcher.end()


@pytest.mark.parametrize("changes", [1, 2, 3])
def test_changes_while_nobody_waits_are_heard_of_by_who_waits_next(
    server: TmuxServer, focus: TmuxFocus, changes: int
) -> None:
    """Of two signals that nobody waits for, tmux forgets both."""
    heard: list[str] = []
    stop = threading.Event()

    def wake(reason: str) -> None:
        heard.append(reason)
        if len(heard) == 1:
            for number in range(changes):
                server.run("new-window", "-d", "-t", "a:", "-n", f"w{number}", "sleep 1000")
        else:
            stop.set()

    thread = threading.Thread(target=focus.watch, args=(only(focus), wake, stop))
    thread.start()
    thread.join(10)
    stop.set()
    thread.join(10)
    assert heard[:2] == ["tmux:watched", "tmux:window-linked"]


def test_a_watcher_that_ends_leaves_the_other_its_hooks(server: TmuxServer, focus: TmuxFocus) -> None:
    """As after new settings, where the new one has begun before the old one has ended."""
    server.run("split-window", "-t", "a", "sleep 1000")
    old, new = Watcher(focus), Watcher(focus)
    try:
        old.end()
        until(lambda: hooked(server), what="the other has heard of it, and hooks anew")
        new.heard.clear()
        server.run("select-pane", "-t", "%0")
        until(lambda: "tmux:window-pane-changed" in new.heard, what="woken")
    finally:
        new.end()
    assert hooked(server) == 0


def test_a_watcher_survives_the_end_of_a_tmux_session(server: TmuxServer, focus: TmuxFocus) -> None:
    server.new_session("b", "sleep 1000")
    server.run("split-window", "-t", "b", "sleep 1000")
    watcher = Watcher(focus)
    try:
        server.run("kill-session", "-t", "a")
        until(lambda: "tmux:window-unlinked" in watcher.heard, what="it hears of it")
        server.run("select-pane", "-t", "b:.0")
        until(lambda: "tmux:window-pane-changed" in watcher.heard, what="woken")
    finally:
        watcher.end()


def test_a_watcher_ends_with_the_server(server: TmuxServer, focus: TmuxFocus) -> None:
    watcher = Watcher(focus)
    server.stop()
    watcher.thread.join(10)
    assert not watcher.thread.is_alive()


def test_a_watcher_of_a_server_that_does_not_answer_ends_when_told_to(
    server: TmuxServer, focus: TmuxFocus
) -> None:
    watcher = Watcher(focus)
    pid = int(only(focus).address.rsplit(",", 1)[1])
    until(lambda: waiting(server), what="it waits")
    os.kill(pid, signal.SIGSTOP)
    try:
        watcher.end()
        assert waiting(server) == []
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("name", ["a\u2028b", "a\rb", "a\x1cb", "a\nb", "a\x1fb"])
def test_a_folder_of_any_name_hides_no_pane(
    server: TmuxServer, focus: TmuxFocus, folder: Path, name: str
) -> None:
    (folder / name).mkdir()
    pane = server.run("split-window", "-P", "-F", "#{pane_id}", "-c", str(folder / name), "sleep 1000")
    assert len(look(focus).panes) == 2
    assert pane.strip() in {found.id for found in look(focus).panes}


WATCHES = """
import sys, threading
from attention_tmux.watching import follow
follow(sys.argv[1:], lambda reason: print(reason, flush=True), threading.Event())
"""
STORM = [
    "select-pane",
    "-t",
    "%0",
    *(word for n in range(200) for word in (";", "select-pane", "-t", f"%{n % 2}")),
]


def test_whoever_begins_to_watch_while_the_focus_moves_does_the_server_no_harm(
    server: TmuxServer, focus: TmuxFocus
) -> None:
    """With a client in control mode tmux died, after some sixty beginnings."""
    server.run("split-window", "-t", "a", "sleep 1000")
    address = server.address
    over = threading.Event()

    def move() -> None:
        while not over.is_set():
            server.run(*STORM)

    mover = threading.Thread(target=move)
    mover.start()
    try:
        for _ in range(20):
            Watcher(focus).end()
    finally:
        over.set()
        mover.join()
    assert server.address == address


def test_no_client_in_control_mode_is_started(server: TmuxServer, context: FakeContext, folder: Path) -> None:
    """tmux dies when the focus moves while one says who it is."""
    program = folder / "noting-tmux"
    program.write_text(f'#!/bin/sh\necho "$@" >> {folder}/calls\nexec tmux "$@"\n')
    program.chmod(0o755)
    focus = TmuxFocus(TmuxSettings(program=str(program)), context)
    watcher = Watcher(focus)
    look(focus)
    watcher.end()
    calls = [line.split() for line in contents(folder / "calls").splitlines()]
    assert len(calls) > 3
    assert not [call for call in calls if "-C" in call or "-CC" in call or "attach-session" in call]


@pytest.mark.parametrize("attempt", range(3))
def test_a_watcher_that_is_killed_in_a_storm_leaves_no_client(
    server: TmuxServer, focus: TmuxFocus, attempt: int
) -> None:
    server.run("split-window", "-t", "a", "sleep 1000")
    watcher = subprocess.Popen(
        [sys.executable, "-c", WATCHES, *focus.client.command(str(server.socket))], stdout=subprocess.PIPE
    )
    with watcher:
        storms = [subprocess.Popen(["tmux", "-S", str(server.socket), *STORM]) for _ in range(4)]
        until(lambda: watcher.stdout and watcher.stdout.readline(), what="it hears of the storm")
        watcher.kill()
    for storm in storms:
        storm.wait(10)
    server.run("select-pane", "-t", "%0", ";", "select-pane", "-t", "%1")
    until(lambda: not waiting(server), what="its client has left with the next change")
