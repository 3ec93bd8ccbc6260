"""The pause screen is found at the end of a terminal and nowhere else.

`screens.json` holds screens of OMP 18.2.3 as a host has read them; the other ones are drawn here as pause-screen.ts draws them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attention_omp_keys.screen import FOOTERS, OmpScreen, find_pause
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import AgentState, Pane
from attention_framework.testing import FakeContext, FakeHost, PauseDetectorContract, pane

SCREENS: dict[str, str] = {
    screen["label"]: screen["text"]
    for screen in json.loads(Path(__file__).with_name("screens.json").read_text("utf-8"))
}
PAUSED = [label for label in SCREENS if label.startswith("paused")]
RUNNING = [label for label in SCREENS if not label.startswith("paused")]
EDITOR = [" π > ⬢ Fake One > 🗑 x/w1 ▶────────12%───────╎──────128K─", "╰─ "]
SENTENCES = [
    "Main agent, subagents, and advisor hold at their next step.",
    "In-flight calls finish; nothing new starts until you resume.",
]


def draw(
    footer: str,
    width: int = 100,
    height: int = 40,
    clock: str = "0:07",
    session: str = "",
    compact: bool = False,
) -> str:
    """The pause screen as renderPauseScreen draws it."""
    if compact:
        content = [*([session, ""] if session else []), "▌▌ P A U S E D", "", f"paused for {clock}", footer]
    else:
        bars = ["█████    █████"] * 7
        name = [session, "", ""] if session else []
        text = ["P A U S E D", "", *SENTENCES, "", f"paused for {clock}", "", footer]
        content = [*name, *bars, "", *text]
    centred = [" " * max(0, (width - len(line)) // 2) + line if line else "" for line in content]
    lines = [""] * max(0, (height - len(content)) // 2) + centred
    return "\n".join((lines + [""] * height)[:height])


KNOWN = [(footer, bool(form)) for forms in FOOTERS.values() for form, footer in enumerate(forms)]


@pytest.mark.parametrize("label", PAUSED)
def test_a_real_pause_screen_is_found(label: str) -> None:
    found = find_pause(SCREENS[label])
    assert found
    assert found.known == "17.2.15 to 18.2.9"
    assert found.clock in ("0:01", "0:02", "0:03", "0:04")


@pytest.mark.parametrize("label", RUNNING)
def test_a_real_running_screen_is_none(label: str) -> None:
    assert find_pause(SCREENS[label]) is None


@pytest.mark.parametrize(("footer", "compact"), KNOWN, ids=str)
@pytest.mark.parametrize("session", ["", "fix the parser", "P A U S E D"])
@pytest.mark.parametrize("clock", ["0:00", "12:34", "1:02:03"])
def test_every_known_form_is_found(footer: str, compact: bool, session: str, clock: str) -> None:
    found = find_pause(draw(footer, clock=clock, session=session, compact=compact))
    assert found
    assert found.known
    assert (found.footer, found.clock) == (footer, clock)


@pytest.mark.parametrize(
    ("footer", "compact"),
    [("F9 · Enter · Space — resume", False), ("F9 to resume", True), ("\uf12b to resume", True)],
)
def test_a_footer_with_keys_of_the_persons_own_is_found_by_its_surroundings(
    footer: str, compact: bool
) -> None:
    found = find_pause(draw(footer, compact=compact))
    assert found
    assert (found.footer, found.known) == (footer, None)


def test_a_terminal_too_low_for_the_footer_still_shows_a_pause() -> None:
    found = find_pause(draw("esc to resume", height=3, compact=True))
    assert found
    assert found.footer == ""


@pytest.mark.parametrize("height", [1, 2])
def test_a_terminal_that_shows_no_clock_says_nothing(height: int) -> None:
    assert find_pause(draw("esc to resume", height=height, compact=True)) is None


@pytest.mark.parametrize(("footer", "compact"), KNOWN, ids=str)
def test_stale_scrollback_does_not_count(footer: str, compact: bool) -> None:
    screen = draw(footer, compact=compact)
    assert find_pause("\n".join([screen, " Resumed after 6s — agents are running again.", *EDITOR])) is None
    assert find_pause("\n".join([screen, *EDITOR])) is None


@pytest.mark.parametrize(("footer", "compact"), KNOWN, ids=str)
@pytest.mark.parametrize("indent", ["", " ", "  │ ", "> "])
def test_a_transcript_that_quotes_the_words_does_not_count(footer: str, compact: bool, indent: str) -> None:
    quoted = [indent + line.strip() for line in draw(footer, compact=compact).splitlines() if line.strip()]
    for cut in range(1, len(quoted) + 1):
        assert find_pause("\n".join([*quoted[:cut], *EDITOR])) is None, cut
    assert find_pause("\n".join([*quoted[:-1], "and so on"])) is None


def test_a_quotation_at_the_margin_with_an_unknown_line_below_does_not_count() -> None:
    assert find_pause("▌▌ P A U S E D\npaused for 0:07\nF9 to resume") is None


@pytest.mark.parametrize("compact", [False, True])
def test_a_draft_with_the_words_does_not_count(compact: bool) -> None:
    footer = FOOTERS["17.2.15 to 18.2.9"][compact]
    words = [line.strip() for line in draw(footer, compact=compact).splitlines() if line.strip()]
    draft = [f"│  {line}" for line in words[:-1]] + [f"╰─ {words[-1]}"]
    assert find_pause("\n".join([EDITOR[0], *draft])) is None


def test_the_footers_of_the_versions_that_were_looked_at_are_known() -> None:
    assert {footer for forms in FOOTERS.values() for footer in forms} == {
        "esc · enter · space — resume",
        "esc to resume",
        "⎋ · ⏎ · ␣ — resume",
        "⎋ to resume",
        "Esc · Enter · Space — resume",
        "Esc to resume",
    }


def test_an_indented_quotation_with_an_unknown_line_below_is_not_centred() -> None:
    quoted = ["P A U S E D", *SENTENCES, "paused for 0:07", "F9 · Enter · Space — resume"]
    assert find_pause("\n".join(f"    {line}" for line in quoted)) is None


def test_two_lines_below_the_clock_are_no_footer() -> None:
    more = " " * 44 + "and so on"
    assert find_pause(draw("F9 to resume", compact=True).rstrip() + f"\n{more}\n") is None


@pytest.mark.parametrize("line", ["P A U S E D", "paused for 0:07"])
def test_a_line_that_says_more_than_its_words_does_not_count(line: str) -> None:
    screen = draw("esc to resume", compact=True)
    assert find_pause(screen.replace(line, f"{line}, it said")) is None
    assert find_pause(screen.replace(line, f"it said {line}")) is None


def test_a_frame_below_the_clock_is_no_footer() -> None:
    screen = draw("╰───────╯", compact=True)
    assert find_pause(screen) is None


@pytest.mark.parametrize("missing", ["P A U S E D", "paused for", SENTENCES[0]])
def test_a_screen_that_lacks_a_part_does_not_count(missing: str) -> None:
    lines = draw("esc · enter · space — resume").splitlines()
    assert find_pause("\n".join(line for line in lines if missing not in line)) is None


def test_the_footer_of_one_form_does_not_make_the_other() -> None:
    assert find_pause(draw("esc to resume", compact=False).replace(" " * 20, "")) is None


NOISE = st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=80), max_size=12)


@given(NOISE, st.sampled_from(KNOWN), st.integers(64, 200), st.integers(0, 40_000))
def test_whatever_stands_above_a_pause_screen_it_is_found(
    noise: list[str], form: tuple[str, bool], width: int, seconds: int
) -> None:
    clock = (
        f"{seconds // 60}:{seconds % 60:02}"
        if seconds < 3600
        else f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    )
    text = "\n".join([*noise, draw(form[0], width=width, clock=clock, compact=form[1])])
    found = find_pause(text)
    assert found
    assert (found.clock, found.known is not None) == (clock, True)


@given(NOISE.filter(lambda lines: any(line.strip() for line in lines)), st.sampled_from(KNOWN))
def test_whatever_stands_below_a_pause_screen_it_is_none(noise: list[str], form: tuple[str, bool]) -> None:
    assert find_pause("\n".join([draw(form[0], compact=form[1]), *noise])) is None


@given(st.text())
def test_any_text_is_answered(text: str) -> None:
    find_pause(text)


class TestContract(PauseDetectorContract):
    @pytest.fixture
    def detector(self, context: FakeContext) -> OmpScreen:
        return OmpScreen(None, context)

    @pytest.fixture
    def paused_pane(self, fake_host: FakeHost) -> Pane:
        fake_host.panes["w1:p2"].screen = SCREENS["paused, wide"]
        return fake_host.panes["w1:p2"].pane

    @pytest.fixture
    def running_pane(self, fake_host: FakeHost) -> Pane:
        fake_host.panes["w1:p1"].screen = SCREENS["idle with a draft"]
        return fake_host.panes["w1:p1"].pane

    @pytest.fixture
    def gone_pane(self) -> Pane:
        return pane("w9:p9")

    def test_an_empty_screen_is_unknown(self, detector: OmpScreen, fake_host: FakeHost) -> None:
        assert detector.observe(fake_host.panes["w1:p1"].pane).state is AgentState.UNKNOWN

    def test_a_screen_tells_no_engagement_that_could_be_resumed(
        self, detector: OmpScreen, paused_pane: Pane
    ) -> None:
        seen = detector.observe(paused_pane)
        assert (seen.engagement, seen.runs) == (None, frozenset())
