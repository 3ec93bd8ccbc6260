from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework.serve.address import Address, parse_address
from attention_framework.serve.protocol import (
    BadRequest,
    decoded,
    encoded,
    line_of,
    parse_request,
    request_line,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = st.text("abcdefghij", min_size=1, max_size=6)
PLAIN = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~/:")


@given(st.dictionaries(NAMES, st.text()))
def test_what_is_sent_is_what_arrives(values: Mapping[str, str]) -> None:
    line = request_line("wake", values)
    request = parse_request(line)
    assert (request.verb, request.values) == ("wake", values)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")


@given(st.text())
def test_a_value_holds_nothing_but_plain_characters_and_escapes(text: str) -> None:
    assert set(encoded(text)) <= PLAIN | {"%"}
    assert decoded(encoded(text)) == text


def test_the_address_of_a_socket_is_readable_as_it_stands() -> None:
    assert encoded("/run/user/1000/herdr.sock:a~b.c_d-e") == "/run/user/1000/herdr.sock:a~b.c_d-e"
    assert encoded("C:\\x y") == "C:%5Cx%20y"
    assert decoded(encoded("/tmp/\udcff")) == "/tmp/\udcff"


@pytest.mark.parametrize("line", [b"\n", b" \n", b"wake x\n", b"wake =x\n", b"wake a=\xff\n", b"\xff\xfe\n"])
def test_what_is_no_request_is_refused(line: bytes) -> None:
    with pytest.raises(BadRequest):
        parse_request(line)


@pytest.mark.parametrize("text", ["", "-1", "1.5", "x", "١", "9" * 16])
def test_a_number_is_a_number(text: str) -> None:
    request = parse_request(request_line("ask", {"wait": text}))
    with pytest.raises(BadRequest):
        request.number("wait")


def test_a_line_of_an_answer_is_one_line() -> None:
    assert line_of("out", "a\nb\r\nc") == "out a b c"


@pytest.mark.parametrize(
    "address", [Address(path="/a b/serve.sock"), Address(port=4711, token="abc"), Address(path="/\udcff")]
)
def test_an_address_is_read_as_it_was_written(address: Address) -> None:
    assert parse_address(address.content) == address


@pytest.mark.parametrize(
    "content", [b"", b"unix\n", b"unix \n", b"tcp 10.0.0.1 1 x\n", b"tcp 127.0.0.1 x y\n", b"\x00"]
)
def test_what_is_no_address_is_none(content: bytes) -> None:
    assert parse_address(content) is None


def test_a_token_is_not_shown() -> None:
    assert str(Address(port=1, token="secret")) == "tcp 127.0.0.1 1"
