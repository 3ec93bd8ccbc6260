"""Which panes a process runs in, by its environment."""

from __future__ import annotations

import pytest

from attention_framework.model import HostEnvironment, Session
from attention_framework.seats import Seat, own_seats

OUTER = HostEnvironment(host="outer", pane="OUTER_PANE", address="OUTER")
INNER = HostEnvironment(host="inner", pane="INNER_PANE", address="INNER", address_pattern="^(.*),[0-9]+$")
IN_BOTH = {"OUTER_PANE": "p1", "OUTER": "/outer.sock", "INNER_PANE": "%3", "INNER": "/inner.sock,812"}


def test_of_a_host_inside_another_one_both_panes_are_told() -> None:
    assert own_seats([OUTER, INNER], IN_BOTH) == [
        Seat(Session("outer", "/outer.sock"), "p1"),
        Seat(Session("inner", "/inner.sock"), "%3"),
    ]


@pytest.mark.parametrize("without", ["INNER_PANE", "INNER"])
def test_a_host_with_one_of_its_variables_alone_is_not_around_us(without: str) -> None:
    environment = {name: value for name, value in IN_BOTH.items() if name != without}
    assert [seat.session.host for seat in own_seats([OUTER, INNER], environment)] == ["outer"]


def test_an_address_that_is_not_as_the_host_writes_it_names_no_pane() -> None:
    assert own_seats([INNER], {**IN_BOTH, "INNER": "/inner.sock"}) == []
