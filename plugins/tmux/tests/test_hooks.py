"""Every way in which the focus can move starts the command, on a real tmux with a real client."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attention_tmux import hooks
from attention_tmux.testing import Person

from attention_framework import ThinClient
from attention_framework.testing import FakeContext, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attention_tmux.testing import TmuxServer

PREFIX = b"\x02"


class Recorder:
    """A stand-in for `attention` with an awkward name: it writes down how it was called."""

    def __init__(self, folder: Path) -> None:
        self.calls_file = folder / "calls"
        program = folder / 'an "odd" $name #{pid} it\'s %Y'
        program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> {self.calls_file}\necho noise\nexit 1\n')
        program.chmod(0o755)
        state = folder / "st[a]te"
        self.command = (str(program), "--state", str(state))
        self.client = ThinClient(FakeContext(state=state, command=self.command))

    @property
    def hooks(self) -> bytes:
        return hooks.render(self.command, self.client)

    def calls(self) -> list[str]:
        return self.calls_file.read_text().splitlines() if self.calls_file.exists() else []


@pytest.fixture
def recorder(server: TmuxServer, folder: Path) -> Recorder:
    recorder = Recorder(folder)
    file = folder / "ho[o]ks.conf"
    file.write_bytes(recorder.hooks)
    server.run(*hooks.load(file))
    until(recorder.calls, what="the controller is started, which is no cycle")
    return recorder


@pytest.fixture
def person(server: TmuxServer, recorder: Recorder) -> Iterator[Person]:
    """In session `a`, which has the windows 0 (three panes) and 1; session `b` has one."""
    server.run("set-option", "-g", "mouse", "on")
    server.run("set-option", "-g", "detach-on-destroy", "off")
    server.run("bind-key", "X", "kill-pane")  # The usual binding asks first.
    server.run("bind-key", "K", "kill-window")
    server.new_session("b", "exec sleep 1000")
    server.run("new-window", "-d", "-t", "a:", "exec sleep 1000")
    server.run("split-window", "-h", "-t", "a:0", "exec sleep 1000")
    server.run("split-window", "-v", "-t", "a:0", "exec sleep 1000")
    with Person(server, "a") as person:
        until(recorder.calls, what="attaching is a change")
        yield person


def focused(server: TmuxServer) -> str:
    return server.run("list-clients", "-F", "#{pane_id}").strip()


def settle(server: TmuxServer, recorder: Recorder) -> int:
    """Hooks are carried out in order, so a mark of our own comes after all that were on their way."""
    seen = len([call for call in recorder.calls() if call.endswith("mark")])
    program = str(recorder.calls_file)
    server.run("run-shell", f"echo mark >> {program}")
    until(lambda: len([call for call in recorder.calls() if call.endswith("mark")]) > seen, what="the mark")
    return len(recorder.calls())


BY_KEYS = {
    "next pane": PREFIX + b"o",
    "last pane": PREFIX + b";",
    "pane above": PREFIX + b"\x1b[A",
    "rotate": PREFIX + b"\x0f",
    "split": PREFIX + b"%",
    "new window": PREFIX + b"c",
    "next window": PREFIX + b"n",
    "window by number": PREFIX + b"1",
    "other session": PREFIX + b")",
    "mouse on a pane": b"\x1b[<0;5;5M\x1b[<0;5;5m",
    "kill pane": PREFIX + b"X",
    "kill window": PREFIX + b"K",
}
BY_COMMANDS = {
    "select-pane": ("select-pane", "-t", "a:0.0"),
    "last-pane": ("last-pane", "-t", "a:0"),
    "swap-pane": ("swap-pane", "-d", "-s", "a:0.0", "-t", "a:0.2"),
    "split-window": ("split-window", "-t", "a:0", "exec sleep 1000"),
    "new-window": ("new-window", "-t", "a:", "exec sleep 1000"),
    "select-window": ("select-window", "-t", "a:1"),
    "kill-pane": ("kill-pane", "-t", "a:0.2"),
    "kill-window": ("kill-window", "-t", "a:0"),
    "kill-session": ("kill-session", "-t", "a"),
    "join-pane": ("join-pane", "-s", "a:1", "-t", "a:0"),
    "switch-client": ("switch-client", "-t", "b"),
    "swap-pane between windows": ("swap-pane", "-s", "a:1.0", "-t", "a:0.2"),
    "move-window": ("move-window", "-k", "-s", "a:1", "-t", "a:0"),
    "new-window in its place": ("new-window", "-k", "-t", "a:0", "exec sleep 1000"),
}


@pytest.mark.parametrize("name", BY_KEYS)
def test_a_move_by_the_person_starts_a_cycle(
    server: TmuxServer, recorder: Recorder, person: Person, name: str
) -> None:
    before, seen = focused(server), settle(server, recorder)
    person.press(BY_KEYS[name])
    until(lambda: focused(server) != before, what=f"the focus has moved: {name}")
    until(lambda: any("reconcile" in call for call in recorder.calls()[seen:]), what="a cycle was started")


@pytest.mark.usefixtures("person")
@pytest.mark.parametrize("name", BY_COMMANDS)
def test_a_move_by_a_command_starts_a_cycle(server: TmuxServer, recorder: Recorder, name: str) -> None:
    before, seen = focused(server), settle(server, recorder)
    server.run(*BY_COMMANDS[name])
    until(lambda: focused(server) != before, what=f"the focus has moved: {name}")
    until(lambda: any("reconcile" in call for call in recorder.calls()[seen:]), what="a cycle was started")


@pytest.mark.usefixtures("person")
def test_a_program_that_ends_moves_the_focus_and_starts_a_cycle(
    server: TmuxServer, recorder: Recorder
) -> None:
    gone = server.run("split-window", "-t", "a:0", "-P", "-F", "#{pane_id}", "read line").strip()
    until(lambda: focused(server) == gone, what="the new pane is focused")
    seen = settle(server, recorder)
    server.run("send-keys", "-t", gone, "Enter")
    until(lambda: any("reconcile" in call for call in recorder.calls()[seen:]), what="a cycle was started")


def test_leaving_starts_a_cycle(server: TmuxServer, recorder: Recorder, person: Person) -> None:
    seen = settle(server, recorder)
    person.press(PREFIX + b"d")
    until(
        lambda: any("client-detached" in call for call in recorder.calls()[seen:]), what="a cycle was started"
    )


def test_the_command_gets_its_words_and_the_servers_address(
    server: TmuxServer, recorder: Recorder, person: Person
) -> None:
    seen = settle(server, recorder)
    person.press(PREFIX + b"o")
    call = until(lambda: recorder.calls()[seen:], what="a cycle was started")[0]
    program, *state = recorder.command
    trigger = "tmux:window-pane-changed"
    client = f"-I -S {recorder.client.path} host=tmux trigger={trigger} address={server.address}"
    words = f"--host tmux --trigger {trigger} --revive --address {server.address}"
    assert call == f"{client} -- {program} {' '.join(state)} reconcile {words}"


def test_a_server_that_reads_the_file_starts_the_controller(server: TmuxServer, recorder: Recorder) -> None:
    wanted = f"--state {recorder.command[2]} serve --detach"
    until(lambda: wanted in recorder.calls(), what="the controller is started")


def test_one_switch_starts_one_process(server: TmuxServer, recorder: Recorder, person: Person) -> None:
    seen = settle(server, recorder)
    person.press(PREFIX + b"o")
    until(lambda: recorder.calls()[seen:], what="a cycle was started")
    settle(server, recorder)
    assert len([call for call in recorder.calls()[seen:] if "reconcile" in call]) == 1


def test_what_the_command_prints_covers_no_pane(
    server: TmuxServer, recorder: Recorder, person: Person
) -> None:
    seen = settle(server, recorder)
    person.press(PREFIX + b"o")
    until(lambda: recorder.calls()[seen:], what="a cycle was started")
    settle(server, recorder)
    assert set(server.run("list-panes", "-a", "-F", "#{pane_in_mode}").split()) == {"0"}


def test_hooks_of_the_person_stay(
    server: TmuxServer, recorder: Recorder, person: Person, folder: Path
) -> None:
    server.run("set-hook", "-ga", "window-pane-changed", f"run-shell -b 'touch {folder}/own'")
    person.press(PREFIX + b"o")
    until(lambda: (folder / "own").exists(), what="the person's own hook")
    server.run(*hooks.unload())
    assert not hooks.is_any_loaded(server.run(*hooks.LOADED))
    assert "own" in server.run("show-hooks", "-gw", "window-pane-changed")
    seen = settle(server, recorder)
    (folder / "own").unlink()
    person.press(PREFIX + b"o")
    until(lambda: (folder / "own").exists(), what="the person's own hook")
    assert settle(server, recorder) == seen + 1, "only the mark"


def test_hooks_count_as_loaded_only_if_they_are_all_there_and_the_same(
    server: TmuxServer, recorder: Recorder
) -> None:
    rendered, other = recorder.hooks, hooks.render(("other",), recorder.client)
    assert hooks.is_loaded(server.run(*hooks.LOADED), rendered)
    assert not hooks.is_loaded(server.run(*hooks.LOADED), other)
    server.run("set-hook", "-g", "window-pane-changed", "display-message hello")
    assert not hooks.is_loaded(server.run(*hooks.LOADED), rendered), (
        "the person's line came later and took ours away"
    )
    assert hooks.is_any_loaded(server.run(*hooks.LOADED))
