"""Which agent process speaks for which pane.

A process inherits the id of its pane and keeps it when the pane is moved; a process started by an agent
inherits it too. So a status file is a claim, and the claims are compared with what the host says.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..model import Hello, Pane


def join(
    panes: Sequence[Pane],
    hellos: Sequence[Hello],
    locate: Callable[[str], str | None],
    ancestors: Callable[[int], Sequence[int]],
) -> tuple[tuple[Pane, ...], Mapping[str, str]]:
    """The panes with the hello that speaks for each,
    and for each pane that several claim, what the person should know.

    `locate` gives today's id of a pane that had another one, `ancestors` the pids above a process; both are
    asked only where the files do not settle it.
    """
    claims: dict[str, list[Hello]] = defaultdict(list)
    known = _Known.of(panes)
    for hello in hellos:
        pane = _claimed(known, hello, locate)
        if pane is not None:
            claims[pane.id].append(hello)
    joined, conflicts = [], {}
    for pane in panes:
        speakers = standing_forward(pane, claims[pane.id], ancestors)
        if len(speakers) > 1:
            pids = ", ".join(str(hello.process.pid) for hello in speakers)
            conflicts[pane.id] = (
                f"processes {pids} both say that they are its agent: nothing is done until one has ended"
            )
        elif speakers:
            pane = pane.spoken_for(speakers[0])
        joined.append(pane)
    return tuple(joined), conflicts


@dataclass(frozen=True, slots=True)
class _Known:
    """The panes by what they are found by: a search through all of them for each process would be a search squared."""

    by_conversation: Mapping[str, Sequence[Pane]]
    by_name: Mapping[str, Pane]
    by_id: Mapping[str, Pane]

    @classmethod
    def of(cls, panes: Sequence[Pane]) -> _Known:
        by_conversation: dict[str, list[Pane]] = defaultdict(list)
        by_name: dict[str, Pane] = {}
        for pane in panes:
            if pane.conversation:
                by_conversation[pane.conversation].append(pane)
            for name in (pane.id, *pane.aliases):
                by_name.setdefault(name, pane)
        return cls(by_conversation, by_name, {pane.id: pane for pane in panes})


def _claimed(known: _Known, hello: Hello, locate: Callable[[str], str | None]) -> Pane | None:
    """The pane that this process is in: by its conversation, then by the id
    that it inherited, then by what that pane is called today.
    """
    by_conversation = known.by_conversation.get(hello.conversation or "", ())
    if len(by_conversation) == 1 and fits(by_conversation[0], hello):
        return by_conversation[0]
    named = known.by_name.get(hello.pane)
    if named is None:
        named = known.by_id.get(locate(hello.pane) or "")
    return named if named is not None and fits(named, hello) else None


def fits(pane: Pane, hello: Hello) -> bool:
    """A process on another terminal inherited the id through a multiplexer inside the pane, or around it."""
    if pane.tty and hello.tty and pane.tty != hello.tty:
        return False
    return pane.agent in (None, hello.agent)


def standing_forward(
    pane: Pane, claimants: Sequence[Hello], ancestors: Callable[[int], Sequence[int]]
) -> list[Hello]:
    """The claimants without those that another claimant started;
    of several, the one whose conversation the host names.
    """
    if len(claimants) < 2:
        return list(claimants)
    pids = {hello.process.pid for hello in claimants}
    outermost = [hello for hello in claimants if not pids & set(ancestors(hello.process.pid))]
    named = [hello for hello in outermost if pane.conversation and hello.conversation == pane.conversation]
    return named if len(named) == 1 else outermost
