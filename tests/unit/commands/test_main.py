"""From the command line to an exit code, whatever goes wrong on the way."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import HostUnavailable, __version__
from attention_framework.commands import CORE
from attention_framework.commands.main import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_framework.app import App

    from .conftest import Shell


def attention(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "attention_framework", *words],
        capture_output="stdout" not in more,
        encoding="utf-8",
        timeout=120,
        **more,
    )


@pytest.fixture
def failing(shell: Shell) -> Callable[[BaseException], None]:
    """Let the next commands fail with this error where they ask for the hosts."""

    def fail(error: BaseException) -> None:
        class Sources(dict[str, Any]):
            def values(self) -> Any:
                raise error

        shell.hosts = Sources()

    return fail


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where reports of unexpected errors are written."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_an_expected_error_is_one_line_and_exit_code_1(shell: Shell, failing: Any, reports: Path) -> None:
    failing(HostUnavailable("Herdr 0.8.2 gave no answer"))
    result = shell.run("status")
    assert (result.code, result.out, result.err) == (1, "", "attention: Herdr 0.8.2 gave no answer\n")
    assert list(reports.iterdir()) == []


def test_an_unexpected_error_leaves_a_report_that_can_be_pasted(
    shell: Shell, failing: Any, reports: Path
) -> None:
    failing(ZeroDivisionError("division by zero"))
    result = shell.run("status", "--json")
    assert result.code == 1
    assert "this should not have happened: ZeroDivisionError: division by zero" in result.err
    (report,) = reports.iterdir()
    assert str(report) in result.err
    text = report.read_text(encoding="utf-8")
    assert f"attention {__version__}, Python" in text
    assert "command: ['status', '--json']" in text
    assert "Traceback" in text
    assert "ZeroDivisionError: division by zero" in text


def test_if_no_report_can_be_written_that_is_said(
    shell: Shell, failing: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    failing(ZeroDivisionError())
    assert "No report could be written" in shell.run("status").err


@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO, errno.EISDIR, errno.ENOTDIR, errno.EFBIG]
)
def test_what_the_machine_refuses_is_no_fault_of_ours(
    shell: Shell, failing: Any, reports: Path, number: int
) -> None:
    failing(OSError(number, os.strerror(number), "/state/focus.json"))
    result = shell.run("status")
    assert (result.code, result.err) == (1, f"attention: /state/focus.json: {os.strerror(number)}\n")
    assert list(reports.iterdir()) == []


def test_a_file_that_should_be_there_is_one(shell: Shell, failing: Any, reports: Path) -> None:
    failing(FileNotFoundError(errno.ENOENT, "No such file or directory", "/x"))
    assert "should not have happened" in shell.run("status").err


def test_an_interrupt_is_exit_code_130(shell: Shell, failing: Any) -> None:
    failing(KeyboardInterrupt())
    result = shell.run("status")
    assert (result.code, result.err) == (130, "")


def test_no_command_and_an_unknown_one_are_wrong_usage(shell: Shell) -> None:
    assert "COMMAND" in shell.wrong()
    assert "there is no command 'stats'; did you mean 'status'?" in shell.wrong("stats")
    assert "known: reconcile, serve, stop, status," in shell.wrong("xyz")


def test_who_asks_for_a_command_of_a_plugin_that_is_not_enabled_learns_where_it_is(shell: Shell) -> None:
    shell.plugins.installed = ["herdr"]
    assert "Plugins that are not enabled may have others: herdr" in shell.wrong("demo")


def test_an_option_for_all_without_its_value_names_the_program(capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["status", "--config"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: attention ")


@pytest.mark.parametrize("command", CORE)
def test_every_command_refuses_what_it_does_not_know(shell: Shell, command: str) -> None:
    assert "usage: attention" in shell.wrong(command, "--no-such-option")


@pytest.mark.parametrize("command", CORE)
def test_every_command_explains_itself(shell: Shell, command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        run([command, "--help"], shell.new_app())
    assert ended.value.code == 0
    out = shell.capture.readouterr().out
    assert out.startswith(f"usage: attention {command}")
    assert out.isascii(), "a terminal of any encoding shows it"


def test_the_help_lists_every_command_in_order(shell: Shell) -> None:
    with pytest.raises(SystemExit):
        run(["--help"], shell.new_app())
    listed = re.findall(r"^    ([a-z-]+) ", shell.capture.readouterr().out, re.MULTILINE)
    assert listed[: len(CORE)] == list(CORE)
    assert [hook for hook, _ in shell.plugins.called] == ["attention_commands"]


def test_asking_for_a_core_command_loads_no_plugin_for_its_parser(shell: Shell) -> None:
    shell.run("log")
    assert shell.plugins.told("attention_commands") == []


def remember(state: Path) -> None:
    state.mkdir(mode=0o700)
    (state / "journal.jsonl").write_text('{"type": "of another version"}\n', encoding="utf-8")


def test_the_options_for_all_may_stand_before_or_after_the_command(tmp_path: Path, capsys: Any) -> None:
    remember(tmp_path / "a")
    for words in (["--state", str(tmp_path / "a"), "log"], ["log", "--state", str(tmp_path / "a")]):
        assert run(words) == 0
        assert "of another version" in capsys.readouterr().out


def test_a_state_folder_that_is_refused_is_exit_code_1(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "state").write_text("", encoding="utf-8")
    assert run(["log", "--state", str(tmp_path / "state")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_warning_is_told_also_where_no_log_can_be_written(tmp_path: Path, capsys: Any) -> None:
    from attention_framework.app import App

    (tmp_path / "state").write_text("", encoding="utf-8")
    app = App(state=str(tmp_path / "state"))
    app.warn("a setting is deprecated")
    app.warn("a setting is deprecated")
    assert capsys.readouterr().err == "attention: a setting is deprecated\n"


def test_the_environment_names_the_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    remember(tmp_path / "b")
    monkeypatch.setenv("ATTENTION_STATE", str(tmp_path / "b"))
    assert run(["log"]) == 0
    assert "of another version" in capsys.readouterr().out


def test_settings_that_are_wrong_are_exit_code_2(tmp_path: Path, capsys: Any) -> None:
    config = tmp_path / "attention.toml"
    config.write_text('plugins = "herdr', encoding="utf-8")
    assert run(["status", "--config", str(config), "--state", str(tmp_path / "state")]) == 2
    assert "attention.toml" in capsys.readouterr().err


class TestStreams:
    def test_without_any_it_works_as_under_pythonw(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "state").write_text("", encoding="utf-8")
        made: list[Any] = []
        for name in ("stdin", "stdout", "stderr"):
            monkeypatch.setattr(sys, name, None)
        try:
            assert run(["log", "--state", str(tmp_path / "none")]) == 0
            assert run(["log", "--state", str(tmp_path / "state")]) == 1
            made += [sys.stdout, sys.stderr]
        finally:
            monkeypatch.undo()
            for stream in made:
                stream.close()

    def test_a_character_that_the_terminal_lacks_is_no_error(self, tmp_path: Path) -> None:
        state = tmp_path / "state"
        state.mkdir(mode=0o700)
        (state / "journal.jsonl").write_text(
            '{"type": "\u2713 \ud83d"}\n'.encode("utf-8", "ignore").decode(), encoding="utf-8"
        )
        done = attention(
            "log", "--state", str(state), env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert '{"type": "? "}' in done.stdout

    @pytest.mark.skipif(
        sys.platform == "win32" or not os.path.exists("/dev/full"), reason="needs the /dev/full of a Unix"
    )
    def test_output_that_cannot_be_written_is_no_fault_of_ours(self, tmp_path: Path) -> None:
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "attention_framework", "--state", str(tmp_path / "s"), "plugins"],
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert (done.returncode, done.stderr) == (1, b"attention: No space left on device\n")

    @pytest.mark.parametrize("buffering", ["", "1"])
    def test_a_reader_that_has_gone_ends_it_without_a_word(self, tmp_path: Path, buffering: str) -> None:
        state = tmp_path / "state"
        state.mkdir(mode=0o700)
        (state / "journal.jsonl").write_text('{"type": "x"}\n' * 20, encoding="utf-8")
        reading, writing = os.pipe()
        os.close(reading)
        try:
            done = attention(
                "log",
                *("--state", str(state)),
                env={**os.environ, "PYTHONUNBUFFERED": buffering},
                stdout=writing,
                stderr=subprocess.PIPE,
            )
        finally:
            os.close(writing)
        assert (done.returncode, done.stderr) == (1, "")


def test_the_module_and_the_script_are_the_same(tmp_path: Path) -> None:
    done = attention("--version")
    assert (done.returncode, done.stdout) == (0, f"attention {__version__}\n")


def test_an_app_that_is_given_is_used_whatever_the_options_say(shell: Shell) -> None:
    app: App = shell.new_app()
    assert run(["log", "--state", "/elsewhere"], app) == 0
    assert str(app.state.root) == str(Path("/state"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("doctor --jsno", "attention doctor: error: there is no option --jsno; did you mean --json?"),
        ("status --quickly=yes", "attention status: error: there is no option --quickly\n"),
        (
            "plugins list --jsno",
            "attention plugins list: error: there is no option --jsno; did you mean --json?",
        ),
        ("stop now", "attention stop: error: 'now' is one argument too many"),
        ("uninstall --purg --yes", "there is no option --purg; did you mean --purge?"),
        ("doctor --jso", "there is no option --jso; did you mean --json?"),
        ("config shwo", "there is no 'shwo'; did you mean 'show'? (known: check, show, schema)"),
        ("plugins nwe", "there is no 'nwe'; did you mean 'new'? (known: list, new)"),
        ("plugins new agnet x", "argument KIND: there is no 'agnet'; did you mean 'agent'? (known: agent, "),
        (
            "completion bsh",
            "argument SHELL: there is no 'bsh'; did you mean 'bash'? (known: bash, zsh, fish)",
        ),
        ("completion csh-like", "argument SHELL: there is no 'csh-like' (known: bash, zsh, fish)"),
        (
            "setup serve --at-logon sytemd",
            "argument --at-logon: there is no scheduler 'sytemd'; did you mean 'systemd'? (known: ",
        ),
    ],
)
def test_what_a_command_does_not_take_is_told_with_its_own_usage(shell: Shell, words: str, said: str) -> None:
    refused = shell.wrong(*words.split())
    assert said in refused
    assert refused.startswith(f"usage: attention {words.split()[0]}")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("setup srve", 2, "there is no program 'srve'; did you mean 'serve'? (known: serve, settings)"),
        ("reconcile --host fkae --address /x", 2, "host 'fkae' is not selected; did you mean 'fake'?"),
        (
            "explain bcak",
            1,
            "there is no pane 'bcak' with an agent in it; did you mean 'back'? (known: w1:p1, ",
        ),
    ],
)
def test_names_that_only_the_command_knows_are_guessed_alike(
    shell: Shell, words: str, code: int, said: str
) -> None:
    result = shell.run(*words.split())
    assert (result.code, said in result.err) == (code, True), result.err


def test_a_break_that_is_not_going_on_may_be_another_one(shell: Shell) -> None:
    shell.run("break-start", "--run-id", "mini-10")
    said = "no break 'mini-1O' is going on; did you mean 'mini-10'? (going on: mini-10)"
    assert shell.run("break-end", "--run-id", "mini-1O").lines[0] == said
    shell.run("break-end", "--run-id", "mini-10")
    assert shell.run("break-end", "--run-id", "mini-10").lines[0] == "no break 'mini-10' is going on"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("config", "required: ACTION; ACTION is check, show, schema\n"),
        ("completion", "required: SHELL; SHELL is bash, zsh, fish\n"),
        ("plugins new", "required: KIND, NAME; KIND is agent, host, break-source, policy, observer\n"),
        ("break-end", "required: --run-id\n"),
    ],
)
def test_what_is_missing_is_told_with_what_it_may_be(shell: Shell, words: str, said: str) -> None:
    assert shell.wrong(*words.split()).endswith(said)


def test_without_a_command_all_of_them_are_told(shell: Shell) -> None:
    said = shell.wrong()
    assert "required: COMMAND; COMMAND is reconcile, serve, stop, status, " in said


def test_a_break_that_nobody_is_there_for_is_told_with_its_end(shell: Shell) -> None:
    shell.hosts.clear()
    said = shell.run("break-start", "--run-id", "tea", "--for", "5m").out
    assert said == "no session is running; agents that start now are paused for 5 min, or until `break-end`\n"
    assert shell.run("break-start", "--run-id", "tea").lines == ["break 'tea' is going on already"]
