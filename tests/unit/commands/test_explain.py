from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import Allowance
from attention_framework.state.allowances import save_allowance
from attention_framework.testing import hold

if TYPE_CHECKING:
    from .conftest import Shell


def explained(shell: Shell, pane: str = "w1:p2", *words: str) -> dict[str, Any]:
    (found,) = json.loads(shell.run("explain", pane, "--json", *words).out)["panes"]
    assert isinstance(found, dict)
    return found


def parts(found: dict[str, Any]) -> dict[str, tuple[str | None, str]]:
    return {one["policy"]: (one["verdict"], one["part"]) for one in found["policies"]}


def test_people_read_it_from_the_top(shell: Shell) -> None:
    shell.run("reconcile", "--trigger", "pane.focused")
    result = shell.run("explain", "back")
    assert result.code == 0
    assert result.out.isascii()
    head, why, _, *rest = result.lines
    assert head.startswith("w1:p2 back: omp in fake, ")
    assert head.endswith(", running")
    assert why == "  front has the focus; not paused yet"
    assert rest[:5] == [
        "policies, in their order:",
        "  holds    no opinion",
        "  allowed  no opinion",
        "  focused  pause: front has the focus  <- this decides",
        "no hold covers it",
    ]
    assert rest[5] == "what it says of itself (process 102; agent 18.2.3, extension 0.1.0, protocol 1):"
    assert rest[7] == "  reflex brake: its terminal has not reported the focus yet"
    assert rest[8:10] == ["seen by fake-status: it says that it runs", "last decisions:"]
    assert "pause-sent     w1:p2 omp by focused: front has the focus" in rest[10]


def test_the_first_opinion_decides_and_pauses_that_follow_it_add_to_it(shell: Shell) -> None:
    shell.app.holds.take(hold("b-1"))
    assert parts(explained(shell)) == {
        "holds": ("pause", "decides"),
        "allowed": (None, "none"),
        "focused": ("pause", "adds"),
    }


def test_what_comes_after_an_opinion_to_run_is_told_and_marked(shell: Shell) -> None:
    folder = shell.app.state.session(shell.host.session)
    save_allowance(folder, shell.memory.files, Allowance("w1:p2", None, 0))
    found = explained(shell)
    assert parts(found)["allowed"] == ("run", "decides")
    assert parts(found)["focused"] == ("pause", "after")
    assert "not asked: it is decided before" in shell.run("explain", "w1:p2").out


def test_an_opinion_to_run_after_one_to_pause_adds_nothing_and_ends_it(shell: Shell) -> None:
    folder = shell.app.state.session(shell.host.session)
    save_allowance(folder, shell.memory.files, Allowance("w1:p2", None, 0))
    shell.app.holds.take(hold("b-1"))
    found = explained(shell)
    assert [part for _, part in parts(found).values()] == ["decides", "after", "after"]
    assert found["agent"]["policy"] == "holds"


def test_the_holds_that_cover_it_and_those_that_the_person_has_waived(shell: Shell) -> None:
    shell.app.holds.take(hold("b-1"))
    shell.agents["w1:p2"].resume_by_hand()
    (found,) = explained(shell)["holds"]
    assert (found["run"], found["kind"], found["waived"]) == ("b-1", "break", True)
    out = shell.run("explain", "w1:p2").out
    assert "break b-1 by cli, 1 min left, but you resumed the agent in spite of it" in out
    assert "resumed by you in spite of b-1" in out


def test_what_the_agent_says_of_itself(shell: Shell) -> None:
    agent = shell.agents["w1:p2"]
    agent.problem = {"code": "not-painted", "text": "no room", "since_ms": 0}
    agent.reflex["silent"] = 2
    agent.brake()
    says = explained(shell)["says"]
    assert (says["state"], says["problem"]) == ("braked", "not-painted: no room")
    assert says["reflex"] == {"mode": "brake", "reports": True, "away": True, "silent": 2}
    assert "session_file" not in says
    out = shell.run("explain", "w1:p2").out
    assert "problem: not-painted: no room" in out
    assert "its terminal has lost the focus; 2 questions in a row were not answered" in out


def test_an_agent_without_a_hello_is_said_to_be_one(shell: Shell) -> None:
    from attention_framework.testing import pane

    shell.host.add(pane("w1:p9"))
    assert explained(shell, "w1:p9")["says"] is None
    assert "has said no hello" in shell.run("explain", "w1:p9").out


def test_the_last_decisions_about_this_pane_alone_each_once(shell: Shell) -> None:
    for _ in range(3):
        shell.run("reconcile")
    shell.look()
    shell.run("reconcile")
    shell.host.focus("w1:p2")
    shell.run("reconcile")
    found = explained(shell)["decisions"]
    assert [(entry["outcome"], entry["times"]) for entry in found] == [
        ("pause-sent", 3),
        ("paused", 1),
        ("already-paused", 1),
    ]
    assert {entry["pane"] for entry in found} == {"w1:p2"}
    assert "(3 times)" in shell.run("explain", "w1:p2").out
    assert [entry["outcome"] for entry in explained(shell, "w1:p2", "--last", "1")["decisions"]] == [
        "already-paused"
    ]


def test_it_does_nothing(shell: Shell) -> None:
    shell.settle()
    shell.host.focus("w1:p2")
    before = dict(shell.memory.disk.content)
    shell.run("explain", "w1:p2")
    assert shell.memory.disk.content == before


@pytest.mark.parametrize(("words", "code", "says"), [(("w9",), 1, "no pane 'w9'"), ((), 2, "name a pane")])
def test_a_pane_that_is_none(shell: Shell, words: tuple[str, ...], code: int, says: str) -> None:
    result = shell.run("explain", *words)
    assert (result.code, says in result.err) == (code, True)
