"""What is read of the journal, of the conversation log, of the calls, and of an agent that changes quickly."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import AgentState, Call, Hello, Observation, ProcessIdentity
from attention_framework.cycle import AgentStrategies
from attention_framework.testing import until
from attention_framework.verifying.absence import Absence
from attention_framework.verifying.actor import Actor
from attention_framework.verifying.conversation import answers
from attention_framework.verifying.sampler import Sample, Sampler
from attention_framework.verifying.scene import Stuck
from attention_framework.verifying.story import with_journal
from attention_framework.verifying.work import NAME, Work

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STEPS = {"process-start": 80.0, "wait": 5.0, "hellos": 1.0, "snapshot": 4.0, "judge": 1.0, "observe": 2.0}


def decision(at_ms: int, outcome: str, **more: Any) -> dict[str, Any]:
    steps = {**STEPS, **more.pop("steps", {})}
    entry = {
        "type": "decision",
        "at_ms": at_ms,
        "session": "key",
        "pane": "p",
        "outcome": outcome,
        "steps": steps,
    }
    return {**entry, "transport": None, **more}


def test_the_journal_tells_when_it_was_asked_and_when_confirmed() -> None:
    entries = [
        decision(90, "pause-sent", transport="older"),
        decision(101, "pause-sent", pane="q", transport="another"),
        {"type": "cycle", "at_ms": 101},
        decision(102, "pause-sent", transport="omp-mailbox", steps={"recheck": 3.0, "deliver": 4.0}),
        decision(103, "pause-sent", transport="again"),
        decision(120, "paused", steps={"confirm": 500.0, "deliver": 70.0}),
        decision(130, "paused"),
    ]
    found = with_journal(Absence("first", 100.4), entries, "key", "p")
    assert (found.looked_ms, found.asked_ms, found.transport) == (110.0, 117.0, "omp-mailbox")
    assert found.confirmed_ms == 128.0


def test_a_cycle_that_had_begun_and_not_looked_before_the_key_counts() -> None:
    entry = decision(97, "pause-sent", transport="omp-mailbox")
    assert with_journal(Absence("first", 104.0), [entry], "key", "p").looked_ms == 105.0
    assert with_journal(Absence("first", 107.0), [entry], "key", "p").looked_ms is None


def test_what_comes_after_the_return_is_another_story() -> None:
    found = with_journal(Absence("first", 100.0, back_ms=110.0), [decision(111, "paused")], "key", "p")
    assert found.confirmed_ms is None


def test_a_conversation_is_read_for_roles_and_times_alone(tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    rows: list[Any] = [
        {"type": "session", "timestamp": "2026-01-01T00:00:00.000Z"},
        {
            "timestamp": "2026-01-01T00:00:02.500Z",
            "message": {"role": "assistant", "timestamp": 1_767_225_601_000},
        },
        {"timestamp": "2026-01-01T00:00:03.000Z", "message": {"role": "user"}},
        {"timestamp": "never", "message": {"role": "assistant"}},
        {"message": None},
    ]
    log.write_text("\n".join([*map(json.dumps, rows), "half a li"]))
    assert answers(str(log)) == [(1_767_225_601_000.0, 1_767_225_602_500.0)]
    assert answers(str(tmp_path / "none")) is None
    assert answers(None) is None


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_a_call_leaves_the_times_of_its_beginning_and_its_end(tmp_path: Path) -> None:
    work = Work(tmp_path)
    work.prepare()
    assert work.calls() == []
    running = subprocess.Popen([tmp_path / NAME], stdout=subprocess.DEVNULL)
    until(work.calls, what="the call has begun")
    assert work.calls()[0][1] is None
    assert running.wait(30) == 0
    [(began, ended)] = work.calls()
    assert ended is not None
    assert ended > began


def test_the_sampler_keeps_every_change_and_the_calls_that_were_in_flight() -> None:
    one, two = Call("bash", 1), Call("bash", 2)
    running = Sample(held=False, calls=(Call("stale", 0),))
    braked = Sample(held=False, braked=True, since_ms=9.0, calls=(one, two))
    held = Sample(held=True, calls=(two,))
    shown = iter([None, running, running, braked, held, held, replace(held, calls=())])
    times = iter(range(100))
    sampler = Sampler(lambda: next(shown), lambda: float(next(times)))
    for _ in range(7):
        sampler.take()
    assert [sample for _, sample in sampler.seen] == [running, braked, held, replace(held, calls=())]
    assert sampler.braked_ms == 9.0, "by its own word"
    assert sampler.held_ms == 2.0
    assert sampler.calls == (one, two), "not what it said while it ran"


def test_the_sampler_looks_by_itself_until_it_is_left() -> None:
    with Sampler(lambda: Sample(held=True), lambda: 1.0) as sampler:
        until(lambda: sampler.held_ms, what="it has looked")
    assert len(sampler.seen) == 1


@dataclass
class Place:
    """A host where the focus moves at once, and an agent is paused while it has none."""

    focused: str = "one"
    stuck_on: str = ""
    journal = SimpleNamespace(new=lambda: [])
    session_folder = SimpleNamespace(key="key")

    @property
    def trial(self) -> Any:
        return SimpleNamespace(focus=self.move)

    def move(self, pane: str) -> None:
        self.focused = pane

    def has_focus(self, pane: str) -> bool:
        return self.focused == pane != self.stuck_on

    def now_ms(self) -> float:
        return 1.0

    def wait(self, condition: Callable[[], Any], bound_s: float, what: str) -> Any:
        if "confirmed" in what or ("has the focus" in what and self.stuck_on):
            raise Stuck(what)
        until(condition, what=what)
        return condition()


class Obedient(Actor):
    def sample(self) -> Sample:
        return Sample(held=self.scene.has_focus("two"))


def agents(place: Any) -> tuple[Actor, Actor]:
    late = [(0.5, None), (1.0, None)]
    return Obedient("first", place, lambda: late, "one"), Obedient("second", place, lambda: (), "two")


def test_what_was_seen_of_an_absence_is_kept_when_something_gets_stuck_in_it() -> None:
    def in_vain() -> None:
        raise Stuck("a call has ended")

    place = Place()
    one, two = agents(place)
    absence = one.is_left_for(two, in_vain)
    assert (absence.stuck, absence.held_ms, absence.back_ms) == ("a call has ended", 1.0, 1.0)
    assert absence.calls == ((0.5, None),)
    assert place.focused == "one"
    assert one.is_left_for(two).stuck == ""


def test_an_absence_without_a_return_is_kept_too() -> None:
    one, two = agents(Place(stuck_on="one"))
    absence = one.is_left_for(two)
    assert "has the focus" in absence.stuck
    assert absence.held_ms is not None


def test_a_call_has_ended_although_the_next_one_is_in_flight() -> None:
    spans: list[tuple[float, float | None]] = [(1.0, 2.0), (3.0, None)]
    place: Any = Place()
    ended = Actor("first", place, lambda: spans).ended()
    assert not ended()
    spans[1:] = [(3.0, 4.0), (4.1, None)]
    assert ended()


@pytest.mark.parametrize("mailbox", [False, True])
@pytest.mark.parametrize("state", list(AgentState))
@pytest.mark.parametrize("hello", [None, Hello("file", "omp", "one", ProcessIdentity(7))])
def test_an_agent_is_known_when_it_says_hello_or_where_it_need_not_shows_something(
    mailbox: bool, state: AgentState, hello: Hello | None
) -> None:
    transport: Any = SimpleNamespace(name="letters", mailbox=mailbox)
    strategies = SimpleNamespace(agents={"omp": AgentStrategies(frozenset(), [transport], [])})
    pane = SimpleNamespace(agent="omp", hello=hello)
    candidate = SimpleNamespace(pane=pane, seen=Observation(state))
    scene: Any = SimpleNamespace(
        agent=SimpleNamespace(name="omp"),
        app=SimpleNamespace(strategies=strategies),
        candidate=lambda pane_id: candidate,
    )
    known = Actor("first", scene, lambda: ())._known()
    shows = bool(hello) if mailbox else state is not AgentState.UNKNOWN
    assert (known is candidate) == shows
