"""Reading a request and writing a reply."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from . import params
from .errors import ApiError, InvalidRequest
from .method_names import METHODS


@dataclass(frozen=True, slots=True)
class Request:
    id: str
    method: str
    params: dict[str, Any]


def read(line: bytes) -> Request:
    """Raises InvalidRequest with Herdr's message for it;
    its text names the end of the line, whatever the place of the mistake.
    """
    text = line.decode("utf-8", errors="replace").rstrip("\r\n")
    where = f" at line 1 column {len(text.encode())}"
    document = _parsed(text)
    if not isinstance(document, dict):
        raise InvalidRequest(f"invalid type: not an object, expected struct Request{where}")
    for name in ("id", "method", "params"):
        if name not in document:
            raise InvalidRequest(f"missing field `{name}`{where}")
    identifier, method = document["id"], document["method"]
    if not isinstance(identifier, str):
        raise InvalidRequest(f"invalid type: not a string, expected a string{where}")
    if method not in METHODS:
        raise InvalidRequest(
            f"unknown variant `{method}`, expected one of {', '.join(f'`{name}`' for name in METHODS)}{where}"
        )
    if method not in params.FIELDS:
        return Request(identifier, method, {})
    return Request(identifier, method, params.checked(method, document["params"], where))


def success(identifier: str, result: dict[str, Any]) -> bytes:
    return encoded({"id": identifier, "result": result})


def failure(identifier: str, error: ApiError) -> bytes:
    return encoded({"id": identifier, "error": {"code": error.code, "message": error.message}})


def invalid(error: InvalidRequest) -> bytes:
    """The id is lost."""
    return failure("", ApiError("invalid_request", f"invalid request: {error}"))


def encoded(document: dict[str, Any], *, alphabetical: bool = False) -> bytes:
    """Direct replies keep the order of the structs; event streams are alphabetical."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=alphabetical).encode()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest(_syntax_message(text, error)) from error


def _syntax_message(text: str, error: Exception) -> str:
    """The reader's words for the commonest mistakes."""
    if not text.strip():
        return f"EOF while parsing a value at line 1 column {len(text)}"
    if begun := re.match(r"n(?:u(?:l)?)?|t(?:r(?:u)?)?|f(?:a(?:l(?:s)?)?)?", text):
        return f"expected ident at line 1 column {begun.end() + 1}"
    position = getattr(error, "pos", 0)
    if position >= len(text):
        return f"EOF while parsing an object at line 1 column {len(text)}"
    return f"expected value at line 1 column {position + 1}"
