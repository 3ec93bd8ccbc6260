"""State folders of sessions that have ended, and of those that come back meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import HostUnavailable, Session
from attention_framework.ended_sessions import remove_ended
from attention_framework.single_flight import mark
from attention_framework.state.documents import save
from attention_framework.state.ended import DAY_MS
from attention_framework.testing import SESSION

if TYPE_CHECKING:
    from attention_framework.state.folder import SessionFolder

    from .conftest import Shell

OLD = Session("fake", "/old.sock")


@pytest.fixture
def old(shell: Shell) -> SessionFolder:
    """A session that has been seen, with an agent, and has ended."""
    folder = shell.app.state.session(OLD)
    files = shell.memory.files
    save(files, folder.description, {"host": OLD.host, "address": OLD.address})
    save(files, folder.focus, {"focused": [], "changed_ms": 1})
    save(files, folder.allowance("w1:p1"), {"pane": "w1:p1"})
    shell.agent("w1:p9", 900, OLD)
    shell.memory.processes.end(900)
    for lock in (folder.lock, folder.line):
        held = files.try_lock(lock)
        assert held is not None
        held.release()
    return folder


def sweep(shell: Shell, *days: float) -> list[str]:
    """Once now, and again after each of these days."""
    removed = remove_ended(shell.app)
    for later in days:
        shell.memory.clock.advance(later * DAY_MS)
        removed += remove_ended(shell.app)
    return [session.address for session in removed]


def exists(shell: Shell, folder: SessionFolder) -> bool:
    return shell.memory.files.exists(folder.root)


def test_after_a_day_everything_of_it_is_gone(shell: Shell, old: SessionFolder) -> None:
    running = shell.app.state.session(SESSION)
    assert sweep(shell) == []
    assert exists(shell, old)
    assert sweep(shell, 1) == [OLD.address]
    assert [path for path in shell.memory.disk.content if path.is_relative_to(old.root)] == []
    assert not exists(shell, old)
    assert exists(shell, running)


def test_a_host_that_gives_no_answer_loses_nothing(shell: Shell, old: SessionFolder) -> None:
    def silent() -> Any:
        raise HostUnavailable("no answer")

    sweep(shell)
    shell.host.sessions = silent  # type: ignore[method-assign]
    assert sweep(shell, 1, 1) == []
    assert exists(shell, old)


def test_a_host_that_is_not_selected_is_not_asked(shell: Shell, old: SessionFolder) -> None:
    shell.hosts.clear()
    assert sweep(shell, 1, 1) == []


def test_a_description_that_is_broken_keeps_its_folder(shell: Shell, old: SessionFolder) -> None:
    shell.memory.disk.put(old.description, b"{")
    assert sweep(shell, 1, 1) == []


def test_an_agent_that_lives_keeps_it(shell: Shell, old: SessionFolder) -> None:
    shell.agent("w1:p8", 901, OLD)
    assert sweep(shell, 1, 1) == []
    shell.memory.processes.end(901)
    assert sweep(shell, 1) == [OLD.address]


def test_one_that_runs_in_between_begins_anew(shell: Shell, old: SessionFolder) -> None:
    sweep(shell)
    sessions = shell.host.sessions
    shell.host.sessions = lambda: [*sessions(), OLD]  # type: ignore[method-assign]
    assert sweep(shell, 0.5) == []
    shell.host.sessions = sessions  # type: ignore[method-assign]
    assert sweep(shell, 0.5, 0.4) == []
    assert sweep(shell, 0.1) == [OLD.address]


def test_one_that_its_host_does_not_list_and_that_answers_is_kept(shell: Shell, old: SessionFolder) -> None:
    shell.host.snapshot = lambda session: object()  # type: ignore[method-assign,assignment,return-value]
    assert sweep(shell, 1, 1) == []


@pytest.mark.parametrize("lock", ["line.lock", "runner.lock"])
def test_a_cycle_that_is_going_on_keeps_it(shell: Shell, old: SessionFolder, lock: str) -> None:
    sweep(shell)
    held = shell.memory.process().files.try_lock(old.root / lock)
    assert held is not None
    assert sweep(shell, 1) == []
    held.release()
    assert sweep(shell) == [OLD.address]


def comes_back_before(shell: Shell, old: SessionFolder, operation: str, path: Path) -> list[Path]:
    """Somebody leaves a wake-up just before this step of the removal."""
    markers: list[Path] = []

    def step(doing: str, where: Path) -> None:
        if (doing, where) == (operation, path) and not markers:
            markers.append(Path())  # Its own operations are none of the removal's.
            markers[0] = mark(old, shell.memory.process().files, "back")

    shell.memory.disk.on_operation = step
    return markers


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        ("try_lock", "line.lock"),
        ("try_lock", "runner.lock"),
        ("remove_folder", "wake"),
        ("exists", "wake"),
        ("remove_tree", "allowed"),
        ("remove", "focus.json"),
        ("remove", "session.json"),
        ("remove", "runner.lock"),
        ("remove_folder", ""),
    ],
)
def test_a_wake_up_at_any_moment_of_the_removal_is_not_lost(
    shell: Shell, old: SessionFolder, operation: str, name: str
) -> None:
    shell.memory.disk.add_folder(old.wake)
    sweep(shell)
    shell.memory.clock.advance(DAY_MS)
    markers = comes_back_before(shell, old, operation, old.root / name)
    remove_ended(shell.app)
    shell.memory.disk.on_operation = None
    if operation == "exists":
        assert markers == [], "an empty folder is removed without a second look"
        return
    assert len(markers) == 1
    assert shell.memory.files.exists(markers[0])


@pytest.mark.parametrize("returns", ["session", "agent"])
def test_what_comes_back_before_the_lock_is_there_is_seen(
    shell: Shell, old: SessionFolder, returns: str
) -> None:
    sweep(shell)
    shell.memory.clock.advance(DAY_MS)
    sessions, back = shell.host.sessions, []

    def step(doing: str, where: Path) -> None:
        if (doing, where) == ("try_lock", old.line) and not back:
            back.append(True)
            if returns == "session":
                shell.host.sessions = lambda: [*sessions(), OLD]  # type: ignore[method-assign]
            else:
                shell.agent("w1:p7", 907, OLD)

    shell.memory.disk.on_operation = step
    assert remove_ended(shell.app) == []
    assert shell.memory.files.exists(old.focus)


@pytest.mark.parametrize("certain", [True, False])
def test_a_host_that_knows_that_it_is_over_needs_no_day(
    shell: Shell, old: SessionFolder, certain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(shell.host), "has_ended", lambda host, session: certain, raising=False)
    mark(old, shell.memory.files, "left behind")
    assert sweep(shell) == ([OLD.address] if certain else [])
    assert exists(shell, old) is not certain


def test_mailboxes_of_processes_that_are_gone_go_too_and_no_others(shell: Shell, old: SessionFolder) -> None:
    shell.memory.disk.put(old.mailbox("w1%3Ap3.555") / "pending.json", b"{}")
    living = old.mailbox("w1%3Ap4.556") / "pending.json"
    shell.memory.disk.put(living, b"{}")
    shell.memory.processes.start(556)
    assert sweep(shell, 1) == []
    assert shell.memory.files.exists(living)
    assert not shell.memory.files.exists(old.mailbox("w1%3Ap3.555"))


def test_setup_and_a_new_session_sweep(shell: Shell, old: SessionFolder) -> None:
    shell.run("setup")
    shell.memory.clock.advance(DAY_MS)
    shell.run("setup")
    assert not exists(shell, old)


def test_the_first_cycle_of_a_new_session_sweeps_and_no_later_one(shell: Shell, old: SessionFolder) -> None:
    shell.run("reconcile", "--host", "fake", "--address", SESSION.address)
    assert shell.memory.files.exists(old.ended)
    shell.memory.clock.advance(DAY_MS)
    shell.run("reconcile", "--host", "fake", "--address", SESSION.address)
    assert exists(shell, old)
    shell.memory.files.remove(shell.app.state.session(SESSION).description)
    shell.run("reconcile", "--host", "fake", "--address", SESSION.address)
    assert not exists(shell, old)
