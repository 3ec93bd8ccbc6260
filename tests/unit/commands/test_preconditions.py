"""What doctor says of this installation and its state folder."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import Break, Completed, Hold, HostUnavailable, OwnedFiles, Scope, __version__
from attention_framework.commands import preconditions
from attention_framework.model import CheckLevel
from attention_framework.state.documents import save
from attention_framework.state.folder import can_be_read_by_others
from attention_framework.testing import SESSION

from .conftest import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .conftest import Shell

STATE = Path("/state")


class TestTheCommandThatSetupWrote:
    def record(self, shell: Shell, *command: str) -> tuple[str, ...]:
        words = command or tuple(shell.context.command)
        save(shell.memory.files, STATE / "setup.json", {"command": list(words), "version": __version__})
        return words

    def answers(self, shell: Shell, program: str, answer: Completed | OSError) -> None:
        def run(command: Sequence[str]) -> Completed:
            if isinstance(answer, OSError):
                raise answer
            return answer

        shell.memory.processes.programs[program] = run

    def test_one_that_starts_is_in_order(self, shell: Shell) -> None:
        words = self.record(shell)
        self.answers(shell, words[0], Completed(0, f"attention {__version__}", ""))
        [result] = preconditions.set_up(shell.app)
        assert (result.level, result.name) == (CheckLevel.OK, "setup")
        assert shell.memory.processes.ran[-1] == (*words, "--version")

    def test_before_setup_it_says_so(self, shell: Shell) -> None:
        [result] = preconditions.set_up(shell.app)
        assert (result.level, result.mend) == (CheckLevel.WARNING, "attention setup")

    def test_an_interpreter_that_has_moved_is_mended_by_the_one_that_is_there(self, shell: Shell) -> None:
        self.record(shell, "/old/bin/python", "-I", "-m", "attention_framework")
        [result] = preconditions.set_up(shell.app)
        assert result.level is CheckLevel.FAILED
        assert result.message == "what setup wrote starts nothing: there is no /old/bin/python"
        assert result.mend == f"{shell.context.command[0]} -m attention_framework setup"

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (Completed(1, "", "Traceback:\nNo module named attention_framework"), "says: No module named"),
            (Completed(3, "", ""), "says: exit code 3"),
            (PermissionError(errno.EACCES, "Permission denied"), "Permission denied"),
            (TimeoutError("`python` did not end within 30 s"), "did not end"),
        ],
    )
    def test_one_that_does_not_work_any_more_fails_with_its_own_words(
        self, shell: Shell, answer: Completed | OSError, words: str
    ) -> None:
        program = self.record(shell)[0]
        self.answers(shell, program, answer)
        [result] = preconditions.set_up(shell.app)
        assert (result.level, result.mend) == (CheckLevel.FAILED, "attention setup")
        assert words in result.message

    def test_another_installation_than_this_one_is_named(self, shell: Shell) -> None:
        self.record(shell, "/other/python", "-m", "attention_framework")
        self.answers(shell, "/other/python", Completed(0, "attention 0.0.1", ""))
        [result] = preconditions.set_up(shell.app)
        assert result.level is CheckLevel.WARNING
        assert "starts /other/python -m attention_framework, and this is " in result.message

    def test_a_broken_record_is_as_none(self, shell: Shell) -> None:
        save(shell.memory.files, STATE / "setup.json", {"command": "python", "version": "1"})
        [result] = preconditions.set_up(shell.app)
        assert result.level is CheckLevel.WARNING


class TestFilesThatSetupWrote:
    def written(self, shell: Shell, path: Path) -> OwnedFiles:
        owned = OwnedFiles(STATE, shell.memory.files)
        for step in owned.plan_write(path, b"ours"):
            step.carry_out()
        return owned

    def test_as_they_were_there_is_nothing_to_say(self, shell: Shell) -> None:
        self.written(shell, Path("/home/me/hook"))
        assert list(preconditions.files(shell.app)) == []

    def test_one_that_is_gone_and_one_that_was_edited(self, shell: Shell) -> None:
        self.written(shell, Path("/home/me/gone"))
        self.written(shell, Path("/home/me/hook"))
        shell.memory.files.remove(Path("/home/me/gone"))
        shell.memory.disk.put(Path("/home/me/hook"), b"mine")
        gone, edited = preconditions.files(shell.app)
        assert (gone.level, gone.mend) == (CheckLevel.FAILED, "attention setup")
        assert (edited.level, edited.mend) == (CheckLevel.WARNING, "move it away, then: attention setup")

    def test_settings_are_there_to_be_edited(self, shell: Shell) -> None:
        shell.memory.files.remove(SETTINGS)
        self.written(shell, SETTINGS)
        shell.memory.disk.put(SETTINGS, b"# mine")
        assert list(preconditions.files(shell.app)) == []


class TestLocks:
    def test_a_cycle_that_ends_is_none_of_them(self, shell: Shell) -> None:
        shell.run("reconcile")
        held = shell.memory.process().files.try_lock(shell.app.state.session(SESSION).lock)
        assert held is not None
        shell.memory.clock.on_sleep.append(lambda duration: held.release())
        assert list(preconditions.locks(shell.app)) == []

    def test_one_that_hangs_is_told_with_its_lock(self, shell: Shell) -> None:
        shell.run("reconcile")
        folder = shell.app.state.session(SESSION)
        held = shell.memory.process().files.try_lock(folder.lock)
        [result] = preconditions.locks(shell.app)
        assert result.level is CheckLevel.FAILED
        assert str(folder.lock) in result.mend
        assert held is not None
        held.release()


class TestTheClock:
    def test_times_of_the_past_are_in_order(self, shell: Shell) -> None:
        shell.settle()
        assert preconditions.clock(shell.app) == []

    def test_what_was_written_before_the_clock_was_set_back_is_named(self, shell: Shell) -> None:
        shell.settle()
        shell.app.holds.take(
            Hold("b-1", "break", "test", Scope(), started_ms=shell.memory.clock.wall_ms(), deadline_ms=None)
        )
        shell.memory.clock.set_wall(shell.memory.clock.wall_ms() - 3_600_000)
        [result] = preconditions.clock(shell.app)
        assert result.level is CheckLevel.WARNING
        for what in (
            "the status file of the omp in pane w1:p2",
            "the last change of the focus",
            "the hold b-1",
        ):
            assert what in result.message
        assert "is 3600 s ahead" in result.message


def test_ended_sessions_are_told_with_what_removes_them(shell: Shell) -> None:
    shell.run("reconcile")
    folder = shell.app.state.session_by_key("fake-0")
    save(shell.memory.files, folder.description, {"host": "fake", "address": "/gone"})
    save(shell.memory.files, folder.ended, {"since_ms": 1})
    [result] = preconditions.ended_sessions(shell.app)
    assert (result.level, result.mend) == (CheckLevel.WARNING, "attention setup")
    assert "fake at /gone" in result.message


@pytest.mark.skipif(sys.platform == "win32", reason="the access list of a profile folder is the user's alone")
def test_a_state_folder_that_others_can_read_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    assert not can_be_read_by_others(tmp_path)
    tmp_path.chmod(0o755)
    assert can_be_read_by_others(tmp_path)
    assert not can_be_read_by_others(tmp_path / "none")


class TestBreakSources:
    @pytest.fixture
    def select(self, shell: Shell) -> Callable[[Callable[[], list[Break]]], None]:
        def select(current: Callable[[], list[Break]]) -> None:
            shell.configuration.settings.breaks.sources = ["timer"]
            shell.configuration.followed.append(SimpleNamespace(name="timer", current=current))

        return select

    def told(self, shell: Shell) -> list[str]:
        lines = shell.run("doctor").lines
        return [line.strip() for line in lines if "break source" in line]

    def test_without_one_there_is_nothing_to_say(self, shell: Shell) -> None:
        assert self.told(shell) == []

    def test_one_that_nobody_follows_holds_no_agent(self, shell: Shell, select: Any) -> None:
        select(lambda: [Break("tea-1", "tea", 0, None)])
        held = shell.memory.process().files.try_lock(STATE / "break-watch.lock")
        assert held is not None
        [followed] = self.told(shell)
        assert (followed.split()[0], followed.split()[-1]) == ("ok", "tea-1")
        held.release()
        _, alone = self.told(shell)
        assert alone.startswith("warn")
        assert alone.endswith("nobody follows timer: breaks hold no agent")

    def test_one_that_tells_something_else_is_named(self, shell: Shell, select: Any) -> None:
        select(lambda: None)
        [told] = self.told(shell)[:1]
        assert told.startswith(
            "warn  break source timer: current() returned 'None', and not a list of breaks"
        )

    def test_one_that_could_not_be_made_is_a_failure(self, shell: Shell) -> None:
        shell.configuration.left_out["timer"] = "it needs settings, in [strategy.timer]"
        result = shell.run("doctor")
        assert result.code == 1
        assert "  FAIL  timer: it is left out: it needs settings, in [strategy.timer]" in result.lines

    def test_one_that_cannot_tell_says_why(self, shell: Shell, select: Any) -> None:
        def current() -> list[Break]:
            raise HostUnavailable("no such file: start the timer")

        select(current)
        at = shell.run("doctor").lines.index("  warn  break source timer: no such file: start the timer")
        assert "take it out of breaks.sources" in shell.run("doctor").lines[at + 1]
