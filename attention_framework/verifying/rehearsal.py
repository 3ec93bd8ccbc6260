"""The ten steps, in order. Each says what it saw; one that gets stuck fails, and the next is tried. What was seen
until then is kept: the last step judges all of it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..errors import Expected
from . import draft as drafts
from .absence import Absence, Draft, Grade, Step
from .actor import ACT_WITHIN_S, Actor
from .conversation import answers
from .judging import (
    before_the_gate,
    changed_drafts,
    claim,
    not_controlled,
    not_held,
    safe_boundary_ms,
    was_busy,
)
from .scene import NO_ANSWER, Stuck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .draft import EditorCopy
    from .scene import Scene

Result = tuple[Grade, str]
CALL_WITHIN_S: Final = 120.0
"""For the model to make its second call."""
STAY_S: Final = (0.02, 0.25)
"""At least and at most in one place, when the focus moves rapidly."""
UNDER_EYES_S: Final = 1.0
"""For how long an agent that was resumed is watched."""
SEED: Final = 7


@dataclass
class Rehearsal:
    scene: Scene
    first: Actor
    second: Actor
    command: str
    copies: tuple[EditorCopy, EditorCopy]
    draft: str
    prompt: Callable[[Actor], str | None]
    """Asked when it is time: what keeps the agent busy; empty: the person has seen to it; None: leave it out."""
    watch_s: float
    """For how long an agent is watched after its last call has ended."""
    switches: int
    """How often the focus moves rapidly."""
    repeat: int
    """How often an agent is left with a call in flight."""
    absences: list[Absence] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    has_draft: bool = False
    """Whether one was pasted, seen on the screen or not: from then on it is the person's."""
    unread: bool = False
    """Whether its agent has been left since it was last read, or it never was."""
    slow: Absence | None = None
    """The first agent's of the steps that move the focus slowly."""

    def steps(self) -> Iterator[Step]:
        """One after the other, as they are done."""
        started = False
        for number, (title, carry_out) in enumerate(self._parts(), 1):
            if number > 1 and not started:
                yield Step(number, title, Grade.NOT_CHECKED, "the agents did not start")
                continue
            step = self._safely(number, title, carry_out)
            started |= number == 1 and step.grade is Grade.PASSED
            yield step

    def _parts(self) -> tuple[tuple[str, Callable[[], Result]], ...]:
        return (
            ("start two agents", self._start),
            ("leave a draft in the first", self._leave_draft),
            ("move the focus to the second", self._switch),
            ("when the focus moved", self._focus_time),
            ("the request for the pause", self._control),
            ("the pause on the screen", self._overlay),
            ("come back, and compare the draft", self._return),
            ("move the focus rapidly", self._rapidly),
            ("leave an agent with a tool call in flight", self._in_flight),
            ("all times together: nothing new after the safe boundary", self._together),
        )

    def _safely(self, number: int, title: str, carry_out: Callable[[], Result]) -> Step:
        try:
            return Step(number, title, *carry_out())
        except Stuck as error:
            return Step(number, title, Grade.FAILED, str(error))
        except Expected as error:
            return Step(number, title, Grade.FAILED, NO_ANSWER, private=str(error))

    # --- the steps

    def _start(self) -> Result:
        took = []
        for actor, copy in zip((self.first, self.second), self.copies, strict=True):
            took.append(actor.start(self.command, copy.prepare()))
        said = self.first.versions.get("agent", "")
        version = f", {self.scene.agent.title} {said}" if said else ""
        return Grade.PASSED, f"known after {took[0]:.0f} ms and {took[1]:.0f} ms{version}"

    def _leave_draft(self) -> Result:
        wrong = []
        if not self.scene.has_focus(self.first.pane_id):  # It was left when the second was started.
            wrong = self._is_paused(self.first, self.scene.now_ms())
        wrong += self._go_to(self.first)
        self.has_draft = self.unread = True
        drafts.leave(self.first, self.draft)
        return _judged(wrong, f"{len(self.draft.encode())} bytes in {len(self.draft.splitlines())} lines")

    def _switch(self) -> Result:
        self.unread = True
        self.slow = absence = self.first.is_left_for(self.second)
        self.absences.append(absence)
        return _judged(_wrong_with(absence), f"paused {_after(absence, absence.held_ms)} after the key")

    def _focus_time(self) -> Result:
        absence = self._last()
        if absence.moved_ms is None:
            return Grade.FAILED, "the host did not say that the focus has moved"
        saw = f"the host said so at most {_after(absence, absence.moved_ms)} after the key"
        if absence.braked_ms is not None:
            saw += f"; the agent had braked by itself {_after(absence, absence.braked_ms)} after it"
        return Grade.PASSED, saw

    def _control(self) -> Result:
        absence = self._last()
        saw = f"{absence.transport or 'no transport'}: handed over at most {_after(absence, absence.asked_ms)} after the key"
        return _judged(not_controlled(absence), saw)

    def _overlay(self) -> Result:
        absence = self._last()
        wrong = not_held(absence)
        if absence.shown_ms is None:
            return _judged(wrong, f"seen by the detectors {_after(absence, absence.held_ms)} after the key")
        return _judged(
            wrong,
            f"gate {_after(absence, absence.gate_ms)}, {absence.shown or 'pause screen'} "
            f"{_after(absence, absence.shown_ms)}, confirmed {_after(absence, absence.confirmed_ms)} after the key",
        )

    def _return(self) -> Result:
        self._last()
        wrong = self._go_to(self.first)
        wrong += self._stays_free(self.first) + self._look_at_draft("after coming back")
        exact = all(draft.exact for draft in self.drafts)
        how = "byte for byte the same" if exact else "all of its lines are on the screen"
        return _judged(wrong, f"{len(self.draft.encode())} bytes, {how}")

    def _rapidly(self) -> Result:
        self.unread = True
        dice = random.Random(SEED)
        for number in range(self.switches):
            actor = (self.second, self.first)[number % 2]
            self.scene.trial.focus(actor.pane_id)
            self.scene.sleep(dice.uniform(*STAY_S))
        last, other = (self.first, self.second) if self.switches % 2 == 0 else (self.second, self.first)
        self.scene.wait(
            lambda: self.scene.has_focus(last.pane_id), ACT_WITHIN_S, "the host is where the keys went"
        )
        wrong = self._is_paused(other, self.scene.now_ms())
        wrong += self._go_to(self.first)
        wrong += self._stays_free(self.first) + self._look_at_draft("after moving rapidly")
        return _judged(
            wrong, f"{self.switches} switches; the agent that was left is paused, the draft is the same"
        )

    def _in_flight(self) -> Result:
        self.unread = True
        actor, other = self.second, self.first
        wrong = self._go_to(actor)
        prompt = self.prompt(actor)
        if prompt is None:
            return _unchecked(wrong, "it needs a busy agent, and nobody has given it a prompt")
        if prompt:
            self._submit(actor, prompt)
        busy: list[Absence] = []
        for _ in range(self.repeat):
            try:
                self.scene.wait(actor.in_flight, CALL_WITHIN_S, "a tool call of the agent is in flight")
            except Stuck as error:
                if busy:
                    break
                return _unchecked(
                    wrong, f"{error}. Does the agent ask for permission, or answer without a call?"
                )
            busy.append(actor.is_left_for(other, lambda: self._watch(actor)))
            self.absences.append(busy[-1])
            if busy[-1].stuck:
                break
            actor.resume()
        wrong += self._go_to(other)
        wrong += self._look_at_draft("at the end")
        wrong += [sentence for absence in busy for sentence in _wrong_with(absence)]
        if not any(map(was_busy, busy)):
            wrong.append("no call was in flight when the agent was left")
        return _judged(wrong, _of_all(busy))

    def _together(self) -> Result:
        self._look_at_draft_at_last()
        grade, reasons = claim(self.absences, self.drafts)
        if grade is not Grade.PASSED:
            return grade, "; ".join(reasons)
        busy = [absence for absence in self.absences if was_busy(absence)]
        asked = answers(self.second.conversation)
        log = (
            "no conversation log"
            if asked is None
            else f"no late one of {len(asked)} answers in its conversation log"
        )
        return (
            Grade.PASSED,
            f"{len(self.absences)} absences, {len(busy)} of them with a call in flight: none began after its gate, "
            f"{sum(map(before_the_gate, busy))} between key and gate; {log}",
        )

    # ---

    def _last(self) -> Absence:
        if self.slow is None:
            raise Stuck("no agent was left")
        return self.slow

    def _go_to(self, actor: Actor) -> list[str]:
        """Move there, and resume it if it is paused. What is wrong with the other one that was left for it."""
        wrong = []
        if not self.scene.has_focus(actor.pane_id):
            other = self.first if actor is self.second else self.second
            was_free, left_ms = other.is_free(), self.scene.now_ms()
            actor.come_back()
            if was_free:  # Its pause could still come when the focus is back there.
                wrong = self._is_paused(other, left_ms)
        self.scene.wait(lambda: self._settled(actor), ACT_WITHIN_S, f"the {actor.name} agent is not braked")
        actor.resume()
        return wrong

    def _is_paused(self, actor: Actor, left_ms: float) -> list[str]:
        """One that is left and never paused is an absence, too."""
        try:
            self.scene.wait(actor.is_held, ACT_WITHIN_S, f"the {actor.name} agent is paused")
        except Stuck:
            self.absences.append(Absence(agent=actor.name, left_ms=left_ms))
            return not_held(self.absences[-1])
        return []

    def _settled(self, actor: Actor) -> bool:
        return actor.is_held() or actor.is_free()

    def _stays_free(self, actor: Actor) -> list[str]:
        """Nobody may pause it under the person's eyes."""
        end_ms = self.scene.now_ms() + UNDER_EYES_S * 1000
        while self.scene.now_ms() < end_ms:
            if actor.is_held():
                return [f"the {actor.name} agent was paused while it had the focus"]
            self.scene.sleep(0.02)
        return []

    def _look_at_draft(self, when: str) -> list[str]:
        if not self.has_draft:
            return ["no draft was left, so none can be compared"]
        self.drafts.append(drafts.look(self.first, self.copies[0], self.draft, when))
        self.unread = False
        return changed_drafts(self.drafts[-1:])

    def _look_at_draft_at_last(self) -> None:
        """Where no step has come so far since its agent was left: what got in its way says nothing about the draft."""
        if self.has_draft and self.unread:
            when = "after all steps"
            try:
                self._go_to(self.first)
                self._look_at_draft(when)
            except (Stuck, Expected):
                self.drafts.append(Draft(when, self.draft.encode(), None))

    def _submit(self, actor: Actor, prompt: str) -> None:
        scene = self.scene
        scene.trial.type(actor.pane_id, drafts.PASTE.format(prompt))
        begun = prompt[:12]
        scene.wait(
            lambda: begun in scene.screen(actor.pane), ACT_WITHIN_S, "the prompt is on the agent's screen"
        )
        scene.trial.type(actor.pane_id, "\r")

    def _watch(self, actor: Actor) -> None:
        """Until the call in flight has ended, and for a while after that."""
        calls_end = f"the call of the {actor.name} agent that was in flight has ended"
        self.scene.wait(actor.ended(), CALL_WITHIN_S, calls_end)
        self.scene.sleep(self.watch_s)


def _judged(wrong: list[str], saw: str) -> Result:
    return (Grade.FAILED, "; ".join(wrong)) if wrong else (Grade.PASSED, saw)


def _unchecked(wrong: list[str], why: str) -> Result:
    return _judged(wrong, "") if wrong else (Grade.NOT_CHECKED, why)


def _wrong_with(absence: Absence) -> list[str]:
    return [*not_held(absence), *([absence.stuck] if absence.stuck else [])]


def _after(absence: Absence, at_ms: float | None) -> str:
    after_ms = absence.after_ms(at_ms)
    return "never" if after_ms is None else f"{after_ms:.0f} ms"


def _of_all(absences: list[Absence]) -> str:
    told = []
    for absence in absences:
        boundary = _after(absence, safe_boundary_ms(absence))
        told.append(f"gate {_after(absence, absence.gate_ms)}, safe boundary {boundary}")
    return f"left {len(absences)} times, after the key: " + "; ".join(told)
