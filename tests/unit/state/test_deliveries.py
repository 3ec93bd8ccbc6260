from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework.state.deliveries import Outstanding, PaneRecord, load_records, save_records
from attention_framework.state.folder import SessionFolder
from attention_framework.testing import Memory

FOLDER = SessionFolder(Path("/state/sessions/fake-1"))
ASKED = Outstanding(("b-1", "focus"), "fake-mailbox", 1, 2, 3)
times = st.integers(0, 2**53)
requests = st.builds(Outstanding, st.lists(st.text()).map(tuple), st.text(), times, times, times)
records = st.builds(
    PaneRecord, st.none() | st.text(), st.none() | requests, st.none() | st.text(min_size=1), times
)


@given(st.dictionaries(st.text(), records))
def test_what_is_saved_is_what_is_loaded(known: dict[str, PaneRecord]) -> None:
    files = Memory().files
    save_records(FOLDER, files, known)
    assert load_records(FOLDER, files, pytest.fail) == known


def test_without_a_file_nothing_is_remembered(memory: Memory) -> None:
    assert load_records(FOLDER, memory.files, pytest.fail) == {}


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b'{"v": 1}',
        b'{"v": 1, "panes": []}',
        b'{"v": 1, "panes": {"a": {"outstanding": {"runs": ["focus"]}}}}',
        b'{"v": 1, "panes": {"a": {"badge_ms": "x"}}}',
    ],
)
def test_a_broken_file_is_set_aside(memory: Memory, content: bytes) -> None:
    memory.disk.put(FOLDER.deliveries, content)
    said: list[str] = []
    assert load_records(FOLDER, memory.files, said.append) == {}
    assert memory.disk.content == {FOLDER.deliveries.with_name("deliveries.json.broken"): content}
    assert len(said) == 1


def test_a_request_counts_for_the_agent_that_it_was_made_to_and_the_badge_for_the_pane() -> None:
    record = PaneRecord("a.7", ASKED, "paused", 5)
    assert record.of("a.7") is record
    assert record.of("a.8") == PaneRecord("a.8", None, "paused", 5)
    assert record.of(None) == PaneRecord(None, None, "paused", 5)
