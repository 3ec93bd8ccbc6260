"""Two agents on a bare stage: the real rehearsal, and nothing of a host but its focus, its editors and its pauses."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.verifying.absence import Absence
from attention_framework.verifying.actor import Actor
from attention_framework.verifying.draft import PASTE
from attention_framework.verifying.rehearsal import Rehearsal
from attention_framework.verifying.sampler import Sample
from attention_framework.verifying.scene import Stuck

if TYPE_CHECKING:
    from collections.abc import Callable

DRAFT = 'do not send\n  "this"  '
EDITOR_KEY, RESUME_KEY = "<editor>", "<resume>"


@dataclass
class Stage:
    """A scene and its trial. A wait for what does not come gets stuck at once; so does the one numbered `trip`."""

    submits: bool = False
    """Whether leaving an agent submits its draft, as a typed command does, and does not pause it then."""
    deaf: str = ""
    """The agent that is never paused."""
    trip: int | None = None
    waits: int = 0
    focus_: str = ""
    pasted: dict[str, str] = field(default_factory=dict)
    drafts: dict[str, str] = field(default_factory=dict)
    paused: set[str] = field(default_factory=set)
    copies: dict[str, Copy] = field(default_factory=dict)
    now: float = 1_000.0
    agent: Any = field(
        default_factory=lambda: SimpleNamespace(editor_key=EDITOR_KEY, resume_key=RESUME_KEY, title="Agent")
    )

    @property
    def trial(self) -> Stage:
        return self

    def focus(self, pane: str) -> None:
        left, self.focus_ = self.focus_, pane
        if left in ("", pane):
            return
        if self.submits and self.drafts.get(left):
            self.drafts[left] = ""
        elif left != self.deaf:
            self.paused.add(left)

    def type(self, pane: str, text: str) -> None:
        if text == RESUME_KEY:
            self.paused.discard(pane)
        elif text == EDITOR_KEY:
            self.copies[pane].content = self.drafts.get(pane, "").encode()
        else:
            start, end = PASTE.split("{}")
            self.drafts[pane] = self.pasted[pane] = text.removeprefix(start).removesuffix(end)

    def screen(self, pane: Any) -> str:
        return self.drafts.get(pane, "")

    def has_focus(self, pane: str) -> bool:
        return self.focus_ == pane

    def now_ms(self) -> float:
        self.now += 1
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds * 1000

    def wait(self, condition: Callable[[], Any], bound_s: float, what: str) -> Any:
        self.waits += 1
        if self.waits == self.trip or not (value := condition()):
            raise Stuck(what)
        return value


@dataclass
class Copy:
    """What the editor has handed over."""

    content: bytes | None = None

    def prepare(self) -> dict[str, str]:
        return {}

    def read(self, actor: Actor) -> bytes | None:
        actor.scene.trial.type(actor.pane_id, EDITOR_KEY)
        try:
            actor.scene.wait(lambda: self.content is not None, 1, "it is open in an editor")
        except Stuck:
            return None
        return self.content


class Puppet(Actor):
    """It is seen as the stage has it, and no thread looks at it: see `test_looking.py` for that."""

    @property
    def pane(self) -> Any:
        return self.pane_id

    @property
    def stage(self) -> Stage:
        stage: Any = self.scene
        assert isinstance(stage, Stage)
        return stage

    def start(self, command: str, environment: dict[str, str]) -> float:
        self.stage.wait(lambda: True, 1, "it has started")
        self.pane_id = self.name
        self.stage.focus(self.name)
        return 1.0

    def sample(self) -> Sample:
        return Sample(held=self.name in self.stage.paused)

    def is_left_for(self, other: Actor, stay: Callable[[], None] = lambda: None) -> Absence:
        left_ms = self.stage.now_ms()
        self.stage.focus(other.pane_id)
        held_ms = self.stage.now_ms() if self.is_held() else None
        absence = Absence(self.name, left_ms, moved_ms=left_ms, held_ms=held_ms, asked_ms=left_ms)
        self.come_back()
        return absence


@pytest.fixture
def rehearse() -> Callable[..., tuple[Rehearsal, Stage]]:
    def make(**habits: Any) -> tuple[Rehearsal, Stage]:
        stage = Stage(**habits)
        scene: Any = stage
        copies: Any = (Copy(), Copy())
        stage.copies = dict(zip(("first", "second"), copies, strict=True))
        first, second = (Puppet(name, scene, lambda: ()) for name in stage.copies)
        rehearsal = Rehearsal(
            *(scene, first, second, "agent", copies, DRAFT, lambda _: None), watch_s=0, switches=4, repeat=1
        )
        return rehearsal, stage

    return make
