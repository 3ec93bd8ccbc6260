"""What is followed in a thread, again and again."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from attention_framework.following import Follower
from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Callable

BOUND_S = 10.0
NOW_MS = 1_796_008_500_000


def test_a_watch_that_ends_is_run_again_and_says_why() -> None:
    begun = threading.Semaphore(0)
    woken: list[str] = []
    warned: list[str] = []

    def watch(wake: Callable[[str], None], stop: threading.Event) -> None:
        begun.release()
        wake("event")
        raise RuntimeError("broken")

    follower = Follower("host", watch, woken.append, warned.append, lambda: NOW_MS, first_back_off_s=0.001)
    follower.start()
    for _ in range(3):
        assert begun.acquire(timeout=BOUND_S)
    follower.stop()
    follower.join(BOUND_S)
    assert "RuntimeError: broken" in warned[0]
    assert "followed again" in warned[0]
    assert woken[0] == "event"
    assert "broken" in woken[1], "what happens until the next watch is told to nobody"
    assert follower.following.state == "stopped"
    assert follower.following.ended >= 2


def test_while_it_waits_its_state_says_how_long_and_a_stop_ends_the_wait() -> None:
    def watch(wake: Callable[[str], None], stop: threading.Event) -> None:
        """Ends at once."""

    follower = Follower(
        "host", watch, lambda reason: None, lambda sentence: None, lambda: NOW_MS, first_back_off_s=3_600
    )
    follower.start()
    until(lambda: follower.following.state == "backing off")
    assert (follower.following.back_off_s, follower.following.problem) == (3_600, "stopped watching")
    assert (follower.following.since_ms, follower.following.again_ms) == (NOW_MS, NOW_MS + 3_600_000)
    follower.stop()
    follower.join(BOUND_S)
    assert follower.following.state == "stopped"


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
def test_no_watch_ends_the_process(error: BaseException) -> None:
    begun = threading.Semaphore(0)

    def watch(wake: Callable[[str], None], stop: threading.Event) -> None:
        begun.release()
        raise error

    follower = Follower(
        "host", watch, lambda reason: None, lambda sentence: None, lambda: NOW_MS, first_back_off_s=0.001
    )
    follower.start()
    assert begun.acquire(timeout=BOUND_S)
    assert begun.acquire(timeout=BOUND_S)
    follower.stop()
    follower.join(BOUND_S)
