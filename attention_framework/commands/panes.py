"""Naming panes on the command line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import Expected, WrongUsage
from ..model import Session
from ..nearest import did_you_mean
from ..state.names import session_key

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from ..app import App
    from ..cycle import Candidate, Look
    from ..model import HostEnvironment


@dataclass(frozen=True, slots=True)
class Named:
    """A pane with an agent, found for the person."""

    session: Session
    look: Look
    candidate: Candidate

    @property
    def ids(self) -> frozenset[tuple[str, str]]:
        """What a hold's scope says to mean this pane, whatever it is called later."""
        return frozenset((self.look.view.key, name) for name in self.candidate.pane.names)

    @property
    def text(self) -> str:
        return self.candidate.pane.id


def add_panes(parser: argparse.ArgumentParser) -> None:
    """`panes`, as `find` takes them."""
    parser.add_argument(
        "panes", nargs="*", metavar="PANE", help="id or label of a pane, as `attention status` shows it"
    )


def agents(app: App) -> list[Named]:
    """Every agent in every running session that gives an answer."""
    return [Named(session, look, candidate) for session, look in app.looks() for candidate in look.candidates]


def find(app: App, wanted: Sequence[str]) -> list[Named]:
    """The panes that are meant: by id, by `session/id` where several sessions have the id, or by label.
    None given: the pane that we run in.
    """
    known = agents(app)
    if wanted:
        return [_find_one(known, text) for text in wanted]
    here = own_panes(app.context.hosts, app.effects.environment)
    if not here:
        raise WrongUsage(
            "name a pane: this command does not run in a pane of a known host. `attention status` lists them"
        )
    return [_find_own(known, here)]


def own_panes(hosts: Sequence[HostEnvironment], environment: Mapping[str, str]) -> list[tuple[Session, str]]:
    """The sessions and panes that this process runs in, from its environment:
    of a host inside another one the variables of both are set.
    """
    found = []
    for host in hosts:
        pane, address = environment.get(host.pane), environment.get(host.address)
        if pane and address:
            match = re.match(host.address_pattern, address) if host.address_pattern else None
            found.append((Session(host.host, match[1] if match else address), pane))
    return found


def _find_one(known: Sequence[Named], text: str) -> Named:
    matches = [named for named in known if text in _names_of(named)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise WrongUsage(f"{text!r} means several panes; say which: {', '.join(_told_apart(matches))}")
    there = ", ".join(named.text for named in known) or "none"
    meant = did_you_mean(text, [named.candidate.pane.label for named in known if named.candidate.pane.label])
    raise Expected(f"there is no pane {text!r} with an agent in it{meant} (known: {there})")


def _told_apart(matches: Sequence[Named]) -> list[str]:
    """Ids repeat between sessions, labels within one too."""
    ids = [named.text for named in matches]
    if len(set(ids)) == len(ids):
        return ids
    return [f"{named.look.view.key}/{named.text}" for named in matches]


def _names_of(named: Named) -> set[str]:
    pane = named.candidate.pane
    ids = set(pane.names)
    prefixes = {named.look.view.key, named.session.name} - {""}
    return (
        ids
        | ({pane.label} if pane.label else set())
        | {f"{prefix}/{name}" for prefix in prefixes for name in ids}
    )


def _find_own(known: Sequence[Named], here: Sequence[tuple[Session, str]]) -> Named:
    for session, pane in here:
        key = session_key(session)
        for named in known:
            if named.look.view.key == key and pane in named.candidate.pane.names:
                return named
    panes = ", ".join(pane for _, pane in here)
    raise Expected(
        f"the pane that this command runs in ({panes}) has no agent. Name one: `attention status` lists them"
    )
