"""The agent brakes by itself when its pane loses the focus, before anybody has decided."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pytest

from attention_framework.testing import until

from .harness.agent import ACT_WITHIN_S
from .harness.controller import StandIn
from .harness.model_server import Say
from .harness.tools import touch, waiting
from .harness.ways import one_shot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .harness.agent import Agent
    from .harness.world import World

pytestmark = one_shot  # The resident controller is the test's.
LINE = "attention: held"
BUSY_STEPS = 400
SWITCHES = 5


class Desk(NamedTuple):
    """Two agents without any hook of the host: what happens, the agents do by themselves and the test's controller says."""

    world: World
    controller: StandIn
    left: Agent
    other: Agent


def by_focus(world: World) -> StandIn:
    """Answers as the real one: who has the focus may go on."""
    return StandIn(world.state, lambda ask: "run" if world.host.focused() == ask["pane"] else "pause")


@pytest.fixture
def desk(world: World) -> Iterator[Desk]:
    """The first agent is warm and has the focus."""
    world.set_up(hooks=False)
    with by_focus(world) as controller:
        controller.accepts_wakes = True
        left, other = world.agent("a"), world.agent("b")
        world.switch(left)
        until(lambda: not left.look().paused, ACT_WITHIN_S, what="the agent is let go")
        warm(world, left)
        yield Desk(world, controller, left, other)


def warm(world: World, agent: Agent) -> None:
    """The first command of an OMP blocks its loop for two seconds."""
    script = world.model.play(f"warm-{agent.name}", touch("warm"), Say(f"WARM {agent.name}"))
    agent.prompt(f"go {script}")
    until(lambda: f"WARM {agent.name}" in agent.screen(), 40, what="the agent is warm")
    until(lambda: agent.look().idle, ACT_WITHIN_S, what="the agent is idle")


def keep_busy(world: World, agent: Agent) -> None:
    steps = [touch("step") for _ in range(BUSY_STEPS)]
    script = world.model.play(f"busy-{agent.name}", *steps, Say("NEVER"))
    agent.prompt(f"go {script}")
    until(lambda: len(world.model.asked(f"busy-{agent.name}")) > 2, 20, what="the agent is busy")


def has_asked_more(world: World, script: str, than: int) -> bool:
    return len(world.model.asked(script)) > than


def state_of(agent: Agent) -> str:
    status = agent.status()
    return "none" if status is None else str(status["state"])


def until_braked(agent: Agent) -> None:
    until(
        lambda: agent.look().paused and state_of(agent) == "braked", ACT_WITHIN_S, what="the agent is braked"
    )


def starts(events: list[str]) -> list[str]:
    return [event for event in events if event.startswith("tool_execution_start")]


def test_no_tool_starts_after_the_lost_focus_was_read_and_the_pause_screen_takes_over(world: World) -> None:
    world.set_up()
    with by_focus(world) as controller:
        left, other = world.agent("a"), world.agent("b")
        left.until_paused()
        world.switch(left)
        left.resume()
        warm(world, left)
        keep_busy(world, left)
        slipped: list[str] = []
        requests, latencies = [], []
        for _ in range(SWITCHES):
            seen = len(left.look().events)
            world.switch(other)
            left.until_paused()
            world.settle()
            look = left.look()
            events = look.events[seen:]
            [gone] = [event for event in events if event.what == "focus-out"]
            [engaged, *_] = [e for e in events if e.what == "gate-engaged"]
            later = [event.what for event in events if event.fine > gone.fine]
            slipped += starts(later)
            after_gate = [event.what for event in events if event.fine > engaged.fine]
            requests.append(after_gate.count("before_provider_request"))
            latencies.append(engaged.fine - gone.fine)
            assert later.count("gate-released") in (0, 1), "let go for the swap alone"
            world.switch(left)
            asked = len(world.model.asked("busy-a"))
            left.resume()
            goes_on = partial(has_asked_more, world, "busy-a", asked + 1)
            until(goes_on, 20, what="the agent goes on")
        print("ms from the report read to the gate engaged:", [f"{ms:.2f}" for ms in latencies])
        print("model requests after the gate:", requests)
        assert slipped == []
        assert all(count <= 1 for count in requests), "only one that had passed OMP's own check"
        assert [ask["event"] for ask in controller.asked].count("focus-out") >= SWITCHES


def test_no_tool_starts_where_a_pause_is_ended_and_the_pane_left_in_the_same_moment(world: World) -> None:
    world.set_up()
    with by_focus(world):
        left, other = world.agent("a"), world.agent("b")
        left.until_paused()
        world.switch(left)
        left.resume()
        warm(world, left)
        keep_busy(world, left)
        slipped, before_the_gate = list[str](), 0
        for _ in range(SWITCHES):
            world.switch(other)
            left.until_paused()
            world.switch(left)
            seen = len(left.look().events)
            world.host.type(b" ")
            world.host.press_focus(other.pane)
            until(lambda seen=seen: "gate-released" in told(left, seen), ACT_WITHIN_S, what="the key is read")
            left.until_paused()
            world.settle()
            events = told(left, seen)
            away = events.index("focus-out")
            slipped += starts(events[away:])
            before_the_gate += away < events.index("gate-released")
        print(f"read before the gate was open: {before_the_gate} of {SWITCHES} reports")
        assert slipped == []


def told(agent: Agent, since: int) -> list[str]:
    events = sorted(agent.look().events[since:], key=lambda event: event.fine)
    return [event.what for event in events]


def test_a_braked_agent_says_so_on_its_screen_and_goes_on_when_the_person_is_back(desk: Desk) -> None:
    world, controller, left, other = desk
    before = left.draft("a draft\nof two lines")
    world.switch(other)
    until_braked(left)
    until(lambda: LINE in left.screen(), ACT_WITHIN_S, what="the line is on the screen")
    status = left.status()
    assert status is not None
    assert status["shown"] == "line"
    assert status["reflex"].items() >= {"mode": "brake", "reports": True, "away": True, "silent": 0}.items()
    assert controller.asked[-1]["event"] == "focus-out"
    world.switch(left)
    until(lambda: not left.look().paused and state_of(left) == "running", ACT_WITHIN_S, what="it is let go")
    until(lambda: LINE not in left.screen(), ACT_WITHIN_S, what="the line is gone")
    after = left.look()
    assert (after.text, after.cursor, after.editor_focused) == (before.text, before.cursor, True)


def test_a_step_in_flight_ends_and_nothing_follows_until_the_person_is_back(desk: Desk) -> None:
    world, _, left, other = desk
    script = world.model.play("work", waiting("one"), touch("two"), Say("WORK DONE"))
    left.prompt(f"go {script}")
    until(lambda: left.wrote("one.started"), 20, what="the call is in flight")
    world.switch(other)
    until_braked(left)
    seen = len(left.look().events)
    left.allow("one.go")
    until(lambda: left.wrote("one.done"), what="the call in flight has come to its end")
    until(lambda: "turn_end" in left.look().after(seen), what="and so has the turn")
    assert left.look().paused
    assert world.model.asked("work") == [0]
    world.switch(left)
    until(lambda: "WORK DONE" in left.screen(), 20, what="the agent has gone on to its end")


@pytest.mark.parametrize("verdict", ["run", "unknown"])
def test_an_agent_that_may_go_on_is_held_for_the_moment_of_the_question(desk: Desk, verdict: str) -> None:
    world, controller, left, other = desk
    controller.verdict = lambda ask: verdict
    seen = len(left.look().events)
    world.switch(other)
    until(lambda: "gate-released" in left.look().after(seen), ACT_WITHIN_S, what="it is let go")
    assert left.look().after(seen) == ["focus-out", "gate-engaged", "gate-released"]
    status = left.status()
    assert status is not None
    assert (status["state"], status["reflex"]["away"]) == ("running", True)


def test_a_controller_that_does_not_answer_holds_nobody(desk: Desk) -> None:
    world, controller, left, other = desk
    controller.verdict = lambda ask: None
    controller.renew(ask_ms=300)
    seen = len(left.look().events)
    world.switch(other)
    until(lambda: "gate-released" in left.look().after(seen), ACT_WITHIN_S, what="it is let go")
    until(lambda: state_of(left) == "running", ACT_WITHIN_S, what="and says so")
    status = left.status()
    assert status is not None
    assert status["problem"]["code"] == "unanswered"
    assert status["reflex"]["silent"] == 1


def test_the_persons_own_pause_wins_over_the_brake(desk: Desk) -> None:
    """By the pause key, as it may come from elsewhere too; a typed `/pause` begins with a key that lets go."""
    world, _, left, other = desk
    world.switch(other)
    until_braked(left)
    world.switch(left)
    left.type("/pause")
    until(lambda: left.look().text == "/pause", ACT_WITHIN_S, what="the command stands in the editor")
    left.type("\r")
    left.until_paused()
    status = left.status()
    assert status is not None
    assert status["by"] == "person"
    world.switch(other)
    world.switch(left)
    assert left.is_paused(), "nobody undoes it"
    left.resume()


def test_the_brake_works_again_after_an_external_editor(desk: Desk) -> None:
    world, _, left, other = desk
    left.draft("text")
    left.type("\x07")  # Ctrl+G
    until(lambda: left.wrote("editor.started"), ACT_WITHIN_S, what="the editor has the terminal")
    left.allow("editor.go")
    until(lambda: left.look().text == "textedited", ACT_WITHIN_S, what="the editor is left")
    world.switch(other)
    until_braked(left)
    world.switch(left)
    until(lambda: not left.look().paused, ACT_WITHIN_S, what="it is let go")


def test_in_strict_mode_every_step_is_asked_about_and_none_starts_without_an_answer(desk: Desk) -> None:
    world, controller, left, _ = desk
    controller.renew(mode="strict")
    script = world.model.play("work", touch("one"), [touch("two"), touch("three")], Say("WORK DONE"))
    left.prompt(f"go {script}")
    until(lambda: "WORK DONE" in left.screen(), 30, what="the agent has come to its end")
    events = [ask["event"] for ask in controller.asked]
    assert events.count("tool:bash") >= 3
    assert events.count("turn") >= 3
    seen = len(left.look().events)
    controller.verdict = lambda ask: "pause"
    script = world.model.play("more", touch("four"), Say("MORE DONE"))
    left.prompt(f"go {script}")
    until_braked(left)
    until(lambda: LINE in left.screen(), ACT_WITHIN_S, what="the line is on the screen")
    assert starts(left.look().after(seen)) == []
    assert not left.wrote("four")
    controller.verdict = lambda ask: "run"
    left.type("x")  # Any key lets go; from then on every step is asked about again.
    until(lambda: "MORE DONE" in left.screen(), 30, what="the agent has gone on")


def test_a_resident_controller_is_woken_by_its_socket(desk: Desk) -> None:
    world, controller, left, _ = desk
    assert {"omp:hello"} <= {wake["trigger"] for wake in controller.woken}
    assert all(wake["answer"] == "no" and wake["host"] == world.host.name for wake in controller.woken)
    triggers = {line.get("trigger") for line in world.journal()}
    assert not any("omp:" in trigger for trigger in triggers if trigger), "no other controller was started"
    left.type("\x1b\x10")  # Ctrl+Alt+P
    left.until_paused()
    until(lambda: controller.woken[-1]["trigger"] == "omp:paused", ACT_WITHIN_S, what="the pause is told")
    left.resume()


@pytest.mark.parametrize(
    "version", [pytest.param(name, marks=pytest.mark.omp(name)) for name in ("omp-oldest", "omp-newest")]
)
def test_the_brake_works_on_every_supported_omp(desk: Desk, version: str) -> None:
    world, _, left, other = desk
    script = world.model.play("work", waiting("one"), touch("two"), Say("WORK DONE"))
    left.prompt(f"go {script}")
    until(lambda: left.wrote("one.started"), 20, what="the call is in flight")
    world.switch(other)
    until_braked(left)
    until(lambda: LINE in left.screen(), ACT_WITHIN_S, what="the line is on the screen")
    left.allow("one.go")
    until(lambda: left.wrote("one.done"), what="the call in flight has come to its end")
    left.world.host.focus(left.pane)
    until(lambda: "WORK DONE" in left.screen(), 20, what="the agent has gone on")
    world.switch(other)
    until_braked(left)
    ask = {"focus": {"reason": "left", "deadline_ms": None, "attended": (left.status() or {})["attended"]}}
    seen = len(left.look().events)
    leave_request(left, ask)
    left.until_paused()
    assert left.look().after(seen)[:2] == ["gate-released", "gate-engaged"], "in one tick"
    assert LINE not in left.screen()
    world.switch(left)
    left.resume()


def leave_request(agent: Agent, runs: dict[str, object]) -> None:
    letter = agent.mailbox() / "pending.json"
    letter.with_name(".letter").write_text(json.dumps({"v": 1, "runs": runs, "written_ms": 0}))
    letter.with_name(".letter").replace(letter)
