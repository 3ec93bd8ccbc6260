"""What every kind of strategy has to keep to."""

from __future__ import annotations

import re
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
BOUND_S = 5.0
"""A call of a strategy that takes longer is a failure. The framework stops waiting after the same time."""

NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")


def check_name(strategy: Any) -> None:
    """The name is made of lower-case words joined by `-` or `_`, as it stands in a settings file. It is an attribute of the
    class, because the settings select a strategy before it is constructed.
    """
    assert NAME.fullmatch(strategy.name), f"{strategy.name!r} is no name for a settings file"
    assert type(strategy).name == strategy.name, "the name belongs to the class"


def check_settings(strategy: Any) -> None:
    """If there is a class `Settings`, it is a pydantic model in which every field has a default, because every key of the
    settings file is optional.
    """
    model = getattr(type(strategy), "Settings", None)
    if model is not None:
        assert isinstance(model.model_json_schema(), dict)
        model()


def within_bound(call: Callable[[], T]) -> T:
    """What `call` returns. Fails if that takes longer than `BOUND_S`."""
    started = time.monotonic()
    try:
        return call()
    finally:
        assert time.monotonic() - started < BOUND_S, f"took more than {BOUND_S:g} s"


def check_watch_ends(
    watch: Callable[[Callable[[str], None], threading.Event], None], allowed: type[Exception]
) -> None:
    """`watch` returns within `BOUND_S` after `stop` was set, and raises nothing but the allowed error."""
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
