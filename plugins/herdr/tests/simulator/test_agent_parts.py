"""The simulated agent's parts: its screen, its keys, its editor, its gate."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from attention_herdr.simulator.agent.editor import Editor
from attention_herdr.simulator.agent.inputs import Decoder, Input
from attention_herdr.simulator.agent.pause_screen import minutes, pause_screen, resumed
from attention_herdr.simulator.agent.record import Record
from attention_herdr.simulator.agent.work import Gate, Worker
from attention_herdr.simulator.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BARS = "█████    █████"


def rows(columns: int, lines: int, paused_s: int) -> list[tuple[int, int, str]]:
    """(row, column, text) of everything on the screen."""
    found = [(row, line) for row, line in enumerate(pause_screen(columns, lines, paused_s)) if line]
    return [(row, len(line) - len(line.lstrip()), line.strip()) for row, line in found]


def test_the_pause_screen_in_full_as_recorded() -> None:
    assert rows(134, 43, 1) == [
        *((row, 60, BARS) for row in range(13, 20)),
        (21, 61, "P A U S E D"),
        (23, 37, "Main agent, subagents, and advisor hold at their next step."),
        (24, 37, "In-flight calls finish; nothing new starts until you resume."),
        (26, 59, "paused for 0:01"),
        (28, 53, "esc · enter · space — resume"),
    ]
    assert [column for _, column, _ in rows(69, 43, 2)][-5:] == [29, 5, 4, 27, 20]


@pytest.mark.parametrize(("columns", "lines"), [(134, 14), (60, 16), (63, 40), (80, 17)])
def test_the_pause_screen_of_a_small_terminal_is_compact(columns: int, lines: int) -> None:
    assert [text for _, _, text in rows(columns, lines, 3)] == [
        "▌▌ P A U S E D",
        "paused for 0:03",
        "esc to resume",
    ]


def test_the_compact_screen_stands_where_it_was_recorded() -> None:
    assert [(row, column) for row, column, _ in rows(134, 14, 3)] == [(5, 60), (7, 59), (8, 60)]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (67, "1:07"), (3600, "1:00:00"), (3723, "1:02:03")]
)
def test_times_of_a_pause(seconds: int, text: str) -> None:
    assert minutes(seconds) == text
    assert resumed(6) == "Resumed after 6s — agents are running again."


KEYS = [
    (b"\x1b[24~", [Input("key", "f12")]),
    (b"\x1b\x10", [Input("key", "ctrl+alt+p")]),
    (b"\x1b[I\x1b[O", [Input("focus", "in"), Input("focus", "out")]),
    (b"ab\x1b[24~c", [Input("text", "ab"), Input("key", "f12"), Input("text", "c")]),
    (b"\x1b[200~x\r\ny\x1b[24~\x1b[201~\r", [Input("paste", "x\ny\x1b[24~"), Input("key", "enter")]),
    ("é😀\x1b\r".encode(), [Input("text", "é😀"), Input("key", "newline")]),
    (b"\x1b[A\x7f\x15", [Input("key", ""), Input("key", "backspace"), Input("key", "ctrl+u")]),
]


@pytest.mark.parametrize(("data", "inputs"), KEYS)
def test_bytes_become_inputs(data: bytes, inputs: list[Input]) -> None:
    decoder = Decoder()
    assert decoder.feed(data) == inputs
    assert not decoder.waiting


@pytest.mark.parametrize(("data", "inputs"), KEYS)
def test_bytes_may_come_one_by_one(data: bytes, inputs: list[Input]) -> None:
    decoder = Decoder()
    single = [given for byte in data for given in decoder.feed(bytes([byte]))]
    assert "".join(given.value for given in single) == "".join(given.value for given in inputs)


def test_a_lone_escape_is_a_key_when_nothing_follows() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b") == []
    assert decoder.waiting
    assert decoder.flush() == [Input("key", "esc")]
    assert decoder.feed(b"\x1b\x1b[24~") == [Input("key", "esc"), Input("key", "f12")]


def typed(editor: Editor, *inputs: Input) -> list[str]:
    return [text for given in inputs if (text := editor.take(given)) is not None]


ENTER = Input("key", "enter")


def test_enter_submits_the_draft() -> None:
    editor = Editor()
    assert typed(
        editor,
        ENTER,
        Input("text", "hi"),
        Input("key", "newline"),
        Input("text", "yo!"),
        Input("key", "backspace"),
        ENTER,
    ) == ["hi\nyo"]
    assert editor.draft == ""


@pytest.mark.parametrize(
    ("draft", "submitted"),
    [("", "/pause"), ("a draft", "a draft /pause"), ("ends with a blank ", "ends with a blank /pause")],
)
def test_a_pasted_pause_joins_what_stands_there(draft: str, submitted: str) -> None:
    assert typed(Editor(draft), Input("paste", "/pause"), ENTER) == [submitted]


def test_a_typed_pause_joins_without_a_blank() -> None:
    assert typed(Editor("draft"), Input("text", "/pause"), ENTER) == ["draft/pause"]


def test_nothing_starts_while_the_gate_is_engaged(until: Callable[..., object], tmp_path: Path) -> None:
    gate, ended = Gate(), threading.Event()
    worker = Worker(gate, Record(tmp_path), 0.001, ended.set)
    try:
        gate.engage()
        worker.give(5)
        assert worker.busy
        assert worker.calls() == []
        assert not (tmp_path / "work.jsonl").exists()
        gate.release()
        until(lambda: not worker.busy)
        steps = (tmp_path / "work.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(steps) == 10
    finally:
        worker.close()


def test_a_gate_engaged_in_mid_call_lets_it_end(tmp_path: Path, until: Callable[..., object]) -> None:
    gate = Gate()
    worker = Worker(gate, Record(tmp_path), 0.05, lambda: None)
    try:
        worker.give(-1)
        until(worker.calls)
        gate.engage()
        until(lambda: not worker.calls())
        before = (tmp_path / "work.jsonl").read_text(encoding="utf-8")
        assert before.splitlines()[-1].endswith('"end"}')
        assert worker.busy
    finally:
        worker.close()
    assert (tmp_path / "work.jsonl").read_text(encoding="utf-8") == before


def test_the_screen_protocol_carries_the_pause_screen() -> None:
    screen = Screen()
    screen.feed(b"\x1b[2J\x1b[H" + "\n".join(pause_screen(134, 43, 1)).encode())
    assert screen.text().splitlines()[13].strip() == BARS
    assert screen.text().endswith("esc · enter · space — resume\n")
