"""The harness itself: OMP without this project, so that a fault of one is not taken for a fault of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework.testing import until

from .harness.model_server import Say
from .harness.probe import Event, InPresence, begun_away, shown_in_presence
from .harness.tools import touch, waiting
from .test_breaks import Open, Workplace

if TYPE_CHECKING:
    from .harness.world import World


def test_an_omp_plays_a_script_to_its_end(world: World) -> None:
    agent = world.agent("a")
    script = world.model.play("two", waiting("one"), touch("two"), Say("ALL DONE"))
    agent.prompt(f"go {script}")
    until(lambda: agent.wrote("one.started"), 20, what="the first tool has started")
    agent.allow("one.go")
    until(lambda: "ALL DONE" in agent.screen(), 20, what="the last answer is on the screen")
    assert agent.wrote("two")
    assert world.model.asked("two") == [0, 1, 2]


def test_a_draft_stands_in_the_editor_as_it_was_pasted(world: World) -> None:
    agent = world.agent("a")
    assert agent.draft("one\n  zwei 🙂\nthree").cursor == (2, 5)


class Unready(Workplace):
    """One that cannot be made ready for the next test."""

    def __init__(self) -> None:
        pass

    def as_at_first(self) -> None:
        raise AssertionError("a command has failed")


@pytest.mark.parametrize("broken", ["by being opened", "by being made ready"])
def test_a_shared_workplace_that_fails_is_closed_for_the_next_test(
    monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    opened = Open("none")
    closed: list[bool] = []

    def start() -> Workplace:
        opened._stack.callback(closed.append, True)
        if broken == "by being opened":
            raise AssertionError("a command has failed")
        return Unready()

    monkeypatch.setattr(opened, "_open", start)

    def use() -> None:
        opened.place()
        opened.give_back(well=True)

    with pytest.raises(AssertionError, match="a command has failed"):
        use()
    assert closed == [True]
    assert opened._place is None


@pytest.mark.parametrize(
    ("events", "found"),
    [
        ("focus-in gate-engaged screen-shown", [2]),
        ("focus-out focus-in gate-engaged gate-released gate-engaged screen-shown", [5]),
        ("focus-in focus-out gate-engaged screen-shown", []),
        # Begun while the person was away, and taken back.
        ("focus-out gate-engaged focus-in screen-shown gate-released screen-gone", []),
        # Left and come back to; the resume is the person's, and then it is paused again.
        (
            "focus-out gate-engaged screen-shown focus-in gate-released screen-gone gate-engaged screen-shown",
            [7],
        ),
        # A boundary that strict mode asks about shows no screen; the one after it is for a lost focus.
        (
            "focus-in gate-engaged gate-released gate-engaged focus-out gate-released gate-engaged screen-shown",
            [],
        ),
        ("gate-engaged screen-shown", []),
    ],
)
def test_a_pause_screen_that_was_begun_under_the_eyes_of_the_person_is_found(
    events: str, found: list[int]
) -> None:
    noted = [Event(what, at, at) for at, what in enumerate(events.split())]
    assert [it.screen.at for it in shown_in_presence(noted)] == found


TOOL = "tool_execution_start:bash"


@pytest.mark.parametrize(
    ("events", "braked"),
    [
        (f"focus-in {TOOL} focus-out gate-engaged", []),
        (f"focus-out {TOOL} gate-engaged focus-in {TOOL}", [False]),
        # The controller has said that it may go on; the next report has to be answered anew.
        (f"focus-out gate-engaged gate-released {TOOL} focus-out {TOOL}", [True, False]),
        # At the report it was held before its next step.
        (f"focus-in gate-engaged focus-out gate-released {TOOL}", [True]),
    ],
)
def test_a_tool_that_nothing_kept_from_beginning_while_the_person_was_away_is_found(
    events: str, braked: list[bool]
) -> None:
    noted = [Event(what, at, at) for at, what in enumerate(events.split())]
    assert [tool.braked for tool in begun_away(noted)] == braked


@pytest.mark.parametrize(
    ("decided_ms", "refuted"),
    [([], False), ([900], False), ([900, 1_005], True), ([1_000], True), ([900, 1_050], False)],
    ids=["by nobody", "before it came", "before and after", "as it came", "after the screen"],
)
def test_a_controller_that_was_quicker_than_the_report_has_paused_nobody_under_the_eyes_of_the_person(
    decided_ms: list[float], refuted: bool
) -> None:
    screen = InPresence(Event("focus-in", 1_000, 0), Event("screen-shown", 1_020, 20))
    assert screen.is_refuted(decided_ms) is refuted
