from __future__ import annotations

import pytest
from attention_herdr.pacer import LIVE_GAP_MS, PAST_GAP_MS, QUIET_MS, Pacer


class Story:
    """Lines at given times, and what they woke."""

    def __init__(self) -> None:
        self.now_ms = 0.0
        self.woken: list[float] = []
        self.pacer = Pacer(lambda reason: self.woken.append(self.now_ms), 0.0)

    def wait(self, duration_ms: float) -> None:
        """Let time pass as the stream does: with a tick whenever one is due."""
        end = self.now_ms + duration_ms
        while (due := self.pacer.due_in(self.now_ms)) <= end - self.now_ms:
            self.now_ms += max(0.0, due)
            self.pacer.tick(self.now_ms)
        self.now_ms = end
        self.pacer.tick(end)

    def line(self) -> None:
        self.pacer.line("herdr:pane.focused", self.now_ms)


@pytest.fixture
def story() -> Story:
    return Story()


def test_the_first_line_wakes_at_once(story: Story) -> None:
    story.line()
    assert story.woken == [0.0]


def test_a_replay_of_the_whole_ring_wakes_once_a_second_and_at_its_end(story: Story) -> None:
    for _ in range(512):
        story.line()
        story.wait(100)
    last_line = story.now_ms - 100
    story.wait(QUIET_MS)
    assert len(story.woken) <= 512 * 100 / PAST_GAP_MS + 2
    assert story.woken[-1] > last_line


def test_after_the_past_every_line_wakes_at_once(story: Story) -> None:
    story.line()
    story.wait(QUIET_MS)
    story.line()
    story.wait(LIVE_GAP_MS)
    story.line()
    assert story.woken == [0.0, QUIET_MS, QUIET_MS + LIVE_GAP_MS]


def test_lines_that_come_together_wake_twice(story: Story) -> None:
    story.wait(QUIET_MS)
    for _ in range(5):
        story.line()
    story.wait(LIVE_GAP_MS)
    assert story.woken == [QUIET_MS, QUIET_MS + LIVE_GAP_MS]


def test_no_line_is_without_a_wake_up_after_it(story: Story) -> None:
    for pause in (0, 10, 40, 60, 100, 100, 5, 250, 310, 1, 1, 49, 50, 51):
        story.wait(pause)
        story.line()
        said = story.now_ms
    story.wait(PAST_GAP_MS)
    assert story.woken[-1] >= said


def test_nothing_is_due_when_nothing_is_held_back(story: Story) -> None:
    assert story.pacer.due_in(0.0) == float("inf")
    story.line()
    assert story.pacer.due_in(0.0) == float("inf")
