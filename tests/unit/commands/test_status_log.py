from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import HostUnavailable
from attention_framework.testing import START_MS, hold
from attention_framework.words.durations import duration_s, in_words
from attention_framework.words.local_time import local_time

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Result, Shell


HOLD = {
    "run": "b-1",
    "kind": "break",
    "source": "cli",
    "panes": None,
    "except": [],
    "deadline_ms": START_MS + 60_000,
    "left_ms": 60_000,
}
NO_CONTROLLER = "controller: none is resident: every event runs a cycle of its own"


def status(shell: Shell) -> dict[str, Any]:
    found = json.loads(shell.run("status", "--json").out)
    return {entry["pane"]: entry for entry in found["agents"]}


class TestStatus:
    def test_people_get_a_table_that_is_plain_when_piped(self, shell: Shell) -> None:
        shell.settle()
        result = shell.run("status")
        assert result.code == 0
        assert result.lines == [
            "pane           agent  state    why",
            "* w1:p1 front  omp    running  it has the focus",
            "  w1:p2 back   omp    paused   paused for the lost focus",
            NO_CONTROLLER,
            "every agent that should pause is at a safe point",
        ]
        assert result.out.isascii()

    def test_programs_get_one_object(self, shell: Shell) -> None:
        shell.app.holds.take(hold("b-1"))
        shell.settle()
        found = json.loads(shell.run("status", "--json").out)
        assert (found["v"], found["holds"], found["warnings"]) == (1, [HOLD], [])
        assert found["not_at_safe_point"] == []
        entry = found["agents"][1]
        assert entry == {
            "session": shell.app.state.session(shell.host.session).key,
            "session_name": shell.host.session.name or None,
            "pane": "w1:p2",
            "label": "back",
            "agent": "omp",
            "focused": False,
            "host_status": None,
            "state": "paused",
            "for_ms": None,
            "by_person": False,
            "shown": "overlay",
            "runs": ["b-1", "focus"],
            "calls": [],
            "at_safe_point": True,
            "verdict": "pause",
            "policy": "holds",
            "why": "paused for break b-1, 1 min left, the lost focus",
            "evidence": "it says so",
            "problem": None,
        }

    def test_a_call_in_flight_is_named_with_its_time(self, shell: Shell) -> None:
        shell.agents["w1:p2"].calls = [{"name": "bash", "since_ms": START_MS}]
        shell.settle()
        shell.memory.clock.advance(4_000)
        entry = status(shell)["w1:p2"]
        assert entry["state"] == "pausing"
        assert "bash still runs since 4 s" in entry["why"]
        assert entry["calls"][0]["for_ms"] >= 4_000

    def test_why_a_pane_is_as_it_is(self, shell: Shell) -> None:
        assert status(shell)["w1:p2"]["why"] == "front has the focus; not paused yet"
        shell.agents["w1:p1"].pause_by_hand()
        assert status(shell)["w1:p1"]["why"] == "paused by you until you resume it"
        shell.settle()
        shell.host.focus("w1:p2")
        assert status(shell)["w1:p2"]["why"] == "paused for the lost focus until you resume it"

    def test_a_hold_that_is_over_is_said_to_be(self, shell: Shell) -> None:
        shell.app.holds.take(hold("b-1"))
        shell.settle()
        shell.app.holds.release("b-1")
        why = "paused for a break or pause that has ended (b-1) until you resume it"
        assert status(shell)["w1:p1"]["why"] == why

    def test_an_unknown_focus_is_null(self, shell: Shell) -> None:
        shell.host.focus_known = False
        assert status(shell)["w1:p1"]["focused"] is None

    def test_a_conflict_is_the_reason(self, shell: Shell) -> None:
        shell.agents["other"] = shell.agent("w1:p1", 103)
        entry = status(shell)["w1:p1"]
        assert "101, 103" in entry["why"]
        assert entry["problem"] == entry["why"]

    def test_it_does_nothing(self, shell: Shell) -> None:
        shell.settle()
        shell.host.focus("w1:p2")
        before = dict(shell.memory.disk.content)
        shell.run("status")
        assert shell.memory.disk.content == before

    def test_a_host_that_goes_in_between_is_named_and_the_others_are_shown(self, shell: Shell) -> None:
        shell.second_session()
        shell.host.before_snapshot = lambda: setattr(shell.host, "down", True)
        result = shell.run("status", "--json")
        found = json.loads(result.out)
        assert [entry["session"].partition("-")[0] for entry in found["agents"]] == ["second"]
        assert found["warnings"] == ["no fake host answers at /run/fake.sock"]

    def test_panes_of_the_same_id_are_told_apart_as_commands_take_them(self, shell: Shell) -> None:
        shell.second_session()
        shown = [line[2:].split()[0] for line in shell.run("status").out.splitlines()[1:4]]
        assert "second/w1:p1" in shown
        assert "w1:p2" in shown
        assert len(set(shown)) == 3
        assert shell.run("explain", shown[shown.index("second/w1:p1")]).code == 0

    def test_without_an_agent_it_says_where_it_looked(self, shell: Shell) -> None:
        shell.host.down = True
        assert shell.run("status").out == f"no agent in any running session of fake\n{NO_CONTROLLER}\n"
        shell.hosts.clear()
        assert "none is selected" in shell.run("status").out

    def test_of_a_host_that_gives_no_answer_it_does_not_say_that_nothing_runs(self, shell: Shell) -> None:
        def sessions() -> Any:
            raise HostUnavailable("no answer within 0.5 s")

        shell.host.sessions = sessions  # type: ignore[method-assign]
        said = shell.run("status").out.splitlines()[0]
        assert said == (
            "no agent that is known of: whether a session of fake runs is not known: no answer within 0.5 s"
        )

    def test_on_a_terminal_it_is_a_table_in_colours(
        self, shell: Shell, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from attention_framework.commands import status as command

        monkeypatch.setattr(command.sys.stdout, "isatty", lambda: True, raising=False)
        result = shell.run("status")
        assert "it has the focus" in result.out


class TestHoldsInForce:
    """Said with agents and without: whoever starts one now is to know what it will meet."""

    def told(self, shell: Shell) -> list[str]:
        lines = shell.run("status").lines
        return [line.removeprefix("in force: ") for line in lines if line.startswith("in force: ")]

    def test_a_break_with_its_end(self, shell: Shell) -> None:
        shell.app.holds.take(hold("tea time"))
        until = local_time(START_MS + 60_000, "%H:%M:%S")
        line = (
            f"break tea time by cli for every agent, until {until} (1 min left); "
            "attention break-end --run-id 'tea time' ends it now"
        )
        assert self.told(shell) == [line]
        shell.host.down = True
        assert self.told(shell) == [line]

    def test_a_manual_pause_of_all_until_it_is_ended(self, shell: Shell) -> None:
        shell.run("pause", "--all")
        line = "a manual pause for every agent, until you end it; attention resume --all ends it"
        assert self.told(shell) == [line]
        shell.run("resume", "front")
        assert "for every agent but w1:p1, " in self.told(shell)[0]

    def test_a_manual_pause_of_one_pane_with_its_end(self, shell: Shell) -> None:
        shell.run("pause", "back", "--for", "30m")
        [line] = self.told(shell)
        assert line.startswith("a manual pause for w1:p2, until ")
        assert line.endswith(" left); attention resume w1:p2 ends it")
        shell.host.down = True
        [line] = self.told(shell)
        assert line.startswith("a manual pause for w1:p2, where no agent is now, until ")
        assert line.endswith(" left); attention resume --all ends it")

    def test_panes_of_one_id_are_told_apart_so_that_the_command_can_be_given(self, shell: Shell) -> None:
        second = shell.second_session()
        shell.run("pause", "second/w1:p1")
        name = f"{second.session.name}/w1:p1"
        line = f"a manual pause for {name}, until you end it; attention resume {name} ends it"
        assert self.told(shell) == [line]
        assert shell.run("resume", name).code == 0
        assert self.told(shell) == []

    def test_one_whose_end_no_clock_can_show(self, shell: Shell) -> None:
        """As of a plugin that means for ever."""
        shell.app.holds.take(replace(hold("b-1"), deadline_ms=10**30))
        assert self.told(shell)[0].startswith(
            "break b-1 by cli for every agent, until a time beyond the calendar; "
        )

    def test_one_that_is_over_is_not_in_force(self, shell: Shell) -> None:
        shell.app.holds.take(hold("b-1"))
        shell.memory.clock.advance(60_000)
        assert self.told(shell) == []


class TestSafePoint:
    def test_who_should_pause_and_has_a_call_in_flight_is_named_with_it(self, shell: Shell) -> None:
        shell.agents["w1:p2"].calls = [{"name": "bash", "since_ms": START_MS}]
        shell.settle()
        shell.memory.clock.advance(12_000 - (shell.memory.clock.wall_ms() - START_MS))
        assert shell.run("status").lines[-1] == "not at a safe point yet: w1:p2 (bash since 12 s)"
        found = json.loads(shell.run("status", "--json").out)
        key = shell.app.state.session(shell.host.session).key
        assert found["not_at_safe_point"] == [{"session": key, "pane": "w1:p2"}]
        assert [entry["at_safe_point"] for entry in found["agents"]] == [None, False]

    def test_who_should_pause_and_runs_is_named(self, shell: Shell) -> None:
        assert shell.run("status").lines[-1] == "not at a safe point yet: w1:p2 (running)"

    def test_a_brake_is_named_with_its_calls_and_since_when(self, shell: Shell) -> None:
        agent = shell.agents["w1:p2"]
        agent.calls = [{"name": "bash", "since_ms": START_MS - 10_000}]
        agent.brake()
        shell.memory.clock.advance(2_000)
        assert shell.run("status").lines[-1] == (
            "not at a safe point yet: w1:p2 (braked since 2 s, bash since 12 s)"
        )
        entry = status(shell)["w1:p2"]
        assert (entry["state"], entry["for_ms"]) == ("braked", 2_000)
        assert entry["why"] == (
            "front has the focus; braked since 2 s, not paused yet; bash still runs since 12 s"
        )

    def test_a_braked_agent_that_may_run_is_waited_for_by_nobody(self, shell: Shell) -> None:
        shell.settle()
        shell.agents["w1:p1"].brake()
        assert shell.run("status").lines[-1] == "every agent that should pause is at a safe point"
        assert "until it hears whether it may go on" in status(shell)["w1:p1"]["why"]

    def test_a_short_absence_is_said_to_be_one(self, shell: Shell) -> None:
        shell.configuration.settings.focus.settle_ms = 1_000
        shell.settle()
        shell.agents["w1:p2"].resume_by_hand()
        shell.host.focus("w1:p2")
        shell.run("reconcile")
        shell.host.focus("w1:p1")
        assert "it is asked in 1.0 s" in status(shell)["w1:p2"]["why"]

    def test_where_all_may_run_there_is_nobody_to_wait_for(self, shell: Shell) -> None:
        del shell.host.panes["w1:p2"]
        shell.agents.pop("w1:p2")
        assert shell.run("status").lines[-1] == "no agent should pause"


class TestWatch:
    def watch(self, shell: Shell, *words: str, **happens: Callable[[], object]) -> Result:
        """Each of `happens` in one of the pauses between two looks, then the person interrupts."""
        events = list(happens.values())

        def pause(ms: float) -> None:
            if not events:
                raise KeyboardInterrupt
            events.pop(0)()

        shell.memory.clock.on_sleep.append(pause)
        result = shell.run("status", "--watch", *words)
        shell.memory.clock.on_sleep.clear()
        return result

    def test_piped_it_prints_a_block_when_something_has_changed_and_only_then(self, shell: Shell) -> None:
        shell.agents["w1:p2"].calls = [{"name": "bash", "since_ms": START_MS}]
        shell.settle()
        result = self.watch(
            shell,
            time=lambda: shell.memory.clock.advance(60_000),
            change=lambda: shell.host.focus("w1:p2"),
            nothing=lambda: None,
        )
        assert result.code == 130
        heads = [line for line in result.lines if line.startswith("-- ")]
        assert len(heads) == 2
        assert result.lines.count("pane           agent  state    why") == 2
        assert "* w1:p2 back" in result.out.rpartition("-- ")[2]

    def test_programs_get_an_object_a_line(self, shell: Shell) -> None:
        result = self.watch(shell, "--json", change=lambda: shell.host.focus("w1:p2"))
        first, second = map(json.loads, result.lines)
        assert [entry["focused"] for entry in first["agents"]] == [True, False]
        assert [entry["focused"] for entry in second["agents"]] == [False, True]

    def test_it_looks_as_often_as_it_is_told(self, shell: Shell) -> None:
        slept: list[float] = []
        shell.memory.clock.on_sleep.append(slept.append)
        self.watch(shell, "--interval", "5s")
        assert slept == [5_000]
        assert "--interval" in shell.wrong("status", "--watch", "--interval", "often")
        assert shell.run("status", "--interval", "5s").err.endswith("--watch looks: give both\n")

    def test_on_a_terminal_it_is_refreshed_in_place(
        self, shell: Shell, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from attention_framework.commands import status as command

        monkeypatch.setattr(command.sys.stdout, "isatty", lambda: True, raising=False)
        result = self.watch(shell, change=lambda: shell.host.focus("w1:p2"))
        assert result.code == 130
        assert "* w1:p2" in result.out


class TestLog:
    def test_what_was_decided_when_and_why_with_its_steps(self, shell: Shell) -> None:
        shell.run("reconcile", "--trigger", "pane.focused")
        (line,) = shell.run("log").lines
        assert "pause-sent     w1:p2 omp by focused: front has the focus; left in its mailbox" in line
        assert "woken by pane.focused" in line
        assert line.endswith(" ms]")
        assert "deliver=" in line

    def test_what_changed_nothing_is_shown_on_demand(self, shell: Shell) -> None:
        shell.run("reconcile")
        everything = shell.run("log", "--all").lines
        assert [
            word for line in everything for word in ("cycle", "left-running", "pause-sent") if word in line
        ] == [
            "cycle",
            "left-running",
            "pause-sent",
        ]

    def test_one_pane_a_while_and_a_number_of_lines(self, shell: Shell) -> None:
        for _ in range(3):
            shell.run("reconcile")
        assert len(shell.run("log", "--pane", "w1:p2").lines) == 3
        assert shell.run("log", "--pane", "w9").out == "nothing was decided about w9\n"
        assert len(shell.run("log", "--last", "2").lines) == 2
        assert shell.run("log", "--last", "0").lines == []
        shell.memory.clock.advance(61_000)
        assert shell.run("log", "--since", "1m").out == "nothing was decided in that time\n"
        assert len(shell.run("log", "--since", "2m").lines) == 3

    def test_programs_get_the_lines_of_the_journal(self, shell: Shell) -> None:
        shell.run("reconcile")
        (entry,) = map(json.loads, shell.run("log", "--json").lines)
        assert (entry["type"], entry["pane"], entry["outcome"]) == ("decision", "w1:p2", "pause-sent")

    def test_a_cycle_that_failed_is_shown(self, shell: Shell) -> None:
        shell.host.down = True
        shell.run("reconcile", "--host", "fake", "--address", shell.host.session.address)
        assert "failed: no fake host answers" in shell.run("log").out

    def test_holds_and_coalesced_wake_ups_have_lines(self, shell: Shell) -> None:
        shell.app.journal.write_hold(hold("b-1"), "taken")
        shell.app.journal.write_coalesced(shell.host.session, "fake-1", "pane.focused", (("mark", 1.0),))
        assert "hold taken     b-1 break by cli" in shell.run("log").out
        assert "coalesced" not in shell.run("log").out
        assert "coalesced      pane.focused" in shell.run("log", "--all").out

    def test_the_end_of_a_break_says_why_and_what_was_given_back(self, shell: Shell) -> None:
        shell.app.journal.write_hold(hold("b-1"), "released", "postponed")
        shell.app.journal.write_given_back("b-1", ["w1:p2", "w1:p3"])
        assert [line.split("  ", 1)[1] for line in shell.run("log").lines] == [
            "hold released  b-1 break by cli: postponed",
            "hold gave-back b-1 break w1:p2, w1:p3",
        ]

    def test_a_hold_that_the_person_has_waived_is_told_once(self, shell: Shell) -> None:
        said = {"type": "decision", "outcome": "waived", "session": "s", "agent": "omp", "trigger": "t"}
        lines = [
            json.dumps({**said, "pane": pane, "reason": f"in spite of {run}"})
            for pane, run in [("a", "b-1"), ("a", "b-1"), ("b", "b-1"), ("a", "b-2"), ("a", "b-2")]
        ]
        shell.memory.disk.put(shell.app.state.journal, "\n".join([*lines, ""]).encode())
        assert len(shell.run("log").lines) == 3
        assert len(shell.run("log", "--all").lines) == 5

    @pytest.mark.parametrize(
        "line",
        [
            b'{"type": "decision"}',
            b'{"type": "later"}',
            b'{"outcome": 7}',
            b"{}",
            b'{"type": "hold"}',
            b'{"at_ms": "noon"}',
            b'{"at_ms": 1e+30}',
            b'{"steps": [1]}',
            b'{"steps": {"mark": "soon"}}',
        ],
    )
    def test_a_line_of_another_version_is_shown_as_it_is(self, shell: Shell, line: bytes) -> None:
        shell.memory.disk.put(shell.app.state.journal, line + b"\n")
        result = shell.run("log", "--all")
        assert result.code == 0
        assert line.decode() in result.out
        assert shell.run("log", "--since", "1h").code == 0

    def test_it_follows_what_comes_until_it_is_interrupted(self, shell: Shell) -> None:
        shell.app.journal.write_hold(hold("b-1"), "taken")
        events = [
            lambda: shell.app.journal.write_hold(hold("b-2"), "taken"),
            lambda: None,
            lambda: shell.app.journal.write_coalesced(shell.host.session, "fake-1", "quiet", ()),
            lambda: shell.app.journal.write_hold(hold("b-2"), "released"),
        ]

        def pause(ms: float) -> None:
            if not events:
                raise KeyboardInterrupt
            events.pop(0)()

        shell.memory.clock.on_sleep.append(pause)
        result = shell.run("log", "--follow")
        assert result.code == 130
        assert [line.split("  ", 1)[1] for line in result.lines] == [
            "hold taken     b-1 break by cli",
            "hold taken     b-2 break by cli",
            "hold released  b-2 break by cli",
        ]

    def test_nothing_yet(self, shell: Shell) -> None:
        assert shell.run("log").out == "nothing was decided yet\n"
        assert shell.run("log", "--json").out == ""

    def test_a_number_that_is_none_is_wrong_usage(self, shell: Shell) -> None:
        assert "argument --last: 'many' is no whole number\n" in shell.wrong("log", "--last", "many")
        assert "--since" in shell.wrong("log", "--since", "yesterday")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("90s", 90),
        ("1.5m", 90),
        ("30m", 1_800),
        ("2h", 7_200),
        ("1h30m", 5_400),
        (" 1D ", 86_400),
    ],
)
def test_a_duration_is_read(text: str, seconds: float) -> None:
    assert duration_s(text) == seconds


def test_what_is_no_duration_is_told_every_unit() -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"90s, 30m, 2h, 1h30m or 7d$"):
        duration_s("yesterday")


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(-5, "0 s"), (4_400, "4 s"), (59_600, "1 min"), (3_599_000, "59 min"), (3_900_000, "1 h 05 min")],
)
def test_a_duration_is_said(milliseconds: float, words: str) -> None:
    assert in_words(milliseconds) == words
