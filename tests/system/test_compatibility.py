"""What an extension without reflex and gentle pause has written is understood, as recorded from one.

`tests/e2e/test_compatibility.py` runs that extension, and compares the record with what it writes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attention_omp_keys.status import OmpStatus

from attention_framework import AgentState, Hello, Reflex
from attention_framework.model import MAILBOX_PROTOCOL
from attention_framework.state.hellos import parse_hello
from attention_framework.testing import FakeContext, pane

RECORDED: dict[str, dict[str, Any]] = json.loads(
    Path(__file__)
    .parents[1]
    .joinpath("vectors", "compatibility", "extension-before-reflex.json")
    .read_text("utf-8")
)
CHANGING = {"pid": 100, "written_ms": 1, "engagement": "100-1"}


def hello(name: str, **more: Any) -> Hello:
    return parse_hello("%251.100", {**RECORDED[name], **CHANGING, **more})


@pytest.mark.parametrize(
    ("name", "state"),
    [("running", AgentState.RUNNING), ("paused", AgentState.PAUSED), ("resumed", AgentState.RUNNING)],
)
def test_its_status_file_is_believed(name: str, state: AgentState) -> None:
    said = hello(name)
    assert OmpStatus(None, FakeContext()).observe(pane(hello=said)).state is state
    assert (said.reflex, said.speaks_newer) == (Reflex(), False)


def test_it_says_for_what_it_is_paused_and_what_it_shows() -> None:
    said = hello("paused")
    assert (said.runs, said.by, said.shown) == (frozenset({"focus"}), "request", "overlay")
    assert RECORDED["ack"]["shown"] == "overlay"


@pytest.mark.parametrize(
    ("versions", "newer"),
    [
        ({}, False),
        ({"protocol": 0}, False),
        ({"protocol": MAILBOX_PROTOCOL}, False),
        ({"protocol": MAILBOX_PROTOCOL + 1}, True),
        ({"protocol": 1.5}, True),
        ({"protocol": "next"}, True),
        ({"protocol": None}, True),
    ],
)
def test_a_protocol_that_is_not_known_is_told_from_those_that_are(
    versions: dict[str, Any], newer: bool
) -> None:
    assert hello("running", versions=versions).speaks_newer is newer
