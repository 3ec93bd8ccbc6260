from __future__ import annotations

import errno
import json
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import (
    AgentKind,
    CheckResult,
    Completed,
    HostUnavailable,
    InstallRefused,
    InstallStep,
    OwnedFiles,
    Session,
    __version__,
    suitable_scheduler,
)
from attention_framework.effects import Running
from attention_framework.installing import Condition
from attention_framework.model import CheckLevel
from attention_framework.state.folder import StateRefused
from attention_framework.testing import SESSION

if TYPE_CHECKING:
    from .conftest import Shell

STATE = Path("/state")


SETTINGS = Path("/config/attention.toml")
SETTINGS_LEFT_ALONE = [f"settings: {SETTINGS}, which is yours", "  nothing to do"]
SERVE = ["serve: the resident controller of this installation", "  nothing to do"]
AT_LOGON = (
    "  note: hosts start it with their own start; to have it from logon on: "
    f"attention setup serve --at-logon {suitable_scheduler()}"
)
CONTROLLER = [
    "controller: none is resident: every event runs a cycle of its own",
    "  will start the resident controller",
]
LEFT_ALONE = [*SERVE, AT_LOGON, *SETTINGS_LEFT_ALONE]


class FakeInstaller:
    def __init__(self, name: str, *steps: str, found: str | None = "1.0", refuses: str = "") -> None:
        self.name = name
        self.steps = list(steps)
        self.there = found
        self.refuses = refuses
        self.done: list[str] = []

    def found(self) -> str | None:
        return self.there

    def plan(self, remove: bool) -> list[InstallStep]:
        if self.refuses:
            raise InstallRefused(self.refuses)
        return [
            InstallStep(f"{step}{' away' * remove}", lambda step=step: self.done.append(step))
            for step in self.steps
        ]  # type: ignore[misc]


class Removing:
    """Removes files that setup has written."""

    name = "removing"

    def __init__(self, owned: OwnedFiles, *paths: Path, refuses: str = "") -> None:
        self.owned = owned
        self.paths = paths
        self.refuses = refuses

    def found(self) -> str:
        return "1.0"

    def plan(self, remove: bool) -> list[InstallStep]:
        if self.refuses:
            raise InstallRefused(self.refuses)
        ours = [path for path in self.paths if self.owned.condition(path) is Condition.OURS]
        steps = [step for path in ours for step in self.owned.plan_remove(path)]
        return [InstallStep.together("remove what is ours", steps)] if steps else []


@pytest.fixture
def install(shell: Shell) -> Any:
    def install(*installers: FakeInstaller) -> None:
        shell.plugins.answers["attention_installers"] = [("plugin", list(installers))]

    return install


def serve(shell: Shell, **changed: Any) -> None:
    """A controller that answers at the address in the state folder."""
    status = {"pid": 7, "version": __version__, "started_ms": 0, "sessions": [], "breaks": [], "given_up": {}}
    status |= {"settings": {"problem": None}, **changed}
    answer = f"json {json.dumps(status)}\nend 0\n".encode()
    shell.memory.sockets.servers["/state/serve.sock"] = lambda line: answer


def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)


class TestSetup:
    def test_it_shows_what_it_will_do_and_does_it(self, shell: Shell, install: Any) -> None:
        herdr = FakeInstaller("herdr", "link the plugin", "write a file")
        install(herdr)
        result = shell.run("setup", "--yes")
        assert result.code == 0
        assert result.lines[: 7 + len(LEFT_ALONE)] == [
            "herdr: 1.0",
            "  will link the plugin",
            "  will write a file",
            *LEFT_ALONE,
            *CONTROLLER,
            "link the plugin ... done",
            "write a file ... done",
        ]
        assert herdr.done == ["link the plugin", "write a file"]

    def test_the_resident_controller_is_started_last(self, shell: Shell, install: Any) -> None:
        shell.memory.processes.programs[shell.context.command[0]] = lambda words: Completed(0, "", "")
        install(FakeInstaller("herdr", "link the plugin"))
        result = shell.run("setup", "--yes")
        assert result.lines[-3] == "start the resident controller ... done"
        assert shell.memory.processes.ran == [(*shell.context.command, "serve", "--detach")]
        assert result.err == ""

    def test_one_that_runs_is_not_said_to_be_started(self, shell: Shell, install: Any) -> None:
        shell.memory.files.write(STATE / "serve.addr", b"unix /state/serve.sock\n")
        serve(shell)
        install(FakeInstaller("herdr", "link the plugin"))
        lines = shell.run("setup", "--dry-run").lines
        assert lines[-2].startswith("controller: resident, pid 7 ")
        assert lines[-1] == "  nothing to do"
        assert "start the resident controller" not in shell.run("setup", "--yes").out
        assert shell.memory.processes.ran == []

    def test_one_of_before_an_upgrade_makes_room(self, shell: Shell, install: Any) -> None:
        shell.memory.files.write(STATE / "serve.addr", b"unix /state/serve.sock\n")
        serve(shell, version="0.0.1")
        shell.memory.processes.programs[shell.context.command[0]] = lambda words: Completed(0, "", "")
        install(FakeInstaller("herdr", "link the plugin"))
        lines = shell.run("setup", "--yes").lines
        assert "  will start the resident controller anew: it is of version 0.0.1" in lines
        assert lines[-3] == "start the resident controller ... done"
        words = shell.context.command
        assert shell.memory.processes.ran == [(*words, "stop"), (*words, "serve", "--detach")]

    def test_one_of_before_an_upgrade_makes_room_also_where_all_files_are_as_they_should_be(
        self, shell: Shell, install: Any
    ) -> None:
        shell.memory.files.write(STATE / "serve.addr", b"unix /state/serve.sock\n")
        serve(shell, version="0.0.1")
        shell.memory.processes.programs[shell.context.command[0]] = lambda words: Completed(0, "", "")
        install(FakeInstaller("herdr"))
        shown = "  will start the resident controller anew: it is of version 0.0.1"
        assert shell.run("setup", "--dry-run").lines[-1] == shown
        assert shell.run("setup").lines[-1] == "Nothing was done. Say --yes to do it."
        assert shell.memory.processes.ran == []
        lines = shell.run("setup", "--yes").lines
        assert shown in lines
        assert "everything is in place" not in lines
        words = shell.context.command
        assert shell.memory.processes.ran == [(*words, "stop"), (*words, "serve", "--detach")]

    @pytest.mark.parametrize("option", ["--dry-run", ""])
    def test_it_is_not_started_where_nothing_was_done(self, shell: Shell, install: Any, option: str) -> None:
        install(FakeInstaller("herdr", *(["link the plugin"] if option else [])))
        shell.run("setup", *filter(None, [option]))
        assert shell.memory.processes.ran == []

    def test_one_that_cannot_be_started_undoes_nothing(self, shell: Shell, install: Any) -> None:
        install(herdr := FakeInstaller("herdr", "link the plugin"))
        result = shell.run("setup", "--yes")
        assert (result.code, herdr.done) == (0, ["link the plugin"])
        assert "start the resident controller ... failed" in result.lines
        assert "the resident controller could not be started: " in result.err

    @pytest.mark.parametrize(("left", "stops"), [(b"", True), (b'{"v": 1, "files": {"/x": ["0"]}}', False)])
    def test_uninstall_stops_it_when_nothing_of_setup_is_left(
        self, shell: Shell, install: Any, left: bytes, stops: bool
    ) -> None:
        shell.memory.processes.programs[shell.context.command[0]] = lambda words: Completed(0, "", "")
        shell.memory.files.write(Path("/state/serve.addr"), b"unix /state/serve.sock\n")
        if left:
            shell.memory.files.write(Path("/state/installed.json"), left)
            shell.memory.files.write(Path("/x"), b"")
        install(FakeInstaller("herdr", "unlink"))
        result = shell.run("uninstall", "--yes")
        assert ("stop the resident controller ... done" in result.lines) is stops
        assert ("  will stop the resident controller" in result.lines) is stops
        assert shell.memory.processes.ran == ([(*shell.context.command, "stop")] if stops else [])

    def test_uninstall_stops_nothing_where_none_runs(self, shell: Shell, install: Any) -> None:
        install(FakeInstaller("herdr", "unlink"))
        assert shell.run("uninstall", "--yes").code == 0
        assert shell.memory.processes.ran == []

    def test_a_dry_run_only_shows_it(self, shell: Shell, install: Any) -> None:
        herdr = FakeInstaller("herdr", "link the plugin")
        install(herdr)
        result = shell.run("setup", "--dry-run")
        assert (result.code, result.lines, herdr.done) == (
            0,
            ["herdr: 1.0", "  will link the plugin", *LEFT_ALONE, *CONTROLLER],
            [],
        )

    def test_without_a_terminal_nothing_is_done_unless_told_so(self, shell: Shell, install: Any) -> None:
        herdr = FakeInstaller("herdr", "link the plugin")
        install(herdr)
        result = shell.run("setup")
        assert (result.code, herdr.done) == (1, [])
        assert result.lines[-1] == "Nothing was done. Say --yes to do it."

    @pytest.mark.parametrize(("answer", "done"), [("y", True), ("YES", True), ("", False), ("n", False)])
    def test_on_a_terminal_it_asks(
        self, shell: Shell, install: Any, monkeypatch: pytest.MonkeyPatch, answer: str, done: bool
    ) -> None:
        at_a_terminal(monkeypatch)
        monkeypatch.setattr("builtins.input", lambda prompt: answer)
        herdr = FakeInstaller("herdr", "link the plugin")
        install(herdr)
        assert shell.run("setup").code == 0
        assert bool(herdr.done) is done

    def test_where_nobody_sees_the_question_nothing_is_done(
        self, shell: Shell, install: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
        herdr = FakeInstaller("herdr", "link the plugin")
        install(herdr)
        assert shell.run("setup").code == 1
        assert herdr.done == []

    def test_an_end_of_input_is_no_agreement(
        self, shell: Shell, install: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def ended(prompt: str) -> str:
            raise EOFError

        at_a_terminal(monkeypatch)
        monkeypatch.setattr("builtins.input", ended)
        herdr = FakeInstaller("herdr", "link the plugin")
        install(herdr)
        assert shell.run("setup").code == 0
        assert herdr.done == []

    def test_a_file_that_a_plan_cannot_read_is_a_refusal_and_stops_no_other(
        self, shell: Shell, install: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def unreadable(remove: bool) -> Any:
            raise PermissionError(errno.EACCES, "Permission denied", "/home/me/.conf")

        tmux, herdr = FakeInstaller("tmux", "x"), FakeInstaller("herdr", "link the plugin")
        monkeypatch.setattr(tmux, "plan", unreadable)
        install(tmux, herdr)
        result = shell.run("setup", "--yes")
        assert (result.code, herdr.done) == (1, ["link the plugin"])
        assert "refused: /home/me/.conf: Permission denied" in result.err

    def test_without_a_standard_input_nothing_is_done(
        self, shell: Shell, install: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        herdr = FakeInstaller("herdr", "link the plugin")
        install(herdr)
        assert shell.run("setup").code == 1
        assert herdr.done == []

    def test_when_all_is_in_place_it_says_so(self, shell: Shell, install: Any) -> None:
        install(FakeInstaller("herdr"))
        nothing = ["herdr: 1.0", "  nothing to do"]
        assert shell.run("setup").lines == [*nothing, *LEFT_ALONE, "everything is in place"]
        removal = [*nothing, *SERVE, *SETTINGS_LEFT_ALONE, "nothing is left to remove"]
        assert shell.run("uninstall").lines[: len(removal)] == removal

    def test_a_program_that_is_not_there_is_passed_over_unless_it_was_named(
        self, shell: Shell, install: Any
    ) -> None:
        install(FakeInstaller("herdr", "link", found=None), FakeInstaller("tmux", "write"))
        assert shell.run("setup", "--yes").lines[0] == "herdr: not found"
        assert shell.run("setup", "--yes").code == 0
        assert shell.run("setup", "herdr", "--yes").code == 1

    def test_what_is_gone_is_removed_all_the_same(self, shell: Shell, install: Any) -> None:
        herdr = FakeInstaller("herdr", "link", found=None)
        install(herdr)
        assert shell.run("uninstall", "--yes").code == 0
        assert herdr.done == ["link"]

    def test_one_that_refuses_is_shown_before_anything_is_done_and_the_others_are_done(
        self, shell: Shell, install: Any
    ) -> None:
        tmux = FakeInstaller("tmux", "write")
        install(FakeInstaller("herdr", refuses="its settings were edited"), tmux)
        result = shell.run("setup", "--yes")
        assert result.code == 1
        assert result.err.splitlines()[0] == "  refused: its settings were edited"
        assert tmux.done == ["write"]

    def test_if_only_refusals_are_left_nothing_could_be_done(self, shell: Shell, install: Any) -> None:
        install(FakeInstaller("herdr", refuses="too old"))
        result = shell.run("setup", "--yes")
        assert (result.code, result.lines[-1]) == (1, "nothing could be done")

    def test_an_unknown_program_is_wrong_usage_with_those_that_there_are(
        self, shell: Shell, install: Any
    ) -> None:
        install(FakeInstaller("tmux"), FakeInstaller("herdr"))
        for command in ("setup", "uninstall"):
            result = shell.run(command, "zellij")
            assert result.code == 2
            assert "there is no program 'zellij' (known: herdr, serve, settings, tmux)" in result.err


def failing(name: str, *steps: str, at: str, error: BaseException) -> FakeInstaller:
    """An installer one of whose steps fails, the first time."""
    installer = FakeInstaller(name, *steps)
    errors = [error]

    def do(step: str) -> None:
        if step == at and errors:
            raise errors.pop()
        installer.done.append(step)

    def plan(remove: bool) -> list[InstallStep]:
        left = [step for step in steps if step not in installer.done]
        return [InstallStep(step, lambda step=step: do(step)) for step in left]  # type: ignore[misc]

    installer.plan = plan  # type: ignore[method-assign]
    return installer


class TestHalfASetup:
    @pytest.mark.parametrize(
        "error",
        [InstallRefused("Herdr says no"), PermissionError(errno.EACCES, "Permission denied", "/home/me/x")],
    )
    def test_a_step_that_fails_stops_its_program_alone_and_a_second_run_does_the_rest(
        self, shell: Shell, install: Any, error: Exception
    ) -> None:
        herdr = failing("herdr", "write", "link", "enable", at="link", error=error)
        tmux = FakeInstaller("tmux", "add a line")
        install(herdr, tmux)
        result = shell.run("setup", "--yes")
        assert (result.code, herdr.done, tmux.done) == (1, ["write"], ["add a line"])
        assert "link ... failed" in result.lines
        assert result.err.splitlines()[1:] == [
            "not done:",
            "  herdr: link",
            "  herdr: enable",
            "What was done stays. To do the rest: attention setup",
        ]
        assert shell.run("setup", "--yes").code == 0
        assert herdr.done == ["write", "link", "enable"]

    def test_an_interrupt_between_steps_says_what_is_not_done(self, shell: Shell, install: Any) -> None:
        herdr = failing("herdr", "write", "link", at="link", error=KeyboardInterrupt())
        install(herdr, FakeInstaller("tmux", "add a line"))
        result = shell.run("setup", "--yes")
        assert (result.code, herdr.done) == (130, ["write"])
        assert "link ... not finished" in result.lines
        assert result.err.splitlines()[:3] == ["not done:", "  herdr: link", "  tmux: add a line"]
        assert shell.run("setup", "--yes").code == 0
        assert herdr.done == ["write", "link"]

    def test_what_nobody_expected_is_reported_after_what_is_not_done(
        self, shell: Shell, install: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # TMPDIR has been read by then.
        install(failing("herdr", "write", at="write", error=ZeroDivisionError("oops")))
        result = shell.run("setup", "--yes")
        assert result.code == 1
        assert result.err.startswith("not done:\n  herdr: write\n")
        assert "ZeroDivisionError: oops" in result.err
        assert len(list(tmp_path.glob("attention-report-*.txt"))) == 1


def test_from_an_environment_in_a_cache_setup_warns(
    shell: Shell, install: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(FakeInstaller("herdr"))
    monkeypatch.setattr(sys, "prefix", "/home/me/.cache/uv/archive-v0/x")
    assert "this runs from a cache" in shell.run("setup").err


class TestTheRecordOfSetup:
    def test_the_command_that_everything_starts_is_remembered(self, shell: Shell, install: Any) -> None:
        install(FakeInstaller("herdr", "link"))
        shell.run("setup", "--yes")
        said = json.loads(shell.memory.files.read(STATE / "setup.json"))
        assert said["command"] == list(shell.context.command)
        assert said["version"] == __version__

    @pytest.mark.parametrize("words", [("--dry-run",), ()])
    def test_not_where_nothing_was_done(self, shell: Shell, install: Any, words: tuple[str, ...]) -> None:
        install(FakeInstaller("herdr", "link"))
        shell.run("setup", *words)
        assert not shell.memory.files.exists(STATE / "setup.json")

    def test_it_goes_with_the_last_thing_that_setup_has_written(self, shell: Shell, install: Any) -> None:
        install(FakeInstaller("herdr", "link"))
        shell.run("setup", "--yes")
        owned = OwnedFiles(STATE, shell.memory.files)
        for step in owned.plan_write(Path("/home/me/ours"), b"x"):
            step.carry_out()
        shell.run("uninstall", "--yes")
        assert shell.memory.files.exists(STATE / "setup.json")
        for step in owned.plan_remove(Path("/home/me/ours")):
            step.carry_out()
        shell.run("uninstall", "--yes")
        assert not shell.memory.files.exists(STATE / "setup.json")


class TestWhatUninstallLeaves:
    def test_it_says_what_stays_and_how_to_remove_it(self, shell: Shell, install: Any) -> None:
        install(FakeInstaller("herdr", "link"))
        result = shell.run("uninstall", "--yes")
        assert result.lines[-2:] == [
            f"What stays: the state folder {STATE}, with the journal and the log.",
            "To remove it as well: attention uninstall --purge",
        ]
        assert "What stays" not in shell.run("uninstall", "herdr", "--yes").out

    @pytest.mark.parametrize("more", [(), ("--purge",)])
    def test_settings_that_the_person_has_edited_are_named_as_what_stays(
        self, shell: Shell, install: Any, more: tuple[str, ...]
    ) -> None:
        shell.memory.processes.alive_now.clear()
        install(FakeInstaller("herdr", "link"))
        result = shell.run("uninstall", "--yes", *more)
        assert result.code == 0
        assert f"What stays: your settings {SETTINGS}. They are yours to remove." in result.lines

    def test_a_file_that_the_person_removed_is_nothing_to_take_back(self, shell: Shell, install: Any) -> None:
        install(FakeInstaller("herdr"))
        owned = OwnedFiles(STATE, shell.memory.files)
        for step in owned.plan_write(Path("/home/me/ours"), b"x"):
            step.carry_out()
        shell.memory.files.remove(Path("/home/me/ours"))
        assert shell.run("uninstall", "--yes").code == 0
        assert owned.written() == []

    def test_purge_is_shown_asked_for_and_done_last(
        self, shell: Shell, install: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shell.memory.processes.alive_now.clear()
        herdr = FakeInstaller("herdr", "link")
        install(herdr)
        refused = shell.run("uninstall", "--purge")
        assert (refused.code, refused.lines[-3:]) == (
            1,
            [
                f"state folder: {STATE}",
                "  will remove it with all that is in it, the journal included",
                "Nothing was done. Say --yes to do it.",
            ],
        )
        assert shell.memory.files.exists(STATE)
        result = shell.run("uninstall", "--purge", "--yes")
        assert (result.code, herdr.done, result.lines[-1]) == (0, ["link"], f"removed {STATE}")
        assert not shell.memory.files.exists(STATE)

    def test_purge_has_to_be_agreed_to_also_where_nothing_else_is_to_be_done(
        self, shell: Shell, install: Any
    ) -> None:
        shell.memory.processes.alive_now.clear()
        install(FakeInstaller("herdr"))
        assert shell.run("uninstall", "--purge").code == 1
        assert shell.run("uninstall", "--purge", "--dry-run").code == 0
        assert shell.memory.files.exists(STATE)
        assert shell.run("uninstall", "--purge", "--yes").lines[-1] == f"removed {STATE}"
        assert not shell.memory.files.exists(STATE)
        stays = f"What stays: your settings {SETTINGS}. They are yours to remove."
        unasked = shell.run("uninstall", "--purge")
        assert (unasked.code, unasked.lines[-2:]) == (0, ["nothing is left to remove", stays])
        again = shell.run("uninstall", "--purge", "--yes")
        assert (again.code, again.lines[-2:]) == (0, ["nothing is left to remove", stays])

    def test_while_an_agent_runs_with_the_extension_the_folder_stays(
        self, shell: Shell, install: Any
    ) -> None:
        install(FakeInstaller("herdr", "link"))
        result = shell.run("uninstall", "--purge", "--yes")
        assert result.code == 1
        assert "in pane w1:p2 (process 102) still runs with the extension" in result.err
        assert shell.memory.files.exists(STATE)

    @pytest.mark.parametrize("lock", ["break-watch.lock", "serve.lock"])
    def test_nor_under_the_feet_of_a_command_that_runs(self, shell: Shell, install: Any, lock: str) -> None:
        shell.memory.processes.alive_now.clear()
        install(FakeInstaller("herdr"))
        held = shell.memory.process().files.try_lock(STATE / lock)
        assert held is not None
        result = shell.run("uninstall", "--purge", "--yes")
        assert result.code == 1
        assert f"`attention {lock.removesuffix('.lock')}` still runs" in result.err
        held.release()
        assert shell.run("uninstall", "--purge", "--yes").code == 0

    def test_while_something_of_setups_is_left_its_record_stays(self, shell: Shell, install: Any) -> None:
        shell.memory.processes.alive_now.clear()
        install(FakeInstaller("herdr", refuses="it was edited"))
        for step in OwnedFiles(STATE, shell.memory.files).plan_write(Path("/home/me/ours"), b"x"):
            step.carry_out()
        result = shell.run("uninstall", "--purge", "--yes")
        assert result.code == 1
        assert f"{Path('/home/me/ours')}, which setup wrote, is still there" in result.err

    @pytest.mark.parametrize(
        "hindrance", ["agent", "break-watch.lock", "serve.lock", "edited", "refused", "stranger", "several"]
    )
    def test_a_dry_run_of_purge_foresees_what_it_will_be_refused_for(
        self, shell: Shell, install: Any, hindrance: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        several = hindrance == "several"
        if hindrance != "agent" and not several:
            shell.memory.processes.alive_now.clear()
        locks = ["break-watch.lock", "serve.lock"] if several else [hindrance]
        held = [shell.memory.process().files.try_lock(STATE / lock) for lock in locks if "lock" in lock]
        mine, edited = Path("/home/me/ours"), Path("/home/me/edited")
        owned = OwnedFiles(STATE, shell.memory.files)
        for path in (mine, edited):
            for step in owned.plan_write(path, b"x"):
                step.carry_out()
        if hindrance == "edited" or several:
            shell.memory.files.write(edited, b"y")
        install(Removing(owned, mine, edited, refuses="no" if hindrance == "refused" else ""))
        if hindrance == "stranger" or several:
            monkeypatch.setattr("attention_framework.purge.strangers", lambda root: ["notes"])

        foreseen = shell.run("uninstall", "--purge", "--dry-run")
        asked = shell.run("uninstall", "--purge")
        assert (shell.memory.files.exists(mine), asked.code) == (True, 1)
        done = shell.run("uninstall", "--purge", "--yes")
        assert all(held)
        assert (foreseen.code, done.code) == (1, 1)
        stays = [line for line in done.err.splitlines() if f"the state folder {STATE} stays: " in line]
        assert len(stays) == {"agent": 2, "refused": 2, "several": 6}.get(hindrance, 1)
        for before in (foreseen, asked):
            assert [line for line in before.err.splitlines() if " stays: " in line] == stays
            assert "will remove it" not in before.out

    def test_a_dry_run_of_purge_knows_what_will_be_gone_by_then(
        self, shell: Shell, install: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What uninstall removes before, in the state folder too, is in nobody's way."""
        shell.memory.processes.alive_now.clear()
        mine, gone = STATE / "thin_client.py", Path("/home/me/gone")
        owned = OwnedFiles(STATE, shell.memory.files)
        for path in (mine, gone):
            for step in owned.plan_write(path, b"x"):
                step.carry_out()
        shell.memory.files.remove(gone)
        install(Removing(owned, mine))
        there = shell.memory.files.exists
        monkeypatch.setattr(
            "attention_framework.purge.strangers", lambda root: ["thin_client.py"] * there(mine)
        )
        foreseen = shell.run("uninstall", "--purge", "--dry-run")
        assert (foreseen.code, foreseen.err) == (0, "")
        assert foreseen.lines[-1] == "  will remove it with all that is in it, the journal included"
        assert shell.run("uninstall", "--purge", "--yes").lines[-1] == f"removed {STATE}"

    @pytest.mark.parametrize("goes", [True, False])
    def test_it_knows_so_too_of_what_an_installer_has_put_there_without_a_record(
        self, shell: Shell, install: Any, monkeypatch: pytest.MonkeyPatch, goes: bool
    ) -> None:
        shell.memory.processes.alive_now.clear()
        there, note = ["note.json"], STATE / "note.json"
        monkeypatch.setattr("attention_framework.purge.strangers", lambda root: list(there))
        step = InstallStep(
            "clear", there.clear, (lambda left: left - {note}) if goes else (lambda left: left)
        )
        installer = FakeInstaller("herdr")
        monkeypatch.setattr(installer, "plan", lambda remove: [step])
        install(installer)
        assert shell.run("uninstall", "--purge", "--dry-run").code == int(not goes)
        assert shell.run("uninstall", "--purge", "--yes").lines[-1] == f"removed {STATE}"

    @pytest.mark.parametrize(
        ("state", "followed"), [("gives no answer", True), ("followed by another process", False)]
    )
    def test_breaks_that_the_controller_follows_are_not_taken_for_those_of_break_watch(
        self, shell: Shell, install: Any, state: str, followed: bool
    ) -> None:
        shell.memory.processes.alive_now.clear()
        files = shell.memory.process().files
        locks = [files.try_lock(STATE / name) for name in ("serve.lock", "break-watch.lock")]
        shell.memory.files.write(STATE / "serve.addr", b"unix /state/serve.sock\n")
        serve(shell, breaks=[{"name": "bell", "state": state, "problem": "odd"}])
        install(FakeInstaller("herdr"))
        result = shell.run("uninstall", "--purge", "--dry-run")
        assert all(locks)
        assert result.code == int(not followed)
        assert ("`attention break-watch` still runs" in result.err) is not followed

    def test_where_the_controller_says_nothing_the_lock_of_its_breaks_is_not_said_to_be_break_watchs(
        self, shell: Shell, install: Any
    ) -> None:
        shell.memory.processes.alive_now.clear()
        files = shell.memory.process().files
        locks = [files.try_lock(STATE / name) for name in ("serve.lock", "break-watch.lock")]
        install(FakeInstaller("herdr"))
        result = shell.run("uninstall", "--purge", "--dry-run")
        assert all(locks)
        assert result.code == 1
        assert "`attention serve` still runs" in result.err
        assert "`attention break-watch` or `serve` still runs and follows breaks" in result.err

    @pytest.mark.parametrize("answers", [True, False])
    def test_a_controller_that_will_be_stopped_is_in_nobodys_way(
        self, shell: Shell, install: Any, answers: bool
    ) -> None:
        """One that has the lock and does not answer cannot be stopped by a command."""
        shell.memory.processes.alive_now.clear()
        lock = shell.memory.process().files.try_lock(STATE / "serve.lock")
        shell.memory.files.write(STATE / "serve.addr", b"unix /state/serve.sock\n")
        if answers:
            serve(shell)
        install(FakeInstaller("herdr"))
        result = shell.run("uninstall", "--purge", "--dry-run")
        assert lock is not None
        assert "  will stop the resident controller" in result.lines
        assert any(line.startswith("controller: resident, pid 7 ") for line in result.lines) is answers
        assert result.code == int(not answers)
        assert ("`attention serve` still runs" in result.err) is not answers

    def test_purge_and_names_are_wrong_usage(self, shell: Shell, install: Any) -> None:
        install(FakeInstaller("herdr"))
        assert shell.run("uninstall", "herdr", "--purge").code == 2


class TestDoctor:
    def check(self, shell: Shell, *results: CheckResult) -> None:
        check = SimpleNamespace(name="fake", run=lambda: list(results))
        shell.plugins.answers["attention_checks"] = [("plugin", [check])]

    def test_every_check_has_a_line_and_a_failed_one_what_mends_it(self, shell: Shell) -> None:
        self.check(
            shell,
            CheckResult("herdr", CheckLevel.OK, "0.8.2", "not shown"),
            CheckResult("tmux", CheckLevel.WARNING, "old", "tmux -V"),
            CheckResult("omp", CheckLevel.FAILED, "no extension", "attention setup omp"),
        )
        result = shell.run("doctor")
        assert result.code == 1
        assert result.lines == [
            "installation",
            f"  ok    state folder: {shell.app.state.root}",
            "  ok    settings: defaults, no file",
            "  warn  setup: `attention setup` has connected nothing yet",
            "        to mend it: attention setup",
            "what runs",
            "  ok    host: fake runs",
            "  ok    controller: none is resident: every event runs a cycle of its own",
            "plugin",
            "  ok    herdr: 0.8.2",
            "  warn  tmux: old",
            "        to mend it: tmux -V",
            "  FAIL  omp: no extension",
            "        to mend it: attention setup omp",
            "1 failed, 2 warnings",
        ]

    @pytest.mark.parametrize(
        ("command", "environment", "is_named"),
        [
            (("omp",), {}, True),
            (("/usr/local/bin/bun", "--smol", "/opt/omp/omp.js"), {}, True),
            (("C:\\\\bin\\\\OMP.EXE".lower(),), {}, True),
            (("bunx", "omp"), {}, True),
            (("omp",), {"FAKE_PANE": "w1:p1"}, True),
            (("omp",), {"FAKE_PANE": "w1:p1", "FAKE_ADDRESS": "/run/fake"}, False),
            (("vi", "omp"), {}, False),
            (("node", "omp-like.js"), {}, False),
        ],
    )
    def test_an_agent_outside_every_host_is_named_as_not_followed(
        self, shell: Shell, command: tuple[str, ...], environment: dict[str, str], is_named: bool
    ) -> None:
        def agents(app: Any) -> None:
            context = shell.context
            context.agents = [AgentKind("omp", "Oh My Pi", programs=("omp",))]
            app.__dict__["context"] = context

        shell.before.append(agents)
        shell.memory.processes.listed = [Running(77, command, environment), Running(78, command, environment)]
        shell.memory.processes.start(78, parent=77)
        result = shell.run("doctor")
        assert result.code == 0, "it is no failure"
        named = [line for line in result.lines if "process 7" in line]
        wanted = "  ok    omp (process 77): not followed: it runs in no pane of fake"
        assert named == ([wanted] if is_named else [])

    def test_warnings_alone_are_no_failure(self, shell: Shell) -> None:
        self.check(shell, CheckResult("tmux", CheckLevel.WARNING, "old"))
        assert shell.run("doctor").code == 0

    def test_programs_get_one_object(self, shell: Shell) -> None:
        self.check(shell, CheckResult("tmux", CheckLevel.FAILED, "old", "x"))
        result = shell.run("doctor", "--json")
        assert result.code == 1
        found = json.loads(result.out)
        assert found["checks"][-1] == {
            "group": "plugin",
            "name": "tmux",
            "level": "failed",
            "message": "old",
            "mend": "x",
        }
        assert (found["v"], found["ok"]) == (1, False)

    def installers(self, shell: Shell, **found: str | None) -> None:
        group = [SimpleNamespace(name=name, found=lambda it=it: it) for name, it in found.items()]
        shell.plugins.answers["attention_installers"] = [("plugin", group)]

    def test_without_any_host_it_fails_and_says_what_to_install(self, shell: Shell) -> None:
        shell.host.down = True
        self.installers(shell, fake=None, omp="OMP 18.2.3")
        result = shell.run("doctor")
        assert result.code == 1
        assert "FAIL  host: fake is not installed" in result.out
        assert "to mend it: install fake, then run" in result.out

    def test_a_host_that_is_there_and_does_not_run_is_no_failure(self, shell: Shell) -> None:
        shell.host.down = True
        self.installers(shell, fake="fake 1.0")
        result = shell.run("doctor")
        assert result.code == 0
        assert "warn  host: fake does not run now: " in result.out

    def test_a_host_that_gives_no_answer_may_well_run(self, shell: Shell) -> None:
        def sessions() -> Any:
            raise HostUnavailable("no answer within 0.5 s")

        shell.host.sessions = sessions  # type: ignore[method-assign]
        result = shell.run("doctor")
        assert result.code == 1
        assert "FAIL  host: whether a session of fake runs is not known: no answer within 0.5 s" in result.out

    def test_of_a_host_that_no_plugin_can_look_for_nothing_is_claimed(self, shell: Shell) -> None:
        shell.host.down = True
        assert shell.run("doctor").code == 0

    def test_no_host_at_all_is_selected(self, shell: Shell) -> None:
        shell.hosts.clear()
        result = shell.run("doctor")
        assert result.code == 1
        assert "FAIL  host: none is selected" in result.out

    def test_a_check_that_fails_itself_is_a_result(self, shell: Shell) -> None:
        def broken() -> Any:
            raise ZeroDivisionError("oops")

        check = SimpleNamespace(name="fake", run=broken)
        shell.plugins.answers["attention_checks"] = [("plugin", [check])]
        result = shell.run("doctor")
        assert result.code == 1
        assert "the check itself failed: ZeroDivisionError: oops" in result.out

    def test_wake_ups_that_nobody_has_covered_are_told(self, shell: Shell) -> None:
        for name in ("a", "b"):
            shell.memory.disk.put(shell.app.state.session(SESSION).wake / name, b"")
        result = shell.run("doctor")
        (told,) = (line for line in result.lines if line.startswith("  warn  wake-ups: "))
        assert shell.app.state.session(SESSION).key in told
        assert " 2 " in told
        assert "to mend it: attention reconcile" in result.out

    def test_those_of_a_session_that_has_ended_no_cycle_will_ever_cover(self, shell: Shell) -> None:
        gone = shell.app.state.session(Session("fake", "/gone.sock"))
        shell.memory.disk.put(gone.wake / "left", b"")
        result = shell.run("doctor")
        assert f"of {gone.key}, 1 that no cycle has covered; this session does not run now" in result.out
        assert f"to mend it: if it has ended, delete {gone.root}" in result.out

    def test_a_state_folder_that_is_there_and_cannot_be_written_fails(self, shell: Shell) -> None:
        shell.memory.disk.faults.fail("*", errno.ENOSPC, path="/state/*")
        result = shell.run("doctor")
        assert result.code == 1
        assert f"the state folder {shell.app.state.root} cannot be written: No space left" in result.lines[1]

    def test_a_variable_that_has_no_effect_is_told(self, shell: Shell) -> None:
        shell.memory.environment["ATTENTION_NONSENSE"] = "1"
        assert "ATTENTION_NONSENSE" in shell.run("doctor").out

    def test_broken_plugins_are_told_with_their_fix(self, shell: Shell) -> None:
        shell.plugins.broken.append(SimpleNamespace(name="herdr", reason="SyntaxError", fix="pip install"))
        result = shell.run("doctor")
        assert result.code == 1
        assert "FAIL  plugin herdr: SyntaxError\n        to mend it: pip install" in result.out

    def test_a_refused_state_folder_is_named_as_what_it_is_and_the_settings_are_checked(
        self, shell: Shell, tmp_path: Any
    ) -> None:
        (tmp_path / "state").write_text("", encoding="utf-8")

        def refuse(app: Any) -> None:
            del app.__dict__["state"], app.__dict__["context"]
            app._state = str(tmp_path / "state")
            from attention_framework.effects import real_effects

            app.__dict__["effects"] = real_effects()

        shell.before.append(refuse)
        result = shell.run("doctor")
        assert result.code == 1
        assert result.lines[1].startswith("  FAIL  state folder: the state folder")
        assert "ok    settings: defaults, no file" in result.out

    def test_wrong_settings_are_told_with_the_command_that_explains_them(self, shell: Shell) -> None:
        def wrong(app: Any) -> None:
            del app.__dict__["configuration"]
            app._config = "/nowhere/attention.toml"

        shell.before.append(wrong)
        result = shell.run("doctor")
        assert result.code == 1
        assert "FAIL  settings: " in result.out
        assert "to mend it: attention config check" in result.out


def test_a_state_folder_that_is_refused_is_an_error_of_its_own() -> None:
    assert StateRefused("x").exit_code == 1
