"""What the policies want of a pane."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING

from ..model import Action, Verdict
from .answers import checked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..bounded import Caller
    from ..kinds import Policy
    from ..model import Pane, View

NO_OPINION = Verdict.run("no policy has an opinion")


class Part(StrEnum):
    """What the opinion of a policy counts for."""

    NONE = "none"
    """It has no opinion."""
    DECIDES = "decides"
    ADDS = "adds"
    """It wants a pause too, and its runs are added to those of the one that decides."""
    AFTER = "after"
    """The matter is decided before it is asked."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one policy says of one pane, asked or not."""

    policy: str
    verdict: Verdict | None
    part: Part


def judge(
    policies: Sequence[Policy], panes: Sequence[Pane], view: View, call: Caller
) -> Mapping[str, Verdict]:
    """The verdict on each pane, by its id. A policy that raises
    or hangs has no opinion; the caller has reported it.
    """
    opinions: dict[str, list[Verdict]] = {pane.id: [] for pane in panes}
    for policy in policies:
        open_panes = [pane for pane in panes if not decided(opinions[pane.id])]
        ask = checked(partial(policy.judge, view=view), Verdict, NoneType)
        results = call.each(policy.name, ask, open_panes)
        for pane, result in zip(open_panes, results, strict=True):
            if result.value is not None:
                opinions[pane.id].append(result.value.of(policy.name))
    return {pane: combine(verdicts) for pane, verdicts in opinions.items()}


def decided(opinions: Sequence[Verdict]) -> bool:
    """A verdict to run ends the matter: nothing after it can add a reason to pause."""
    return bool(opinions) and opinions[-1].action is Action.RUN


def combine(opinions: Sequence[Verdict]) -> Verdict:
    """The first opinion decides. The runs of the pause opinions that follow it directly are added, so that
    a pane whose break ends while it has no focus stays paused without a gap.
    """
    first, *rest = opinions or [NO_OPINION]
    if first.action is Action.RUN or not rest:
        return first
    runs = {run.id: run for run in first.runs}
    for verdict in rest:
        if verdict.action is Action.RUN:
            break
        for run in verdict.runs:
            runs.setdefault(run.id, run)
    return replace(first, runs=tuple(runs.values()))


def opinions(policies: Sequence[Policy], pane: Pane, view: View, call: Caller) -> list[Opinion]:
    """What every policy says, also those that a cycle does not ask any more, for people who want to know why."""
    found: list[Opinion] = []
    said: list[Verdict] = []
    for policy in policies:
        ask = checked(partial(policy.judge, view=view), Verdict, NoneType)
        verdict = call.call(policy.name, partial(ask, pane)).value
        found.append(Opinion(policy.name, verdict, _part(verdict, said)))
        if verdict is not None:
            said.append(verdict)
    return found


def _part(verdict: Verdict | None, said: Sequence[Verdict]) -> Part:
    if verdict is None:
        return Part.NONE
    if not said:
        return Part.DECIDES
    pausing = all(one.action is Action.PAUSE for one in (*said, verdict))
    return Part.ADDS if pausing else Part.AFTER
