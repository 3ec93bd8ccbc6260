"""The line protocol (docs/reference/serve-protocol.md): one request a connection, an answer of several lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from collections.abc import Mapping

PROTOCOL: Final = 1
LIMIT: Final = 8192
"""Bytes of a request, its line end included."""
HEARD: Final = "heard"
"""The first line of an answer that takes a while. Without it within a second the controller is stopped or hangs."""


class BadRequest(ValueError):
    """A request that makes no sense. The message says why."""


@dataclass(frozen=True, slots=True)
class Request:
    verb: str
    values: Mapping[str, str]

    def number(self, name: str) -> int | None:
        """None if it is not given. Raises BadRequest for what is no number."""
        text = self.values.get(name)
        if text is None:
            return None
        if not text.isascii() or not text.isdecimal() or len(text) > 15:
            raise BadRequest(f"{name}={text} is no number")
        return int(text)

    def needed(self, name: str) -> str:
        """Raises BadRequest if it is not given."""
        if not self.values.get(name):
            raise BadRequest(f"{self.verb} needs {name}=")
        return self.values[name]


def encoded(text: str) -> str:
    """A value as it stands in a line. What is no Unicode, such as an odd byte of a path, survives."""
    return quote(text, safe="/:", errors="surrogateescape")


def decoded(text: str) -> str:
    return unquote(text, errors="surrogateescape")


def request_line(verb: str, values: Mapping[str, str]) -> bytes:
    words = [verb, *(f"{name}={encoded(value)}" for name, value in values.items())]
    return (" ".join(words) + "\n").encode()


def parse_request(line: bytes) -> Request:
    """Raises BadRequest."""
    try:
        text = line.decode("ascii")
    except UnicodeDecodeError as error:
        raise BadRequest("a request is ASCII: what is not is percent-encoded") from error
    verb, *words = text.split() or [""]
    pairs = [word.partition("=") for word in words]
    wrong = next((name for name, equals, _ in pairs if not name or not equals), None)
    if not verb or wrong is not None:
        raise BadRequest("a request is: VERB name=value …")
    return Request(verb, {name: decoded(value) for name, _, value in pairs})


def line_of(word: str, rest: str) -> str:
    """One line of an answer, whatever is in the rest."""
    return f"{word} {' '.join(rest.splitlines())}"
