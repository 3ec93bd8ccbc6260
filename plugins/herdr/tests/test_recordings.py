"""Replies that a real Herdr gave. Reads the recordings where ATTENTION_RECORDINGS names their folder."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from attention_herdr.reading import read_snapshot
from attention_herdr.stream import kind_of
from attention_herdr.wire import REQUEST_ID, decode

from attention_framework import HostUnavailable, Session

FOLDER = os.environ.get("ATTENTION_RECORDINGS")
pytestmark = pytest.mark.skipif(
    not FOLDER, reason="needs ATTENTION_RECORDINGS=FOLDER, with calls.jsonl in it"
)


def recorded(kind: str) -> list[dict[str, Any]]:
    lines = (Path(FOLDER or "") / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["kind"] == kind]


def reply(row: dict[str, Any]) -> bytes:
    """As if it were the answer to a request of ours."""
    return str(row["response"]).replace('"id":"1"', f'"id":"{REQUEST_ID}"', 1).encode() + b"\n"


def test_every_reply_is_a_result_or_an_error_with_its_code() -> None:
    for row in recorded("call"):
        document = json.loads(row["response"])
        if "error" in document:
            with pytest.raises(HostUnavailable, match=document["error"]["code"]):
                decode(reply(row), row["label"])
        else:
            assert decode(reply(row), row["label"]) == document["result"]


def test_every_snapshot_is_read_without_a_warning() -> None:
    rows = [row for row in recorded("call") if '"session.snapshot"' in row["request"]]
    assert rows
    for row in rows:
        snapshot = read_snapshot(Session("herdr", "/run/herdr.sock"), decode(reply(row), row["label"]))
        assert snapshot.warnings == ()
        assert snapshot.focused == frozenset(pane.id for pane in snapshot.panes if pane.focused)
        assert all(pane.conversation for pane in snapshot.panes if pane.agent == "omp")


def test_every_line_of_the_stream_tells_its_kind() -> None:
    lines = [row["line"].encode() for row in recorded("event")]
    kinds = {kind_of(line) for line in lines if b"subscription_started" not in line}
    assert kinds == {"pane.focused", "pane.created", "pane.closed", "pane.moved"}
