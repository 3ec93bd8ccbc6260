"""The panes that this process runs in, as its environment tells them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .model import Session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .model import HostEnvironment


class Seat(NamedTuple):
    """A pane of a host, by the id that its processes inherited."""

    session: Session
    pane: str


def own_seats(hosts: Sequence[HostEnvironment], environment: Mapping[str, str]) -> list[Seat]:
    """One for each host around us: inside a host that runs in another one, the variables of both are set."""
    found = []
    for host in hosts:
        pane, address = environment.get(host.pane), _address(host, environment.get(host.address, ""))
        if pane and address:
            found.append(Seat(Session(host.host, address), pane))
    return found


def _address(host: HostEnvironment, value: str) -> str:
    """Empty where the variable does not hold what the host puts there."""
    if host.address_pattern is None:
        return value
    match = re.match(host.address_pattern, value, re.DOTALL)
    return match[1] if match else ""
