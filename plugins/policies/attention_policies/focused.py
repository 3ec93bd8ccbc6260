"""The policy that the framework is for: only the agent in the focused pane may run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from attention_framework import FOCUS_RUN, Run, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attention_framework import Context, Pane, View


class FocusedSettings(BaseModel):
    """Who may run besides the focused pane, and whether the focus brings back what its loss had paused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    also_keep: int = Field(
        default=0, ge=0, description="How many agents focused before this one may run on besides it."
    )
    resume: Literal["manual", "own"] = Field(
        default="manual",
        description=(
            "`manual`: a pause stays until the person resumes it. `own`: the focus gives back what its loss "
            "alone had paused, and never a pause of the person's."
        ),
    )


class Focused:
    """Lets the focused pane run (both, where two clients look at two panes), and pauses the others."""

    name = "focused"
    Settings = FocusedSettings

    def __init__(self, settings: FocusedSettings, context: Context) -> None:
        self._also_keep = settings.also_keep
        self._give_back = frozenset((FOCUS_RUN,)) if settings.resume == "own" else frozenset()
        self._told: tuple[View, str] | None = None

    def judge(self, pane: Pane, view: View) -> Verdict | None:
        focused = view.snapshot.focused
        if focused is None:
            return None
        if pane.id in focused:
            return Verdict.run("it has the focus", self._give_back)
        if self._also_keep and pane.id in list(_focused_before(view, focused))[: self._also_keep]:
            return Verdict.run("it had the focus before")
        reason = "the window is not in front" if pane.id in view.away else self._reason(view, focused)
        attended = pane.hello.attended if pane.hello else None
        return Verdict.pause(reason, Run(FOCUS_RUN, reason, attended=attended))

    def _reason(self, view: View, focused: frozenset[str]) -> str:
        """The same for every pane of a view, and made of all of them."""
        if self._told is None or self._told[0] is not view:
            self._told = (view, _who_has_it(view, focused))
        return self._told[1]


def _focused_before(view: View, focused: frozenset[str]) -> Iterator[str]:
    """Ids of the other panes with agents that are still there,
    the one that had the focus last first, each once.
    """
    left = {pane.id: pane.names for pane in view.snapshot.panes if pane.agent and pane.id not in focused}
    for _, was_focused in view.focus.history:
        for pane_id in sorted(pane_id for pane_id, names in left.items() if names & was_focused):
            del left[pane_id]
            yield pane_id


def _who_has_it(view: View, focused: frozenset[str]) -> str:
    labels = {pane.id: pane.label for pane in view.snapshot.panes}
    names = [labels.get(pane_id) or pane_id for pane_id in sorted(focused)]
    if not names:
        return "the window is not in front" if view.away else "no pane has the focus"
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} the focus"
