"""One request and its reply, as bytes (facts read in Herdr 0.8.2: `api/server.rs`, `api/schema.rs`)."""

from __future__ import annotations

import json
from typing import Any, Final

from attention_framework import HostUnavailable, PaneGone

REQUEST_ID: Final = "attention"
REPLY_LIMIT: Final = 8 * 1024 * 1024
"""Bytes. A snapshot of a hundred panes takes about a hundredth of it; what is longer is no answer of Herdr's.
"""
SHOWN: Final = 120
"""Characters of an unusable reply that an error message quotes."""

GONE: Final = frozenset({
    "agent_not_found", "agent_not_ready", "agent_not_running", "agent_pane_not_found",
    "agent_pane_unavailable", "pane_not_found",
})  # fmt: skip
"""Codes of normal races: the pane was closed or moved,
or its agent has ended or is no longer in the foreground.
"""


class NotRunning(HostUnavailable):
    """Nobody listens at the address: no server, or one that is being replaced this moment."""


class Refused(HostUnavailable):
    """Herdr has answered with an error."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


def encode(method: str, params: dict[str, Any]) -> bytes:
    """The line of a request. `params` is there even when empty: Herdr refuses a request without."""
    return (
        json.dumps({"id": REQUEST_ID, "method": method, "params": params}, ensure_ascii=False).encode()
        + b"\n"
    )


def decode(line: bytes, asked: str) -> dict[str, Any]:
    """The result in a reply line. `asked` names request and session
    for the errors: HostUnavailable, Refused, PaneGone.
    """
    if not line:
        raise HostUnavailable(f"{asked}: Herdr closed the connection without an answer")
    if not line.endswith(b"\n"):
        raise HostUnavailable(f"{asked}: the answer was cut off after {len(line)} bytes: {_shown(line)}")
    document = _object(line, asked)
    if isinstance(error := document.get("error"), dict):
        raise _refusal(error, asked)
    # An invalid request is answered with an empty id; any other id but ours is the answer to somebody else.
    if document.get("id", REQUEST_ID) != REQUEST_ID:
        raise HostUnavailable(f"{asked}: the answer is to another request, {document['id']!r}")
    if not isinstance(result := document.get("result"), dict):
        raise HostUnavailable(f"{asked}: the answer holds neither a result nor an error: {_shown(line)}")
    return result


def _object(line: bytes, asked: str) -> dict[str, Any]:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise HostUnavailable(f"{asked}: the answer is not JSON: {_shown(line)}") from error
    if not isinstance(document, dict):
        raise HostUnavailable(f"{asked}: the answer is no JSON object: {_shown(line)}")
    return document


def _refusal(error: dict[str, Any], asked: str) -> HostUnavailable:
    code, message = str(error.get("code", "an error without a code")), str(error.get("message", ""))
    text = f"{asked}: Herdr refused, {code}" + (f": {message}" if message else "")
    return PaneGone(text) if code in GONE else Refused(text, code)


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")
