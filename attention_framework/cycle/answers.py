"""Answers of strategies that are what the protocol says, or an error where the strategy is still known."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
U = TypeVar("U")


def checked(ask: Callable[[U], T], *kinds: type) -> Callable[[U], T]:
    """`ask`, raising TypeError for an answer of another type."""

    def answer(item: U) -> T:
        value = ask(item)
        if not isinstance(value, kinds):
            raise TypeError(f"it answered {value!r}, which is no {kinds[0].__name__}")
        return value

    return answer
