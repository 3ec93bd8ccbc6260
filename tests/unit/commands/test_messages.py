"""What commands say where a person could be at a loss."""

from __future__ import annotations

import argparse
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import Completed, InstallRefused
from attention_framework.commands import panes, rows, setup
from attention_framework.errors import Expected, WrongUsage
from attention_framework.model import Hold, Scope
from attention_framework.state.folder import StateFolder
from attention_framework.testing import FakeContext, Memory, pane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .conftest import Shell


def known(*places: tuple[str, str, str, str]) -> list[panes.Named]:
    """Each with the key of its session, its id, its label and the name of its session."""
    texts = panes.told_apart([(name, key, pane_id) for key, pane_id, _, name in places])
    return [
        panes.Named(
            SimpleNamespace(name=name),  # type: ignore[arg-type]
            SimpleNamespace(view=SimpleNamespace(key=key)),  # type: ignore[arg-type]
            SimpleNamespace(pane=pane(pane_id, label=label)),  # type: ignore[arg-type]
            text,
        )
        for (key, pane_id, label, name), text in zip(places, texts, strict=True)
    ]


def test_panes_with_one_label_are_told_apart_by_their_ids() -> None:
    there = known(("tmux-1", "%0", "shell", ""), ("tmux-1", "%1", "shell", ""))

    with pytest.raises(WrongUsage, match=r"'shell' means several panes; say which: %0, %1$"):
        panes._find_one(there, "shell")


def test_panes_with_one_id_are_told_apart_by_their_sessions() -> None:
    there = known(("tmux-1", "%0", "", ""), ("tmux-2", "%0", "", ""))

    with pytest.raises(WrongUsage, match=r"say which: tmux-1/%0, tmux-2/%0$"):
        panes._find_one(there, "%0")


def test_sessions_are_called_as_status_calls_them() -> None:
    there = known(("tmux-1", "%0", "", "inner"), ("tmux-2", "%0", "", "outer"))

    with pytest.raises(WrongUsage, match=r"say which: inner/%0, outer/%0$"):
        panes._find_one(there, "%0")
    with pytest.raises(Expected, match=r"known: inner/%0, outer/%0\)$"):
        panes._find_one(there, "%7")


def test_sessions_of_one_name_are_told_apart_by_their_keys() -> None:
    there = known(("tmux-1", "%0", "", "work"), ("tmux-2", "%0", "", "work"))

    with pytest.raises(WrongUsage, match=r"say which: tmux-1/%0, tmux-2/%0$"):
        panes._find_one(there, "work/%0")


def test_an_id_that_a_third_pane_has_too_tells_nothing_apart() -> None:
    there = known(("a", "%0", "shell", ""), ("a", "%1", "shell", ""), ("b", "%0", "", ""))

    with pytest.raises(WrongUsage, match=r"say which: a/%0, %1$"):
        panes._find_one(there, "shell")


@pytest.mark.parametrize(
    ("kind", "text"), [("manual", "a manual pause, 1 min left"), ("break", "break b-1, 1 min left")]
)
def test_a_manual_pause_is_no_id_that_a_person_needs(kind: str, text: str) -> None:
    hold = Hold("b-1", kind, "somebody", Scope(), started_ms=0, deadline_ms=60_000)

    assert rows._run("b-1", hold, None, now_ms=0) == text


class Program:
    """An installer with one step, or with a refusal."""

    name = "program"

    def __init__(self, refusal: str = "") -> None:
        self.refusal = refusal
        self.done: list[bool] = []

    def found(self) -> str:
        return "program 1.0"

    def plan(self, remove: bool) -> Sequence[Any]:
        if self.refusal:
            raise InstallRefused(self.refusal)
        return [SimpleNamespace(describe="write a file", carry_out=lambda: self.done.append(remove))]


def carry_out(program: Program, *words: str, remove: bool = False) -> int:
    parser = argparse.ArgumentParser()
    setup.add_arguments(parser)
    memory = Memory()
    context = FakeContext(memory.effects)
    memory.processes.programs[context.command[0]] = lambda words: Completed(0, "", "")
    app: Any = SimpleNamespace(
        installers={program.name: program},
        context=context,
        effects=memory.effects,
        state=StateFolder(context.state),
        write=lambda: None,
    )
    return setup.carry_out(parser.parse_args(words), app, remove, setup.Last(lambda: True))


@pytest.mark.parametrize(("remove", "next_step"), [(False, "need a new start"), (True, "until they end")])
def test_what_was_done_ends_with_what_is_left_to_the_person(
    remove: bool, next_step: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = Program()

    assert carry_out(program, "--yes", remove=remove) == 0
    assert program.done == [remove]
    assert next_step in capsys.readouterr().out.splitlines()[-1]


def test_a_dry_run_does_nothing_and_asks_for_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    program = Program()

    assert carry_out(program, "--dry-run") == 0
    assert program.done == []
    assert capsys.readouterr().out.splitlines() == [
        "program: program 1.0",
        "  will write a file",
        "controller: none is resident: every event runs a cycle of its own",
        "  will start the resident controller",
    ]


def test_that_nobody_reads_on_is_no_refusal_of_a_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("sys.stdout", SimpleNamespace(write=write, flush=lambda: None, isatty=lambda: False))
    with pytest.raises(BrokenPipeError):
        carry_out(Program(), "--dry-run")
    assert capsys.readouterr().err == ""


def test_a_refusal_says_why_and_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert carry_out(Program("it is too old"), "--yes") == 1
    captured = capsys.readouterr()
    assert "refused: it is too old" in captured.err
    assert captured.out.endswith("nothing could be done\n")


@pytest.fixture
def old_agent(shell: Shell) -> Shell:
    """An agent without a hello in an unfocused pane, as one that was started before `attention setup`."""
    shell.host.add(pane("w1:p9", label="old"))
    return shell


def test_status_says_why_an_agent_without_a_hello_is_not_paused(old_agent: Shell) -> None:
    [line] = [line for line in old_agent.run("status").lines if line.startswith("  w1:p9")]
    assert "not paused yet, and it has said no hello: was it started before `attention setup`?" in line


def test_doctor_says_what_to_do_with_an_agent_without_a_hello(old_agent: Shell) -> None:
    lines = old_agent.run("doctor").lines
    at = next(number for number, line in enumerate(lines) if "agent in pane w1:p9" in line)
    assert lines[at].startswith("  warn")
    assert lines[at + 1].strip() == "to mend it: leave it and start it anew"
    assert not any("agent in pane w1:p1" in line for line in lines)


def test_an_agent_that_is_asked_by_a_key_owes_no_hello(old_agent: Shell) -> None:
    """Nothing would come of starting it anew."""
    key: Any = SimpleNamespace(name="my-keys")
    old_agent.transports[:] = [key]
    [line] = [line for line in old_agent.run("status").lines if line.startswith("  w1:p9")]
    assert "not paused yet, as far as its screen tells" in line
    assert not any("agent in pane w1:p9" in line for line in old_agent.run("doctor").lines)


def test_what_is_refused_is_said_with_its_reason(old_agent: Shell) -> None:
    [line] = [line for line in old_agent.run("pause", "--all").lines if "w1:p9" in line]
    assert line.startswith("refused pane=w1:p9 policy=holds: fake-mailbox: no agent process in this pane")


def test_a_permission_that_was_not_there_is_not_said_to_be_taken_back(shell: Shell) -> None:
    shell.run("allow", "back")
    assert shell.run("allow", "back", "--no").lines[0] == "w1:p2: may no longer run in the background"
    assert shell.run("allow", "back", "--no").lines[0] == "w1:p2: was not allowed to run in the background"


def test_where_a_break_holds_the_agents_resume_says_what_ends_it(shell: Shell) -> None:
    assert shell.run("resume", "--all").lines[0] == "nothing was paused by hand"
    shell.run("break-start", "--run-id", "tea time")
    ends = "a break is in force, which ends by attention break-end --run-id 'tea time'"
    assert shell.run("resume", "--all").lines[0] == f"nothing was paused by hand; {ends}"


def test_whoever_wants_no_decisions_is_not_told_that_there_are_none(shell: Shell) -> None:
    assert "nothing was decided about it yet" in shell.run("explain", "front").lines
    assert "nothing was decided about it yet" not in shell.run("explain", "front", "--last", "0").lines


def test_a_log_of_what_changed_nothing_is_not_said_to_be_empty(shell: Shell) -> None:
    assert shell.run("log").lines == ["nothing was decided yet"]
    shell.settle()
    said = "nothing was decided about w1:p1 that changed anything; --all shows the rest"
    assert shell.run("log", "--pane", "w1:p1").lines == [said]
    shell.memory.clock.advance(60_000)
    assert shell.run("log", "--since", "10s", "--all").lines == ["nothing was decided in that time"]


def test_a_program_that_was_asked_for_and_is_not_there_is_told_with_what_to_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = Program()
    program.found = lambda: None  # type: ignore[method-assign, assignment, return-value]
    assert carry_out(program, "program", "--dry-run") == 1
    assert (
        "refused: program was asked for by name. Install it, then run this again" in capsys.readouterr().err
    )


def test_a_simulation_takes_no_host_of_the_persons(shell: Shell) -> None:
    result = shell.run("verify", "--simulated", "--host", "tmux")
    assert (result.code, "--simulated brings a host" in result.err) == (2, True)
