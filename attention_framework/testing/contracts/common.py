"""What is promised of a strategy of any kind."""

from __future__ import annotations

import re
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
BOUND_S = 5.0
"""No call of a strategy may take longer. The core gives up much earlier."""

NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")


def check_name(strategy: Any) -> None:
    """A name that a settings file can hold, the same for the class,
    so that it can be chosen before anything is constructed.
    """
    assert NAME.fullmatch(strategy.name), f"{strategy.name!r} is no name for a settings file"
    assert type(strategy).name == strategy.name, "the name belongs to the class"


def check_settings(strategy: Any) -> None:
    """Settings are a pydantic model that is complete without
    being given anything, so that every key is optional.
    """
    model = getattr(type(strategy), "Settings", None)
    if model is not None:
        assert isinstance(model.model_json_schema(), dict)
        model()


def within_bound(call: Callable[[], T]) -> T:
    """The answer of a call that must not take long."""
    started = time.monotonic()
    try:
        return call()
    finally:
        assert time.monotonic() - started < BOUND_S, f"took more than {BOUND_S:g} s"


def check_watch_ends(
    watch: Callable[[Callable[[str], None], threading.Event], None], allowed: type[Exception]
) -> None:
    """`watch` returns soon after `stop` is set, and fails with nothing but the allowed error."""
    failures: list[BaseException] = []
    stop = threading.Event()

    def run() -> None:
        try:
            watch(lambda reason: None, stop)
        except allowed:
            pass
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    stop.set()
    thread.join(BOUND_S)
    assert not thread.is_alive(), "watch did not return after stop had been set"
    assert not failures, f"watch raised {failures[0]!r}"
