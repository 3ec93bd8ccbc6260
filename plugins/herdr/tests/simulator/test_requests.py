"""Requests that cannot be read, and the words for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator.method_names import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable


def error(raw: Callable[[bytes], bytes], line: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(raw(line.encode() + b"\n"))
    assert list(answer) == ["id", "error"]
    return answer


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json", "invalid request: expected ident at line 1 column 2"),
        ('{"id":"1","method":"ping"}', "invalid request: missing field `params` at line 1 column 26"),
        ('{"method":"ping","params":{}}', "invalid request: missing field `id` at line 1 column 29"),
        (
            '{"id": "1", "method": "agent.read", "params": {"target": "w1:p1", "source": "nope"}}',
            "invalid request: unknown variant `nope`, expected one of `visible`, `recent`, `recent_unwrapped`, `detection`"
            " at line 1 column 84",
        ),
        (
            '{"id":"1","method":"agent.get","params":{"target":5}}',
            "invalid request: invalid type: integer `5`, expected a string at line 1 column 53",
        ),
    ],
)
def test_a_request_that_cannot_be_read_loses_its_id(
    raw: Callable[[bytes], bytes], line: str, message: str
) -> None:
    assert error(raw, line) == {"id": "", "error": {"code": "invalid_request", "message": message}}


def test_the_answer_to_an_unknown_method_lists_all(raw: Callable[[bytes], bytes]) -> None:
    message = error(raw, '{"id":"1","method":"no.such","params":{}}')["error"]["message"]
    assert message.startswith(
        "invalid request: unknown variant `no.such`, expected one of `ping`, `server.stop`, "
    )
    assert message.endswith(", `plugin.pane.close` at line 1 column 41")
    assert message.count("`") == 2 * (len(METHODS) + 1)


def test_unknown_fields_do_not_matter(raw: Callable[[bytes], bytes]) -> None:
    assert b'"pong"' in raw(b'{"id":"1","method":"ping","params":{"more":1},"jsonrpc":"2.0"}\n')


def test_a_method_that_the_simulator_lacks_says_so(raw: Callable[[bytes], bytes]) -> None:
    answer = error(raw, '{"id":"7","method":"pane.zoom","params":{}}')
    assert (answer["id"], answer["error"]["code"]) == ("7", "not_implemented")


def test_a_reply_is_compact_and_not_escaped(raw: Callable[[bytes], bytes]) -> None:
    line = json.dumps({"id": "ü", "method": "ping", "params": {}}, ensure_ascii=False).encode()
    assert raw(line + b"\n").startswith(
        '{"id":"ü","result":{"type":"pong","version":"0.8.2","protocol":20,'.encode()
    )
