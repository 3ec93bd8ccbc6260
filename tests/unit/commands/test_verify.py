from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import AgentKind

if TYPE_CHECKING:
    from .conftest import Shell


def test_each_agent_is_told_its_guarantee_and_what_the_journal_has_measured(shell: Shell) -> None:
    shell.settle()
    result = shell.run("verify", "--guarantees")
    assert result.code == 0
    assert result.lines[0] == "fake w1:p1 omp: one-shot"
    assert any("no controller is resident: `attention serve --detach`" in line for line in result.lines)
    assert result.lines[-1] == "1 pauses asked for, 0 reported as not confirmed"
    assert any(line.startswith("request to confirmation") for line in result.lines)


def test_programs_get_the_guarantees_as_one_object(shell: Shell) -> None:
    shell.settle()
    found = json.loads(shell.run("verify", "--guarantees", "--json").out)
    assert [agent["mode"] for agent in found["agents"]] == ["one-shot", "one-shot"]
    assert set(found["agents"][0]) == {"agent", "mode", "promise", "breaks", "missing"}
    assert found["measured"]["asked"] == 1
    assert set(found["measured"]["sent_to_confirmed"]) == {"count", "p50", "p99", "longest"}


def test_older_measurements_are_left_out(shell: Shell) -> None:
    shell.settle()
    shell.memory.clock.advance(2 * 3_600_000)
    assert "nothing is measured" in shell.run("verify", "--guarantees", "--since", "1h").out


def test_without_an_agent_nothing_is_guaranteed(shell: Shell) -> None:
    shell.host.panes = ()
    assert "no agent runs now" in shell.run("verify", "--guarantees").out


def test_without_a_terminal_nothing_begins_unasked(shell: Shell) -> None:
    shell.before.append(lambda app: setattr(app.context, "agents", [AgentKind("omp", "OMP")]))
    offering(shell)
    result = shell.run("verify")
    assert result.code == 2
    assert "say --yes" in result.err


def test_a_host_that_cannot_be_tried_out_is_said(shell: Shell) -> None:
    result = shell.run("verify", "--yes")
    assert result.code == 1
    assert "--simulated needs none" in result.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--sabotage", "deaf-agent"), 2, "with --simulated only"),
        (("--simulated",), 1, "no enabled plugin has a simulated host"),
        (("--host", "nowhere"), 2, "host 'nowhere' is not selected (focus.sources: fake)"),
    ],
)
def test_wrong_words_are_explained(shell: Shell, words: tuple[str, ...], code: int, said: str) -> None:
    result = shell.run("verify", *words)
    assert result.code == code
    assert said in result.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--switches", "3"), "no even number"),
        (("--repeat", "0"), "is not once"),
        (("--repeat", "x"), "invalid"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(shell: Shell, words: tuple[str, ...], said: str) -> None:
    assert said in shell.wrong("verify", *words)


class Simulation:
    sabotages = ("one", "two")


def test_an_unknown_sabotage_names_those_that_there_are(shell: Shell) -> None:
    shell.plugins.answers["attention_simulations"] = [("fake", [Simulation])]
    result = shell.run("verify", "--simulated", "--sabotage", "three")
    assert result.code == 2
    assert "known: one, two" in result.err


def offering(shell: Shell) -> None:
    host: Any = shell.host
    host.trial = lambda: pytest.fail("nobody has agreed")


def test_an_unknown_kind_of_agent_names_those_that_there_are(shell: Shell) -> None:
    offering(shell)
    shell.before.append(lambda app: setattr(app.context, "agents", [AgentKind("omp", "OMP")]))
    result = shell.run("verify", "--agent", "nobody", "--yes")
    assert result.code == 2
    assert "known: omp" in result.err
