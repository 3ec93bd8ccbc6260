"""Naming panes on the command line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import Expected, WrongUsage
from ..nearest import did_you_mean
from ..seats import own_seats
from ..state.names import session_key

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..app import App
    from ..cycle import Candidate, Look
    from ..model import Session
    from ..seats import Seat


@dataclass(frozen=True, slots=True)
class Named:
    """A pane with an agent, found for the person."""

    session: Session
    look: Look
    candidate: Candidate
    text: str
    """What a command takes for it."""

    @property
    def ids(self) -> frozenset[tuple[str, str]]:
        """What a hold's scope says to mean this pane, whatever it is called later."""
        return frozenset((self.look.view.key, name) for name in self.candidate.pane.names)


def add_panes(parser: argparse.ArgumentParser) -> None:
    """`panes`, as `find` takes them."""
    parser.add_argument(
        "panes", nargs="*", metavar="PANE", help="id or label of a pane, as `attention status` shows it"
    )


def agents(app: App) -> list[Named]:
    """Every agent in every running session that gives an answer."""
    found = [(session, look, candidate) for session, look in app.looks() for candidate in look.candidates]
    texts = told_apart([(session.name, look.view.key, one.pane.id) for session, look, one in found])
    return [Named(*parts, text) for parts, text in zip(found, texts, strict=True)]


def find(app: App, wanted: Sequence[str]) -> list[Named]:
    """The panes that are meant: by id, by `session/id` where several sessions have the id, or by label.
    None given: the pane that we run in.
    """
    known = agents(app)
    if wanted:
        return [_find_one(known, text) for text in wanted]
    here = own_seats(app.context.hosts, app.effects.environment)
    if not here:
        raise WrongUsage(
            "name a pane: this command does not run in a pane of a known host. `attention status` lists them"
        )
    return [_find_own(known, here)]


def _find_one(known: Sequence[Named], text: str) -> Named:
    matches = [named for named in known if text in _names_of(named)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        which = ", ".join(named.text for named in matches)
        raise WrongUsage(f"{text!r} means several panes; say which: {which}")
    there = ", ".join(named.text for named in known) or "none"
    meant = did_you_mean(text, [named.candidate.pane.label for named in known if named.candidate.pane.label])
    raise Expected(f"there is no pane {text!r} with an agent in it{meant} (known: {there})")


def told_apart(panes: Sequence[tuple[str, str, str]]) -> list[str]:
    """The panes as commands take them, each given as name and key of its session and its id: by id, with the session
    before it where several sessions have the id, and that by its key where several have its name.
    """
    ids = Counter(pane for _, _, pane in panes)
    named = Counter((name, pane) for name, _, pane in panes)
    return [
        pane if ids[pane] == 1 else f"{name if name and named[name, pane] == 1 else key}/{pane}"
        for name, key, pane in panes
    ]


def _names_of(named: Named) -> set[str]:
    pane = named.candidate.pane
    ids = set(pane.names)
    prefixes = {named.look.view.key, named.session.name} - {""}
    return (
        ids
        | ({pane.label} if pane.label else set())
        | {f"{prefix}/{name}" for prefix in prefixes for name in ids}
    )


def _find_own(known: Sequence[Named], here: Sequence[Seat]) -> Named:
    for seat in here:
        key = session_key(seat.session)
        for named in known:
            if named.look.view.key == key and seat.pane in named.candidate.pane.names:
                return named
    panes = ", ".join(seat.pane for seat in here)
    raise Expected(
        f"the pane that this command runs in ({panes}) has no agent. Name one: `attention status` lists them"
    )
