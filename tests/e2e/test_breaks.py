"""Screen breaks: every agent pauses, and the pause's hold ends the moment the break does."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from attention_framework.testing import until

from .conftest import HOSTS
from .harness.breaks import (
    WITHIN_S,
    Breaks,
    ByDriver,
    ByServe,
    ByWatch,
    Way,
    resume_all,
    started_world,
    until_all_paused,
)
from .harness.model_server import Say, ScriptedModel
from .harness.omp_home import write_home
from .harness.programs import omp_folder
from .harness.tools import ask, touch, waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .harness.agent import Agent
    from .harness.world import World

DRAFT = "Dear agent,\n    please  look at „äöü“ 🙂\n\n  and at \\ $HOME `x` /pause  "
ESCAPE = "\x1b"
WAYS: dict[str, type[Way]] = {"break-run": ByDriver, "break-watch": ByWatch, "serve": ByServe}
SPEED = 20
MINUTE_MS = 60_000.0
"""Of a Stretchly at speed 1. Breaks that a test ends last longer than any machine takes for what comes before."""


class Workplace:
    """Four agents that all run as long as there is no break. Started once, as four OMPs take their time."""

    def __init__(self, world: World, breaks: Breaks) -> None:
        self.world = world
        self.breaks = breaks
        breaks.write_settings()
        world.attention("setup", world.host.name, "omp", "--yes")
        self.idle, self.talking, self.calling = (world.agent(name) for name in ("idle", "talk", "call"))
        write_home(world.home, world.model.url, approval="always-ask")
        self.asking = world.agent("ask")
        self.agents = [self.idle, self.talking, self.calling, self.asking]
        self._scripts = 0

    def as_at_first(self) -> None:
        """All agents run, nothing is held."""
        self.breaks.end()
        self.world.attention("serve", "--detach")
        self.breaks.configure()
        self.world.settle()
        resume_all(self.world, self.agents)

    def script(self) -> str:
        """A name that no script has had."""
        self._scripts += 1
        return f"script-{self._scripts}"


class Open:
    """The workplace that is open, if one is. A test that fails leaves none to the next one."""

    def __init__(self, host: str) -> None:
        self.host = host
        self._stack = ExitStack()
        self._place: Workplace | None = None

    def place(self) -> Workplace:
        if self._place is None:
            with self._closed_on_failure():
                self._place = self._open()
        return self._place

    def give_back(self, well: bool) -> None:
        """Ready for the next test. Where that fails it is no failure yet that a later test could see."""
        if not well or self._place is None:
            self.close()
            return
        with self._closed_on_failure():
            self._place.as_at_first()

    @contextmanager
    def _closed_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _open(self) -> Workplace:
        model = self._stack.enter_context(ScriptedModel())
        world = self._stack.enter_context(started_world(HOSTS[self.host](), model, omp_folder()))
        return Workplace(world, self._stack.enter_context(Breaks(world)))

    def close(self) -> None:
        self._place = None
        self._stack.close()


@pytest.fixture(scope="module", params=HOSTS)
def opened(request: pytest.FixtureRequest) -> Iterator[Open]:
    opened = Open(request.param)
    try:
        yield opened
    finally:
        opened.close()


@pytest.fixture
def place(opened: Open, request: pytest.FixtureRequest) -> Iterator[Workplace]:
    """All agents run, nothing is held."""
    failed = request.session.testsfailed
    yield opened.place()
    opened.give_back(well=request.session.testsfailed == failed)


@pytest.fixture
def world(place: Workplace) -> World:
    return place.world


@pytest.fixture
def breaks(place: Workplace) -> Breaks:
    return place.breaks


@pytest.fixture
def way(request: pytest.FixtureRequest, breaks: Breaks) -> Way:
    breaks.anew(speed=SPEED, mini_ms=SPEED * MINUTE_MS, long_ms=SPEED * MINUTE_MS, starts_ms=0)
    return WAYS[request.param](breaks)


def nothing_more_happens(world: World) -> None:
    world.settle()
    world.attention("reconcile")
    world.settle()


def shown(agents: list[Agent]) -> list[int]:
    """How often the pause screen of each was shown so far. A brake of its own, after the focus moved, shows none."""
    return [len(agent.look().times("screen-shown")) for agent in agents]


def gone(agents: list[Agent]) -> list[int]:
    return [len(agent.look().times("screen-gone")) for agent in agents]


def open_picker(place: Workplace) -> Callable[[], None]:
    agent = place.asking
    agent.type("/model")
    until(lambda: agent.look().text == "/model", WITHIN_S, what="the command stands in the editor")
    agent.type("\r")
    until(lambda: "All available models" in agent.screen(), WITHIN_S, what="the picker is open")

    def close() -> None:
        until(
            lambda: "All available models" in agent.screen(),
            WITHIN_S,
            what="the picker is on the screen again",
        )
        agent.type(ESCAPE)
        until(lambda: agent.look().editor_focused, WITHIN_S, what="the picker takes keys and closes")

    return close


def ask_question(place: Workplace) -> Callable[[], None]:
    agent, name = place.asking, place.script()
    agent.prompt(
        f"go {place.world.model.play(name, ask('Which one?', 'Alpha', 'Beta'), Say(f'DONE {name}'))}"
    )
    until(
        lambda: "Alpha" in agent.screen() and not agent.look().editor_focused,
        WITHIN_S,
        what="the question is asked",
    )

    def close() -> None:
        until(lambda: "Alpha" in agent.screen(), WITHIN_S, what="the question is on the screen again")
        assert place.world.model.asked(name) == [0]
        agent.type("\r")
        until(lambda: f"DONE {name}" in agent.screen(), WITHIN_S, what="the answer has arrived")

    return close


def ask_approval(place: Workplace) -> Callable[[], None]:
    agent, name = place.asking, place.script()
    agent.prompt(f"go {place.world.model.play(name, touch(name), Say(f'DONE {name}'))}")
    until(lambda: not agent.look().editor_focused, WITHIN_S, what="OMP asks for approval")

    def close() -> None:
        assert not agent.wrote(name)
        assert not agent.look().editor_focused
        agent.type("\r")
        until(lambda: f"DONE {name}" in agent.screen(), WITHIN_S, what="the tool was approved")
        assert agent.wrote(name)

    return close


@pytest.mark.parametrize(
    ("way", "dialog"),
    [("break-run", open_picker), ("break-watch", ask_question), ("serve", ask_approval)],
    indirect=["way"],
)
def test_a_mini_break_pauses_every_agent_whatever_it_does_and_resumes_none(
    place: Workplace, breaks: Breaks, way: Way, dialog: Callable[[Workplace], Callable[[], None]]
) -> None:
    world, go = place.world, threading.Event()
    talk, work = place.script(), place.script()
    world.switch(place.talking)
    place.talking.prompt(f"go {world.model.play(talk, Say(f'FIRST{talk} words, LAST{talk}', after=go))}")
    world.switch(place.calling)
    steps = [waiting(f"{work}.1"), touch(f"{work}.2"), Say(f"DONE {work}")]
    place.calling.prompt(f"go {world.model.play(work, *steps)}")
    world.switch(place.asking)
    close_dialog = dialog(place)
    world.switch(place.idle)
    before = place.idle.draft(DRAFT)
    until(lambda: f"FIRST{talk}" in place.talking.screen(), WITHIN_S, what="the answer has begun")
    until(lambda: place.calling.wrote(f"{work}.1.started"), WITHIN_S, what="the call is in flight")

    way.begin("mini")

    until_all_paused(place.agents)
    [run] = breaks.runs()
    for agent in place.agents:
        ack = json.loads((agent.mailbox() / "ack.json").read_text())
        assert (ack["runs"], ack["shown"]) == ([run], "overlay")
    assert [call["name"] for call in (place.calling.status() or {})["calls"]] == ["bash"]
    times = gone(place.agents)
    breaks.stretchly.run_out()
    way.until_over()
    assert breaks.said("finishing", "mini")
    go.set()
    place.calling.allow(f"{work}.1.go")
    until(lambda: place.calling.wrote(f"{work}.1.done"), WITHIN_S, what="what was in flight comes to its end")
    nothing_more_happens(world)
    assert all(agent.is_paused() for agent in place.agents), "a break's end resumes nobody"
    assert gone(place.agents) == times
    assert world.model.asked(work) == [0]
    assert (place.idle.look().text, place.idle.look().cursor) == (before.text, before.cursor)

    resume_all(world, [place.asking])
    close_dialog()
    resume_all(world, place.agents)
    until(lambda: f"DONE {work}" in place.calling.screen(), WITHIN_S, what="the agent has gone on to its end")
    assert f"LAST{talk}" in place.talking.screen()
    assert (place.idle.look().text, place.idle.look().cursor) == (before.text, before.cursor)
    world.switch(place.idle)
    place.idle.type("\x03")
    until(lambda: place.idle.look().text == "", WITHIN_S, what="the draft is put away by the person")


@pytest.mark.parametrize("way", WAYS, indirect=True)
def test_a_long_break_that_is_skipped_after_a_second_holds_nobody_any_more(
    place: Workplace, breaks: Breaks, way: Way
) -> None:
    breaks.anew(speed=SPEED, starts_ms=0, skip_after_ms=SPEED * 1000)
    held: list[str] = []

    way.begin("long")
    held += breaks.runs()
    way.until_over()

    nothing_more_happens(place.world)
    assert breaks.said("finishing", "long")
    assert not list(place.world.state.glob("sessions/*/mailbox/*/pending.json*")), "nothing is on its way"
    paused = [agent.is_paused() for agent in place.agents]
    assert [agent.is_running() for agent in place.agents] == [not each for each in paused]
    counts = shown(place.agents)
    resume_all(place.world, place.agents)
    nothing_more_happens(place.world)
    assert shown(place.agents) == counts, "no pause comes late"
    assert all(agent.is_running() for agent in place.agents)
    entries = [line for line in place.world.journal() if line["type"] == "hold" and line["run"] in held]
    assert [line["change"] for line in entries] == ["taken", "released"]


@pytest.mark.parametrize("way", ["break-run", "break-watch"], indirect=True)
def test_a_break_that_is_postponed_ends_and_comes_back(place: Workplace, breaks: Breaks, way: Way) -> None:
    """Stretchly brings it back by itself: that one is the watch's; nobody has asked a driver for it."""
    by_driver = isinstance(way, ByDriver)
    kind, speed = ("mini", 60) if by_driver else ("long", 30)  # Back after 2 s or 10 s.
    breaks.anew(speed=speed, mini_ms=speed * MINUTE_MS, long_ms=speed * MINUTE_MS, starts_ms=0)
    way.begin(kind)
    first = breaks.runs()
    until_all_paused(place.agents)
    shown = len(breaks.said("starting", kind))

    breaks.stretchly.postpone()

    until(lambda: not breaks.runs() & first, WITHIN_S, "its hold has ended")
    assert breaks.said("postponing", kind)
    resumed = place.agents[:2]
    resume_all(place.world, resumed)
    until(lambda: len(breaks.said("starting", kind)) > shown, WITHIN_S, "the break is back")
    if by_driver:
        way.until_over()
        nothing_more_happens(place.world)
        assert all(agent.is_running() for agent in resumed)
    else:
        until(lambda: breaks.runs() - first, WITHIN_S, "it is held")
        until_all_paused(place.agents)
        breaks.stretchly.skip()
        way.until_over()


@pytest.mark.parametrize("by", ["break-run", "serve"])
def test_a_long_break_that_ends_while_a_mini_one_holds_resumes_nobody(
    place: Workplace, breaks: Breaks, by: str
) -> None:
    """As the one of :50 does that is still shown at :00. The last one gives back what was focused at the first."""
    breaks.anew(speed=SPEED, mini_ms=SPEED * 3000, long_ms=SPEED * MINUTE_MS, starts_ms=0)
    way = WAYS[by](breaks, resume="last-active" if by == "serve" else "none")
    last_active, elsewhere = place.talking, place.calling
    place.world.switch(last_active)
    way.begin("long", "--resume", "own")
    first = breaks.runs()
    until_all_paused(place.agents)
    times = gone(place.agents)
    place.world.switch(elsewhere)

    way.begin("mini", "--resume-last-active")
    until(lambda: not breaks.runs() & first, WITHIN_S, "the long one holds nobody any more")

    [hold] = breaks.holds()
    assert hold["last_active"]["pane"] == last_active.pane
    assert gone(place.agents) == times, "not for a moment"
    way.until_over()
    last_active.until_running()
    nothing_more_happens(place.world)
    assert [agent.is_running() for agent in place.agents] == [each is last_active for each in place.agents]
    assert breaks.said("finishing", "mini")


@pytest.mark.parametrize("by", ["break-run", "break-watch"])
def test_where_stretchly_is_killed_the_hold_ends_at_its_deadline(
    place: Workplace, breaks: Breaks, by: str
) -> None:
    breaks.anew(speed=1, starts_ms=0)
    way = WAYS[by](breaks, at_most_s=10, resume="own")
    way.begin("mini")
    until_all_paused(place.agents)
    [hold] = breaks.holds()
    assert 0 < hold["deadline_ms"] - hold["started_ms"] <= 10_000

    breaks.stretchly.kill()

    way.until_over()
    for agent in place.agents:
        agent.until_running()
    nothing_more_happens(place.world)
    assert all(agent.is_running() for agent in place.agents)


def test_in_a_break_focus_changes_exempt_nobody_and_a_person_who_resumes_one_has_waived_it(
    place: Workplace, breaks: Breaks
) -> None:
    world = place.world
    breaks.anew(speed=1, starts_ms=0)
    way = ByDriver(breaks)
    world.switch(place.idle)
    way.begin("long")
    until_all_paused(place.agents)
    for agent in place.agents:
        world.switch(agent)
    nothing_more_happens(world)
    assert all(agent.is_paused() for agent in place.agents)

    place.asking.resume()
    world.switch(place.idle)
    nothing_more_happens(world)
    assert place.asking.is_running(), "waived"
    late = world.agent("late")
    late.until_paused()

    breaks.stretchly.skip()
    way.until_over()
    nothing_more_happens(world)
    assert place.asking.is_running()
    assert all(agent.is_paused() for agent in [place.idle, place.talking, place.calling, late])
    world.host.close(late.pane)
    world.agents.remove(late)
    until(lambda: len(list(world.status_files())) == len(place.agents), WITHIN_S, "the late one is forgotten")


def test_an_agent_that_could_not_pause_in_the_break_does_not_pause_after_it(
    place: Workplace, breaks: Breaks
) -> None:
    """While an external editor has the terminal no pause screen can be shown."""
    world, agent = place.world, place.idle
    breaks.anew(speed=1, starts_ms=0)
    world.switch(agent)
    agent.draft("a draft")
    agent.type("\x07")
    until(lambda: agent.wrote("editor.started"), WITHIN_S, what="the external editor runs")
    way = ByDriver(breaks)
    way.begin("long")
    until(
        lambda: ((agent.status() or {}).get("problem") or {}).get("code") == "not-painted",
        WITHIN_S,
        "it says why",
    )
    until_all_paused(place.agents[1:])

    breaks.stretchly.skip()
    way.until_over()
    nothing_more_happens(world)
    times = shown([agent])
    agent.allow("editor.go")
    until(lambda: agent.look().text.startswith("a draftedited"), WITHIN_S, "the editor has been left")
    nothing_more_happens(world)
    assert agent.is_running()
    assert shown([agent]) == times
    assert not list(agent.mailbox().glob("pending.json*"))
    agent.type("\x03")
    until(lambda: agent.look().text == "", WITHIN_S, what="the draft is put away by the person")


@pytest.mark.parametrize("resume", ["own", "last-active"])
def test_with_the_focus_policy_a_break_gives_back_only_what_the_focus_lets_run(
    place: Workplace, breaks: Breaks, resume: str
) -> None:
    """What has no focus stays paused; an agent that the person had paused before is the person's."""
    world = place.world
    breaks.anew(speed=1, starts_ms=0)
    way = ByDriver(breaks)
    breaks.configure(policies="")
    world.switch(place.idle)
    until_all_paused(place.agents[1:])
    resume_all(world, [place.idle])
    nothing_more_happens(world)
    assert place.idle.is_running()
    way.begin("long", "--resume", resume)
    until_all_paused(place.agents)

    breaks.stretchly.skip()
    way.until_over()

    place.idle.until_running()
    nothing_more_happens(world)
    assert place.idle.is_running()
    assert all(agent.is_paused() for agent in place.agents[1:])


def test_the_journal_of_the_day_is_understood(place: Workplace, breaks: Breaks) -> None:
    """Each break is in it with its beginning, who held it, its end and why it has ended."""
    world, way = place.world, ByDriver(breaks)
    breaks.anew(speed=SPEED, long_ms=SPEED * MINUTE_MS, starts_ms=0)
    way.begin("long", "--resume", "own")
    until_all_paused(place.agents)
    breaks.stretchly.postpone()
    way.until_over()
    for agent in place.agents:
        agent.until_running()
    changes: dict[str, list[str]] = {}
    for line in world.journal():
        if line["type"] == "hold" and line["change"] != "gave-back":
            changes.setdefault(line["run"], []).append(line["change"])
    assert {tuple(each) for each in changes.values()} <= {("taken", "released"), ("taken", "expired")}
    told = [line.split(maxsplit=2)[2] for line in world.attention("log", "--last", "1000").splitlines()]
    ends = [line for line in told if line.startswith(("hold released", "hold expired"))]
    assert len(ends) == len(changes)
    assert all(": " in line for line in ends)
    assert ends[-1].endswith("break by attention break-run (long): postponed")
    assert any(line.startswith("hold gave-back") for line in told)
    assert f"breaks         {len(changes)}" in world.attention("report")
