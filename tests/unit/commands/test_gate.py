from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.commands.gate import joined
from attention_framework.testing import SESSION, hold

if TYPE_CHECKING:
    from .conftest import Shell

ASK = ("gate", "--event", "tool", "--wait", "0")


@pytest.fixture
def within(shell: Shell) -> Any:
    """The command runs in this pane."""

    def within(pane_id: str) -> Shell:
        shell.memory.environment.update(FAKE_PANE=pane_id, FAKE_ADDRESS=f"{SESSION.address},0")
        return shell

    return within


def test_the_agent_with_the_focus_goes_on(within: Any) -> None:
    result = within("w1:p1").run(*ASK)
    assert (result.code, result.out, result.err) == (0, "", "")


def test_one_without_it_may_not_and_is_told_why(within: Any) -> None:
    result = within("w1:p2").run(*ASK, "--code", "2")
    assert result.code == 2
    assert result.err == "attention: this agent may not go on now: front has the focus\n"


def test_an_agent_of_a_kind_that_nobody_knows_is_judged_all_the_same(within: Any) -> None:
    """It is its own hook that asks: no plugin has to announce it."""
    assert within("w1:p3").run(*ASK).code == 1


def test_one_that_the_settings_leave_alone_goes_on(within: Any) -> None:
    """As the resident controller would say: it is asked in no other state of the host's."""
    shell = within("w1:p2")
    there = shell.host.panes["w1:p2"]
    there.pane = replace(there.pane, status="idle")
    assert shell.run(*ASK).code == 0


def test_one_that_two_processes_claim_is_not_judged(within: Any) -> None:
    shell = within("w1:p2")
    shell.agent("w1:p2", 103)
    result = shell.run(*ASK)
    assert result.code == 0
    assert "processes 102, 103 both say that they are its agent" in result.err


def test_it_waits_and_goes_on_when_the_focus_comes(within: Any) -> None:
    shell = within("w1:p2")
    shell.memory.clock.on_sleep.append(lambda _: shell.host.focus("w1:p2"))
    before_ms = shell.memory.clock.monotonic_ms()
    assert shell.run("gate", "--wait", "60").code == 0
    assert shell.memory.clock.monotonic_ms() - before_ms == 500


def test_it_waits_no_longer_than_it_was_told(within: Any) -> None:
    shell = within("w1:p2")
    before_ms = shell.memory.clock.monotonic_ms()
    assert shell.run("gate", "--wait", "3").code == 1
    assert shell.memory.clock.monotonic_ms() - before_ms == 3000


def test_a_break_holds_the_focused_one_too(within: Any) -> None:
    shell = within("w1:p1")
    shell.app.holds.take(hold("b-1", started_ms=0))
    assert shell.run(*ASK).code == 1


def test_it_changes_nothing(within: Any) -> None:
    shell = within("w1:p2")
    before = dict(shell.memory.disk.content)
    shell.run(*ASK)
    assert shell.memory.disk.content == before


def test_outside_of_every_host_it_goes_on_without_a_word(shell: Shell) -> None:
    result = shell.run(*ASK)
    assert (result.code, result.out, result.err) == (0, "", "")


def nobody_can_tell(shell: Shell, why: str) -> None:
    if why == "focus":
        shell.host.focus_known = False
    elif why == "pane":
        shell.host.remove("w1:p2")
    else:
        shell.host.down = True


def test_a_moved_pane_is_found_by_the_id_that_its_processes_have(within: Any) -> None:
    shell = within("w1:p3")
    shell.host.move("w1:p3", "w2:p1")
    assert shell.run(*ASK).code == 1
    shell.host.focus("w2:p1")
    assert shell.run(*ASK).code == 0


@pytest.mark.parametrize("why", ["focus", "pane", "host"])
def test_where_nobody_can_tell_it_goes_on_with_a_warning(within: Any, why: str) -> None:
    shell = within("w1:p2")
    nobody_can_tell(shell, why)
    result = shell.run(*ASK)
    assert result.code == 0
    assert "allowed, since nobody can tell" in result.err


@pytest.mark.parametrize("why", ["focus", "pane", "host"])
def test_where_nobody_can_tell_it_may_not_if_it_was_told_so(within: Any, why: str) -> None:
    shell = within("w1:p2")
    nobody_can_tell(shell, why)
    assert shell.run(*ASK, "--closed").code == 1


def test_a_pane_that_is_named(shell: Shell) -> None:
    where = ("--host", "fake", "--address", SESSION.address)
    assert shell.run(*ASK, *where, "--pane", "w1:p1").code == 0
    assert shell.run(*ASK, *where, "--pane", "w1:p2").code == 1
    assert shell.run(*ASK, *where).code == 2


@pytest.mark.parametrize("words", [("--wait", "-1"), ("--code", "0"), ("--code", "256"), ("--wait", "nan")])
def test_a_time_or_a_code_that_makes_no_sense_is_refused(within: Any, words: tuple[str, ...]) -> None:
    result = within("w1:p1").run("gate", *words)
    assert (result.code, "--wait is from" in result.err) == (2, True)


def test_it_prints_a_command_for_a_hook(shell: Shell) -> None:
    shell.memory.files.write(Path("/state/thin_gate.py"), b"")
    result = shell.run("gate", "--print", "--event", "tool", "--code", "2", "--closed")
    options = ["--event", "tool", "--wait", "50", "--code", "2", "--closed"]
    assert result.out.rstrip("\n") == joined([
        *(shell.context.command[0], "-I", "-S", str(Path("/state/thin_gate.py"))),
        *("event=tool", "wait=50", "code=2", "unknown=closed"),
        "in=fake,FAKE_PANE,FAKE_ADDRESS,^(.*),[0-9]+$",
        *("--", *shell.context.command, "gate", *options),
    ])  # fmt: skip


def test_before_a_setup_the_command_is_the_plain_one(shell: Shell) -> None:
    result = shell.run("gate", "--print")
    assert shlex.split(result.out)[: len(shell.context.command) + 1] == [*shell.context.command, "gate"]
    assert "attention setup" in result.err
