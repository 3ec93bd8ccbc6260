"""One of the two agents, and the person before it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from ..errors import Expected
from ..model import AgentState
from ..state.documents import Broken, load
from ..state.hellos import read_hello
from .absence import Absence
from .conversation import answers
from .judging import inside
from .sampler import Sample, Sampler
from .scene import NO_ANSWER, Stuck
from .story import with_journal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..cycle import Candidate
    from ..model import Hello, Pane
    from .absence import Span
    from .scene import Scene

START_WITHIN_S: Final = 120.0
ACT_WITHIN_S: Final = 15.0
TOLD_WITHIN_S: Final = 5.0
"""For the journal to have the confirmation: the agent wakes the controller."""


@dataclass
class Actor:
    name: str
    scene: Scene
    calls: Callable[[], Sequence[Span]]
    """When its tool calls ran, by what they have left behind."""
    pane_id: str = ""
    file: str = ""
    """Name of its status file; empty for an agent that has none."""
    conversation: str | None = None
    versions: dict[str, str] = field(default_factory=dict)

    # --- starting

    def start(self, command: str, environment: dict[str, str]) -> float:
        """How many ms it took until it was known."""
        scene, began = self.scene, self.scene.now_ms()
        folder = scene.folder / self.name
        self.pane_id = scene.trial.open(command, folder, environment)
        what = f"the {self.name} agent has started in its pane and is known to the controller"
        self._introduce(scene.wait(self._known, START_WITHIN_S, what))
        return scene.now_ms() - began

    def _known(self) -> Candidate | None:
        """One whose transports need a status file is known when it has said hello; of another one the host knows the program
        before it runs, so it has to show something.
        """
        found = self.scene.candidate(self.pane_id)
        if found is None or found.pane.agent != self.scene.agent.name:
            return None
        need_hello = self.scene.app.strategies.agents[self.scene.agent.name].need_hello
        shows = found.pane.hello if need_hello else found.seen.state is not AgentState.UNKNOWN
        return found if shows else None

    def _introduce(self, candidate: Candidate | None) -> None:
        if candidate is not None and (hello := candidate.pane.hello) is not None:
            self.file, self.conversation = hello.file, hello.conversation
            self.versions = dict(hello.versions)

    # --- looking

    @property
    def pane(self) -> Pane:
        found = next((pane for pane in self.scene.snapshot().panes if pane.id == self.pane_id), None)
        if found is None:
            raise Stuck(f"the pane of the {self.name} agent is gone")
        return found

    def hello(self) -> Hello | None:
        if not self.file:
            return None
        with contextlib.suppress(Broken, OSError):
            return read_hello(self.scene.session_folder, self.scene.app.effects.files, self.file)
        return None

    def sample(self) -> Sample | None:
        """By its status file, else by what the detectors see."""
        hello = self.hello()
        if hello is not None:
            return Sample(
                held=hello.paused and hello.shown is not None,
                braked=hello.state == "braked",
                since_ms=hello.reflex.since_ms,
                calls=hello.calls,
                shown=hello.shown or "",
                engagement=hello.engagement,
            )
        with contextlib.suppress(Expected):
            candidate = self.scene.candidate(self.pane_id)
            if candidate is not None:
                seen = candidate.seen
                return Sample(held=seen.held, calls=seen.calls, engagement=seen.engagement)
        return None

    def is_held(self) -> bool:
        sample = self.sample()
        return sample is not None and sample.held

    def is_free(self) -> bool:
        sample = self.sample()
        return sample is not None and not sample.held and not sample.braked

    def in_flight(self) -> bool:
        """A call has begun and not ended. Not the first: an agent may be slow about its first one."""
        calls = self.calls()
        return len(calls) > 1 and calls[-1][1] is None

    def ended(self) -> Callable[[], bool]:
        """Whether the calls that are in flight now have ended since: of an agent that goes on, another one is."""
        running = {began for began, end in self.calls() if end is None}
        return lambda: running.isdisjoint(began for began, end in self.calls() if end is None)

    def acknowledgement(self) -> dict[str, Any]:
        if not self.file:
            return {}
        path = self.scene.session_folder.mailbox(self.file) / "ack.json"
        with contextlib.suppress(Broken, OSError):
            return load(self.scene.app.effects.files, path) or {}
        return {}

    # --- being left, and coming back

    def is_left_for(self, other: Actor, stay: Callable[[], None] = lambda: None) -> Absence:
        """Leave it, wait for its pause, do `stay`, and go back. What was seen of that time, whatever gets stuck in it."""
        scene = self.scene
        scene.journal.new()
        with Sampler(self.sample, scene.now_ms) as sampler:
            left_ms = scene.now_ms()
            scene.trial.focus(other.pane_id)
            moved_ms = self._moved(other)
            with contextlib.suppress(Stuck):
                scene.wait(lambda: sampler.held_ms, ACT_WITHIN_S, "it is paused")
            ack = self.acknowledgement() if sampler.held_ms else {}
            stuck = _tried(stay)
            sampler.take()
        absence = Absence(
            agent=self.name,
            left_ms=left_ms,
            moved_ms=moved_ms,
            braked_ms=sampler.braked_ms,
            engaged_ms=_number(ack.get("engaged_ms")),
            shown_ms=_number(ack.get("shown_ms")),
            shown=str(ack.get("shown") or ""),
            held_ms=sampler.held_ms,
            in_flight=sampler.calls,
        )
        absence = self._told(absence)
        absence = replace(absence, back_ms=scene.now_ms())
        not_back = _tried(self.come_back)
        return replace(
            absence,
            stuck=stuck or not_back,
            calls=inside(self.calls(), absence),
            answers=inside(answers(self.conversation) or (), absence),
        )

    def _moved(self, other: Actor) -> float | None:
        with contextlib.suppress(Stuck):
            self.scene.wait(
                lambda: self.scene.has_focus(other.pane_id), ACT_WITHIN_S, "the host has moved the focus"
            )
            return self.scene.now_ms()
        return None

    def _told(self, absence: Absence) -> Absence:
        """Wait until the journal has the confirmation, if there is one to come."""
        entries: list[dict[str, Any]] = []
        told = absence

        def complete() -> bool:
            nonlocal told
            entries.extend(self.scene.journal.new())
            told = with_journal(absence, entries, self.scene.session_folder.key, self.pane_id)
            return told.confirmed_ms is not None

        with contextlib.suppress(Stuck):
            self.scene.wait(complete, TOLD_WITHIN_S if absence.held_ms else 0, "it is confirmed")
        return told

    def come_back(self) -> None:
        """Move the focus to it."""
        scene = self.scene
        scene.trial.focus(self.pane_id)
        scene.wait(
            lambda: scene.has_focus(self.pane_id), ACT_WITHIN_S, f"the {self.name} agent's pane has the focus"
        )

    def resume(self) -> None:
        """As the person does, where it is paused; by a request where no key is known for it."""
        scene = self.scene
        sample = self.sample()
        if sample is None or not sample.held:
            return
        if scene.agent.resume_key and sample.shown in ("overlay", ""):
            scene.trial.type(self.pane_id, scene.agent.resume_key)
        else:
            self._request_resume(sample.engagement or "")
        scene.wait(self.is_free, ACT_WITHIN_S, f"the {self.name} agent runs again after it was resumed")

    def _request_resume(self, engagement: str) -> None:
        candidate = self.scene.candidate(self.pane_id)
        if candidate is not None:
            for transport in self.scene.app.strategies.agents[self.scene.agent.name].transports:
                transport.request_resume(candidate.pane, engagement)


def _tried(act: Callable[[], None]) -> str:
    """What it got stuck in; empty if in nothing."""
    try:
        act()
    except Stuck as error:
        return str(error)
    except Expected:
        return NO_ANSWER
    return ""


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
