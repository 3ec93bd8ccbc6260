"""The line of a gentle pause is found above OMP's editor and nowhere else."""

from __future__ import annotations

import pytest
from attention_omp_keys.line import find_line
from attention_omp_keys.screen import OmpScreen

from attention_framework import AgentState
from attention_framework.testing import FakeContext, FakeHost, pane

ROW = " attention: paused since 10:48:50 - Ctrl+Alt+R resumes, your prompts wait"
NARROW = ["attention: paused since 10:48:50", "Ctrl+Alt+R resumes, your prompts wait"]
EDITOR = [" π > ⬢ Fake One > 🗑 x/w1 ▶────────12%───────╎──────128K─", "╰─ a draft", "   of two lines"]
TRANSCRIPT = ["", " You asked what it shows:", ""]


def screen(*rows: str) -> str:
    return "\n".join([*TRANSCRIPT, *rows, "", ""])


@pytest.mark.parametrize("rows", [[ROW], NARROW], ids=["wide", "narrow"])
def test_it_is_found_above_the_editor(rows: list[str]) -> None:
    assert find_line(screen(*rows, *EDITOR)) == "10:48:50"


@pytest.mark.parametrize(
    "text",
    [
        screen(*EDITOR),
        screen(ROW, "", *EDITOR),
        screen(*NARROW[:1], *EDITOR),
        screen(*NARROW, "", *EDITOR),
        screen(*EDITOR, ROW),
        screen(EDITOR[0], f"╰─ {ROW}", "   and more of the draft"),
        screen(f"> {ROW}", *EDITOR),
        screen(ROW.replace("10:48:50", "a while ago"), *EDITOR),
        screen(ROW, EDITOR[0]),
        "",
    ],
)
def test_its_words_elsewhere_are_no_pause(text: str) -> None:
    assert find_line(text) is None


def test_the_detector_sees_it_and_quotes_nothing_else(context: FakeContext, fake_host: FakeHost) -> None:
    fake_host.panes["w1:p1"].screen = screen(ROW, *EDITOR)
    seen = OmpScreen(None, context).observe(pane())
    assert seen.state is AgentState.PAUSED
    assert seen.evidence == "the line above the prompt editor, since 10:48:50"
