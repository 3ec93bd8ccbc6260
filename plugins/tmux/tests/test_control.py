"""Against a real tmux."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework import Badge, HostUnavailable, Pane, PaneGone, Session
from attention_framework.testing import until

if TYPE_CHECKING:
    from pathlib import Path

    from attention_tmux.focus import TmuxFocus
    from attention_tmux.testing import TmuxServer

    from attention_framework import PaneControl, ShowsBadges


@pytest.fixture
def pane(server: TmuxServer, focus: TmuxFocus, folder: Path) -> Pane:
    """One that writes what it reads into a file, byte for byte."""
    [session] = focus.sessions()
    command = f"stty raw -echo; printf ready; exec cat > {folder}/typed"
    made = server.run("split-window", "-t", "a", "-P", "-F", "#{pane_id}", command).strip()
    until(lambda: "ready" in server.screen(made), what="the pane reads")
    return Pane(session, made)


@pytest.fixture
def control(focus: TmuxFocus, pane: Pane) -> PaneControl:
    return focus.control(pane.session)


def typed(folder: Path, expected: bytes) -> bytes:
    """What has arrived, once there is as much of it."""
    file = folder / "typed"
    until(lambda: len(file.read_bytes()) >= len(expected), what="the keys have arrived")
    return file.read_bytes()


def test_keys_arrive_as_a_terminal_sends_them(control: PaneControl, pane: Pane, folder: Path) -> None:
    control.send_keys(pane, ["f12", "ctrl+alt+p", ";", "-", "é", "enter"])
    expected = b"\x1b[24~\x1b\x10;-\xc3\xa9\r"
    assert typed(folder, expected) == expected


def test_a_prompt_arrives_as_text_and_is_submitted(control: PaneControl, pane: Pane, folder: Path) -> None:
    text = '-l it\'s $HOME; "#{pid}" \\ Enter 🙂'
    control.send_prompt(pane, text)
    assert typed(folder, expected := text.encode() + b"\r") == expected


def test_an_unknown_key_types_nothing(control: PaneControl, pane: Pane, folder: Path) -> None:
    with pytest.raises(ValueError, match="nosuchkey"):
        control.send_keys(pane, ["a", "nosuchkey"])
    control.send_keys(pane, ["b"])
    assert typed(folder, b"b") == b"b"


def test_the_screen_is_what_stands_there(server: TmuxServer, focus: TmuxFocus) -> None:
    made = server.run(
        "new-window", "-P", "-F", "#{pane_id}", "printf '\\033[31mrot\\033[0m\\n  zwei 🙂'; exec sleep 1000"
    ).strip()
    [session] = focus.sessions()
    until(lambda: "zwei" in server.screen(made), what="printed")
    rows = focus.control(session).read_screen(Pane(session, made)).split("\n")
    assert rows[:2] == ["rot", "  zwei 🙂"]
    assert len(rows) == int(server.run("display-message", "-p", "-t", made, "#{pane_height}"))


def test_a_pane_in_copy_mode_takes_no_keys(
    server: TmuxServer, control: PaneControl, pane: Pane, folder: Path
) -> None:
    server.run("copy-mode", "-t", pane.id)
    for act in (lambda: control.send_prompt(pane, "/pause"), lambda: control.send_keys(pane, ["q"])):
        with pytest.raises(HostUnavailable, match="copy mode"):
            act()
        in_mode = server.run("display-message", "-p", "-t", pane.id, "#{pane_in_mode}").strip()
        assert in_mode == "1", "copy mode takes `q` for the command to leave it"
    server.run("send-keys", "-t", pane.id, "-X", "cancel")
    control.send_keys(pane, ["x"])
    assert typed(folder, b"x") == b"x"


def test_a_pane_that_is_gone_is_told_apart_from_a_server_that_is_gone(
    server: TmuxServer, control: PaneControl, pane: Pane
) -> None:
    server.run("kill-pane", "-t", pane.id)
    for act in (
        lambda: control.read_screen(pane),
        lambda: control.send_keys(pane, ["f12"]),
        lambda: control.send_prompt(pane, "x"),
    ):
        with pytest.raises(PaneGone, match=pane.id):
            act()
    server.stop()
    with pytest.raises(HostUnavailable) as caught:
        control.send_keys(pane, ["f12"])
    assert not isinstance(caught.value, PaneGone)


def test_a_program_that_has_ended_is_a_pane_that_is_gone(server: TmuxServer, focus: TmuxFocus) -> None:
    server.run("set-option", "-g", "remain-on-exit", "on")
    made = server.run("split-window", "-t", "a", "-P", "-F", "#{pane_id}", "true").strip()
    until(
        lambda: server.run("display-message", "-p", "-t", made, "#{pane_dead}").strip() == "1",
        what="the program has ended",
    )
    [session] = focus.sessions()
    with pytest.raises(PaneGone, match="has ended"):
        focus.control(session).send_keys(Pane(session, made), ["f12"])


def test_a_pane_of_a_later_server_with_the_same_id_is_left_alone(
    server: TmuxServer, focus: TmuxFocus
) -> None:
    [session] = focus.sessions()
    server.stop()
    server.new_session("a", "printf ready; exec cat")
    until(lambda: "ready" in server.screen("%0"), what="the pane reads")
    control, pane = focus.control(session), Pane(session, "%0")
    for act in (lambda: control.read_screen(pane), lambda: control.send_keys(pane, ["x"])):
        with pytest.raises(HostUnavailable, match="is gone"):
            act()
    server.run("send-keys", "-t", "%0", "y", "Enter")
    until(lambda: "y" in server.screen("%0"), what="typed by the test")
    assert "x" not in server.screen("%0")


def test_a_badge_is_an_option_of_the_pane_that_formats_may_show(server: TmuxServer, focus: TmuxFocus) -> None:
    [session] = focus.sessions()
    control: ShowsBadges = focus.control(session)  # type: ignore[assignment]
    control.show_badge(Pane(session, "%0"), Badge("⏸ it's; paused"))
    shown = ("display-message", "-p", "-t", "%0", "[#{@attention}]")
    assert server.run(*shown).strip() == "[⏸ it's; paused]"
    control.show_badge(Pane(session, "%0"), None)
    assert server.run(*shown).strip() == "[]"
    with pytest.raises(PaneGone):
        control.show_badge(Pane(session, "%99"), Badge("x"))


def test_an_address_of_another_host_is_refused(focus: TmuxFocus) -> None:
    with pytest.raises(HostUnavailable, match="no address"):
        focus.control(Session("tmux", "/run/herdr.sock"))
