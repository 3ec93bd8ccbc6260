from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework.cycle.join import fits, join, standing_forward
from attention_framework.testing import hello, pane

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attention_framework import Hello, Pane

ONE, TWO = pane("w1:p1"), pane("w1:p2")


def nowhere(pane_id: str) -> str | None:
    return None


def unrelated(pid: int) -> Sequence[int]:
    return (1,)


def never(what: object) -> None:
    pytest.fail(f"{what!r} was asked for, though the files settle it")


def claimed_pane(panes: Sequence[Pane], said: Hello, locate: Callable[[str], str | None]) -> Pane | None:
    """The one that this process alone speaks for."""
    joined, _ = join(panes, [said], locate, unrelated)
    return next((before for before, now in zip(panes, joined, strict=True) if now.hello), None)


def test_a_process_speaks_for_the_pane_whose_id_it_inherited() -> None:
    said = hello("w1:p2")
    joined, conflicts = join([ONE, TWO], [said], nowhere, unrelated)
    assert [found.hello for found in joined] == [None, said]
    assert conflicts == {}


def test_neither_the_host_nor_the_process_table_is_asked_where_the_files_settle_it() -> None:
    joined, _ = join([ONE, TWO], [hello("w1:p1", 1), hello("w1:p2", 2)], never, never)
    assert all(found.hello for found in joined)


def test_the_conversation_outweighs_the_inherited_id() -> None:
    panes = [pane("w1:p1", conversation="/a"), pane("w1:p2", conversation="/b")]
    said = hello("w1:p1", conversation="/b")
    assert claimed_pane(panes, said, never) == panes[1]


def test_a_conversation_that_two_panes_show_settles_nothing() -> None:
    panes = [pane("w1:p1", conversation="/a"), pane("w1:p2", conversation="/a")]
    assert claimed_pane(panes, hello("w1:p2", conversation="/a"), nowhere) == panes[1]


def test_panes_without_a_conversation_are_not_those_of_an_agent_without_one() -> None:
    assert claimed_pane([ONE], hello("w1:p9", conversation=None), nowhere) is None


def test_an_earlier_id_of_the_pane_is_understood() -> None:
    moved = pane("w2:p7", aliases=("w1:p1",))
    assert claimed_pane([TWO, moved], hello("w1:p1"), never) == moved


def test_the_host_is_asked_what_a_moved_pane_is_called_today() -> None:
    moved = pane("w2:p7")
    assert claimed_pane([TWO, moved], hello("w1:p1"), {"w1:p1": "w2:p7"}.get) == moved


def test_a_pane_that_is_nowhere_any_more_has_no_speaker() -> None:
    joined, conflicts = join([TWO], [hello("w1:p1")], nowhere, unrelated)
    assert joined == (TWO,)
    assert conflicts == {}


@pytest.mark.parametrize(
    ("on_host", "said", "fitting"),
    [
        (None, None, True),
        ("/dev/pts/1", None, True),
        (None, "/dev/pts/1", True),
        ("/dev/pts/1", "/dev/pts/1", True),
        ("/dev/pts/1", "/dev/pts/2", False),
    ],
)
def test_a_process_on_another_terminal_only_inherited_the_id(
    on_host: str | None, said: str | None, fitting: bool
) -> None:
    assert fits(pane(tty=on_host), hello(tty=said)) is fitting
    assert bool(claimed_pane([pane(tty=on_host)], hello(tty=said), nowhere)) is fitting


def test_a_conversation_on_another_terminal_falls_back_to_the_id() -> None:
    panes = [pane("w1:p1", tty="/dev/pts/1"), pane("w1:p2", tty="/dev/pts/2", conversation="/b")]
    said = hello("w1:p1", tty="/dev/pts/1", conversation="/b")
    assert claimed_pane(panes, said, nowhere) == panes[0]


def test_another_kind_of_agent_is_not_the_one_that_the_host_sees() -> None:
    assert claimed_pane([pane(agent="claude")], hello(), nowhere) is None


def test_a_host_that_detects_no_agents_learns_of_them_by_the_hello() -> None:
    joined, _ = join([pane(agent=None)], [hello()], nowhere, unrelated)
    assert joined[0].agent == "omp"


def test_a_nested_agent_stands_back_behind_the_one_that_started_it() -> None:
    outer, nested = hello(pid=10), hello(pid=30)
    above = {30: (20, 10, 1), 10: (1,)}
    for order in ([outer, nested], [nested, outer]):
        joined, conflicts = join([ONE], order, nowhere, above.__getitem__)
        assert joined[0].hello == outer
        assert conflicts == {}


def test_of_two_that_started_apart_the_one_whose_conversation_the_host_names_speaks() -> None:
    first, second = hello(pid=10, conversation="/a"), hello(pid=11, conversation="/b")
    shown = pane(conversation="/b")
    assert standing_forward(shown, [first, second], unrelated) == [second]


def test_two_claimants_that_remain_are_a_conflict_and_nobody_speaks() -> None:
    joined, conflicts = join([ONE, TWO], [hello(pid=10), hello(pid=11)], nowhere, unrelated)
    assert joined == (ONE, TWO)
    assert list(conflicts) == ["w1:p1"]
    assert "10, 11" in conflicts["w1:p1"]


@given(st.lists(st.sampled_from(["w1:p1", "w1:p2", "gone"]), max_size=6))
def test_no_process_speaks_for_two_panes_and_every_pane_stays(claimed: list[str]) -> None:
    hellos = [hello(name, pid) for pid, name in enumerate(claimed, 10)]
    joined, conflicts = join([ONE, TWO], hellos, nowhere, unrelated)
    assert [found.id for found in joined] == ["w1:p1", "w1:p2"]
    for found in joined:
        claimants = [said for said in hellos if said.pane == found.id]
        assert (found.hello in claimants) == (len(claimants) == 1)
        assert (found.id in conflicts) == (len(claimants) > 1)
