"""`attention resume`: end manual holds, and resume what they paused."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from ..model import FOCUS_RUN
from .panes import add_panes, agents, find

if TYPE_CHECKING:
    import argparse

    from ..app import App
    from ..model import Hold
    from .panes import Named

BY_HAND = "Focus it and resume it there, by the key that its pause names"
"""Which one it is, only the agent knows: what ends a pause screen may do something else behind a line."""


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "resume",
        help=summary,
        description="End the manual pause of agents and resume them. Without a pane: the one that this command runs in.",
    )
    add_panes(parser)
    parser.add_argument("--all", action="store_true", help="end every manual pause")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..errors import WrongUsage
    from .waking import wake_and_tell

    if arguments.all and arguments.panes:
        raise WrongUsage("give panes or --all, not both")
    named = agents(app) if arguments.all else find(app, arguments.panes)
    ended = _end_all(app) if arguments.all else _end_for(app, named)
    # Only those that a manual hold had paused: --all is no way to wake every agent that merely lost the focus.
    meant = [one for one in named if not arguments.all or one.candidate.seen.runs & ended]
    results = [_resume(app, one) for one in meant]
    if not meant:
        print(_for_nobody(ended) if ended else _nothing_by_hand(app))
    wake_and_tell(app, "resume")
    return 0 if all(results) else 1


def _for_nobody(ended: frozenset[str]) -> str:
    """Without it `resume --all` would be silent where no agent stands still."""
    return f"{len(ended)} manual pause{'s have' if len(ended) > 1 else ' has'} ended; no agent was paused by that"


def _nothing_by_hand(app: App) -> str:
    breaks = [hold.run for hold in app.holds.in_force(app.effects.clock.wall_ms()) if hold.kind == "break"]
    ends = [f"attention break-end --run-id {shlex.quote(run)}" for run in breaks]
    return "nothing was paused by hand" + (
        f"; a break is in force, which ends by {', '.join(ends)}" if ends else ""
    )


def _end_all(app: App) -> frozenset[str]:
    from ..runner import change_hold

    ended = [hold for hold in app.holds.all() if hold.kind == "manual" and app.holds.release(hold.run)]
    for hold in ended:
        change_hold(app, hold, "released")
    return frozenset(hold.run for hold in ended)


def _end_for(app: App, named: list[Named]) -> frozenset[str]:
    """Take these panes out of every manual hold; a hold without panes is over."""
    from ..runner import change_hold

    ids = frozenset[tuple[str, str]]().union(*(one.ids for one in named))
    ended = set()
    for hold in app.holds.all():
        smaller = _without(hold, ids)
        if hold.kind != "manual" or smaller == hold:
            continue
        if smaller is None:
            app.holds.release(hold.run)
            change_hold(app, hold, "released")
        else:
            app.holds.take(smaller)
        ended.add(hold.run)
    return frozenset(ended)


def _without(hold: Hold, ids: frozenset[tuple[str, str]]) -> Hold | None:
    scope = hold.scope
    if scope.everything:
        return replace(hold, scope=replace(scope, excluded=scope.excluded | ids))
    left = scope.panes - ids
    return replace(hold, scope=replace(scope, panes=left)) if left else None


def _resume(app: App, named: Named) -> bool:
    from ..cycle.deliver import ask_to_resume

    pane, seen = named.candidate.pane, named.candidate.seen
    problem = _obstacle(app, named)
    if problem:
        print(f"{named.text}: {problem}")
        return not seen.held
    engagement = str(seen.engagement)
    delivery = ask_to_resume(
        pane, engagement, app.strategies.agents[str(pane.agent)].transports, app.configuration.call
    )
    if delivery.status == "refused":
        print(f"{named.text}: it cannot be resumed from here ({delivery.reason}). {BY_HAND}")
        return False
    print(f"{named.text}: resume asked for{_warning(app, named)}")
    return True


def _obstacle(app: App, named: Named) -> str:
    pane, seen = named.candidate.pane, named.candidate.seen
    if not seen.held:
        return "it is not paused"
    if seen.by_person:
        return f"you paused it in the agent itself. {BY_HAND}"
    holds = [
        hold
        for hold in app.holds.in_force(app.effects.clock.wall_ms())
        if hold.scope.covers(named.look.view.key, pane.names)
    ]
    if holds:
        names = ", ".join(f"{hold.kind} {hold.run}" for hold in holds)
        return f"{names} is in force. {BY_HAND}, in spite of that"
    if seen.engagement is None:
        detector = seen.detector or "its detector"
        return f"it cannot be resumed from here: {detector} does not tell which pause this is. {BY_HAND}"
    return ""


def _warning(app: App, named: Named) -> str:
    """What the policies say now that the manual holds are over."""
    from ..cycle.judge import judge

    holds = tuple(app.holds.in_force(app.effects.clock.wall_ms()))
    view = replace(named.look.view, holds=holds)
    verdict = judge(app.strategies.policies, [named.candidate.pane], view, app.configuration.call)
    if FOCUS_RUN not in {run.id for run in verdict[named.candidate.pane.id].runs}:
        return ""
    return f". It has no focus, so the next cycle pauses it again; `attention allow {named.text}` lets it run in the background"
