from __future__ import annotations

import json
from typing import Any

import pytest
from attention_herdr.wire import REQUEST_ID, Refused, decode, encode

from attention_framework import HostUnavailable, PaneGone

ASKED = "pane.get at /run/herdr.sock"


def reply(**content: Any) -> bytes:
    return json.dumps({"id": REQUEST_ID, **content}).encode() + b"\n"


def failure(line: bytes) -> HostUnavailable:
    with pytest.raises(HostUnavailable) as caught:
        decode(line, ASKED)
    assert ASKED in str(caught.value)
    return caught.value


def test_a_request_is_one_line_and_has_params_even_when_empty() -> None:
    line = encode("ping", {})
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"id": REQUEST_ID, "method": "ping", "params": {}}


def test_a_newline_in_a_parameter_does_not_end_the_request() -> None:
    assert encode("agent.prompt", {"text": "a\nb"}).count(b"\n") == 1


def test_a_result_is_taken_out_of_its_reply() -> None:
    assert decode(reply(result={"type": "ok"}, news="a field of a later version"), ASKED) == {"type": "ok"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"", "closed the connection"),
        (reply(result={"type": "ok"})[:-9], "cut off"),
        (b"not json\n", "not JSON: 'not json'"),
        (b"\xff\xfe\n", "not JSON"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b"[1]\n", "no JSON object"),
        (b"null\n", "no JSON object"),
        (reply(), "neither a result nor an error"),
        (reply(result="ok"), "neither a result nor an error"),
        (b'{"id":"9","result":{"type":"ok"}}\n', "to another request, '9'"),
    ],
)
def test_an_unusable_reply_is_named_with_what_came(line: bytes, told: str) -> None:
    assert told in str(failure(line))


@pytest.mark.parametrize("code", ["pane_not_found", "agent_not_found", "agent_not_ready"])
def test_a_pane_or_agent_that_is_not_there_is_a_race(code: str) -> None:
    assert isinstance(failure(reply(error={"code": code, "message": "pane w1:p9"})), PaneGone)


@pytest.mark.parametrize("code", ["invalid_key", "a_code_of_a_later_version"])
def test_any_other_error_keeps_its_code(code: str) -> None:
    error = failure(reply(error={"code": code, "message": "no"}))
    assert isinstance(error, Refused)
    assert error.code == code
    assert not isinstance(error, PaneGone)


def test_an_invalid_request_is_answered_without_the_id() -> None:
    # Recorded from Herdr 0.8.2.
    line = (
        b'{"id":"","error":{"code":"invalid_request","message":"invalid request: missing field `params`"}}\n'
    )
    assert "missing field `params`" in str(failure(line))


def test_an_error_without_a_code_is_still_an_error() -> None:
    assert isinstance(failure(reply(error={})), Refused)


def test_a_long_reply_is_not_quoted_whole() -> None:
    assert len(str(failure(b"x" * 100_000 + b"\n"))) < 400
