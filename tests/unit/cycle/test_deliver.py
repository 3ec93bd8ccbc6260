from __future__ import annotations

from typing import Any

import pytest

from attention_framework import Delivery, HostUnavailable, Outcome, Run
from attention_framework.bounded import Inline
from attention_framework.cycle.deliver import Delivered, deliver
from attention_framework.cycle.plan import Deed, Intent
from attention_framework.state.deliveries import Outstanding
from attention_framework.testing import pane

NOW = 1_000_000
PAUSE = Intent(Deed.PAUSE, Outcome.PAUSE_SENT, "no focus", (Run("focus", "no focus", attended=3),))
RESUME = Intent(Deed.RESUME, Outcome.RESUMED, "it has the focus", engagement="7-1")
WITHDRAW = Intent(Deed.WITHDRAW, Outcome.RELEASED, "it has the focus")
ACCEPTED, REFUSED = Delivery.accepted("left there"), Delivery.refused("not now")


def delivered(
    intent: Intent, *transports: Any, asked: Outstanding | None = None, now_ms: int = NOW, said: Any = None
) -> Delivered:
    return deliver(pane(), intent, transports, asked, now_ms, Inline((said or []).append))


def outstanding(
    transport: str = "first", *, ago_ms: int = 0, first_ago_ms: int | None = None, attempts: int = 1
) -> Outstanding:
    first_ms = NOW - (ago_ms if first_ago_ms is None else first_ago_ms)
    return Outstanding(("focus",), transport, first_ms, NOW - ago_ms, attempts)


def test_the_first_transport_that_takes_the_request_gets_it_alone(fake_transport: Any) -> None:
    first, second = fake_transport("first", ACCEPTED), fake_transport("second", ACCEPTED)
    done = delivered(PAUSE, first, second)
    assert (done.outcome, done.transport) == (Outcome.PAUSE_SENT, "first")
    assert done.outstanding == Outstanding(("focus",), "first", NOW, NOW)
    assert (first.asked, second.asked) == ([("focus",)], [])


@pytest.mark.parametrize(
    "answer", [REFUSED, RuntimeError("broken"), HostUnavailable("gone"), None, "sent"], ids=repr
)
def test_a_transport_that_refuses_or_fails_is_passed_over(fake_transport: Any, answer: Any) -> None:
    second = fake_transport("second", Delivery.sent())
    done = delivered(PAUSE, fake_transport("first", answer), second)
    assert (done.outcome, done.transport) == (Outcome.PAUSE_SENT, "second")
    assert second.asked == [("focus",)]


def test_if_all_refuse_every_reason_is_told_and_nothing_is_outstanding(fake_transport: Any) -> None:
    done = delivered(
        PAUSE,
        fake_transport("first", REFUSED),
        fake_transport("second", ValueError("no such key")),
        asked=outstanding(),
    )
    assert done.outcome is Outcome.REFUSED
    assert done.reason.startswith("first: not now; second: ValueError: no such key")
    assert done.outstanding is None


def test_an_agent_without_a_transport_is_refused() -> None:
    assert delivered(PAUSE) == Delivered(Outcome.REFUSED, "no transport is set for this agent")


def test_a_key_that_was_pressed_a_moment_ago_is_not_pressed_again(fake_transport: Any) -> None:
    keys = fake_transport("first", Delivery.sent(), retry_after_s=2.0)
    asked = outstanding(ago_ms=1_999)
    done = delivered(PAUSE, keys, asked=asked)
    assert keys.asked == []
    assert (done.outcome, done.outstanding) == (Outcome.PAUSE_SENT, asked)


def test_once_its_time_is_over_it_is_pressed_again_and_counted(fake_transport: Any) -> None:
    keys = fake_transport("first", Delivery.sent(), retry_after_s=2.0)
    done = delivered(PAUSE, keys, asked=outstanding(ago_ms=2_000))
    assert keys.asked == [("focus",)]
    assert done.outstanding == Outstanding(("focus",), "first", NOW - 2_000, NOW, 2)


def test_other_runs_are_a_new_request(fake_transport: Any) -> None:
    keys = fake_transport("first", Delivery.sent(), retry_after_s=2.0)
    done = delivered(PAUSE, keys, asked=Outstanding(("b-1",), "first", 0, NOW))
    assert keys.asked == [("focus",)]
    assert done.outstanding == Outstanding(("focus",), "first", NOW, NOW)


def test_a_worse_transport_waits_its_turn_while_a_better_one_is_tried_each_time(fake_transport: Any) -> None:
    first = fake_transport("first", REFUSED)
    second = fake_transport("second", Delivery.sent(), retry_after_s=2.0)
    asked = outstanding("second", ago_ms=500)
    done = delivered(PAUSE, first, second, asked=asked)
    assert (len(first.asked), len(second.asked)) == (1, 0)
    assert done.outstanding == asked


def test_a_better_transport_that_works_again_takes_over_and_the_wait_goes_on(fake_transport: Any) -> None:
    first, second = fake_transport("first", ACCEPTED), fake_transport("second", Delivery.sent())
    done = delivered(PAUSE, first, second, asked=outstanding("second", ago_ms=500))
    assert done.outstanding == Outstanding(("focus",), "first", NOW - 500, NOW)


@pytest.mark.parametrize(("waited_ms", "outcome"), [(9_999, "pause-sent"), (10_000, "not-confirmed")])
def test_a_pause_that_is_not_seen_in_time_is_reported_as_not_confirmed(
    fake_transport: Any, waited_ms: int, outcome: str
) -> None:
    mailbox = fake_transport("first", ACCEPTED, report_unconfirmed_after_s=10.0)
    done = delivered(PAUSE, mailbox, asked=outstanding(first_ago_ms=waited_ms, attempts=4))
    assert done.outcome == outcome
    assert mailbox.asked == [("focus",)], "it is retried all the same"


def test_the_limit_is_ten_seconds_by_default_and_zero_means_never(fake_transport: Any) -> None:
    asked = outstanding(first_ago_ms=10_000)
    default, never = fake_transport("first", ACCEPTED), fake_transport("first", ACCEPTED)
    never.report_unconfirmed_after_s = 0
    assert delivered(PAUSE, default, asked=asked).outcome is Outcome.NOT_CONFIRMED
    assert delivered(PAUSE, never, asked=asked).outcome is Outcome.PAUSE_SENT


def test_it_is_reported_while_the_next_press_waits_too(fake_transport: Any) -> None:
    keys = fake_transport("first", Delivery.sent(), retry_after_s=60.0)
    done = delivered(PAUSE, keys, asked=outstanding(ago_ms=15_000))
    assert (done.outcome, keys.asked) == (Outcome.NOT_CONFIRMED, [])
    assert "15 s ago and 1 times" in done.reason


def test_after_the_clock_was_set_back_the_request_is_made_anew(fake_transport: Any) -> None:
    keys = fake_transport("first", Delivery.sent(), retry_after_s=2.0)
    done = delivered(PAUSE, keys, asked=Outstanding(("focus",), "first", NOW + 5_000, NOW + 5_000))
    assert keys.asked == [("focus",)]
    assert done.outstanding == Outstanding(("focus",), "first", NOW, NOW)


def test_a_resume_names_its_engagement_and_falls_through_too(fake_transport: Any) -> None:
    first, second = fake_transport("first", REFUSED), fake_transport("second", ACCEPTED)
    done = delivered(RESUME, first, second)
    assert (done.outcome, done.transport, done.outstanding) == (Outcome.RESUMED, "second", None)
    assert second.resumed == ["7-1"]
    assert delivered(RESUME, first).outcome is Outcome.REFUSED


def test_a_request_is_taken_back_only_where_it_is_kept(fake_transport: Any) -> None:
    keys = fake_transport("keys", Delivery.sent())
    mailbox = fake_transport("mailbox", ACCEPTED, outstanding=lambda pane: True)
    done = delivered(WITHDRAW, keys, mailbox, asked=outstanding("keys"))
    assert (done.outcome, done.transport, done.outstanding) == (Outcome.RELEASED, "mailbox", None)
    assert (keys.asked, mailbox.asked) == ([], [()])


def test_where_nothing_is_kept_there_is_nothing_to_take_back(fake_transport: Any) -> None:
    keys = fake_transport("keys", Delivery.sent())
    empty = fake_transport("mailbox", ACCEPTED, outstanding=lambda pane: False)
    done = delivered(WITHDRAW, keys, empty, asked=outstanding("keys"))
    assert done.outcome is Outcome.RELEASED
    assert (keys.asked, empty.asked, done.outstanding) == ([], [], None)
