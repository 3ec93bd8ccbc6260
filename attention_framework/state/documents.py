"""JSON documents on disk: read leniently, written as one step."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ..effects import Files

T = TypeVar("T")
VERSION = 1
SUFFIX = ".json"


class Broken(ValueError):
    """A file that is there but cannot be used. The message names it and says what is wrong."""


class Unreadable(Broken):
    """The system does not give its content now: a folder has its name, it is somebody else's, the disk fails."""


def load(files: Files, path: Path) -> dict[str, Any] | None:
    """The document; None if the file is not there. Raises Broken."""
    content = _content(files, path)
    return None if content is None else _decoded(path, content)


def _content(files: Files, path: Path) -> bytes | None:
    try:
        return files.read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}") from error


def _decoded(path: Path, content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Broken(f"{path} is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise Broken(f"{path} holds no JSON object")
    if document.get("v") != VERSION:
        raise Broken(f"{path} has version {document.get('v')!r}; this program knows version {VERSION}")
    return document


def save(files: Files, path: Path, document: dict[str, Any]) -> None:
    files.write(path, encoded({"v": VERSION, **document}))


def encoded(document: dict[str, Any]) -> bytes:
    """One line. Half a surrogate pair, as in a label that a host has cut, stays an escape: UTF-8 has none."""
    return (json.dumps(document, ensure_ascii=False) + "\n").encode(errors="backslashreplace")


def set_aside(files: Files, path: Path) -> str:
    """Give a broken file of ours another name, so that nothing is lost
    and nothing trips over it again. Says what became of it.
    """
    aside = path.with_name(path.name + ".broken")
    try:
        files.rename(path, aside)
    except FileNotFoundError:
        return "another process has set it aside"
    except OSError as error:
        return f"it could not be set aside: {error.strerror or error}"
    return f"it was set aside as {aside.name}"


Known: TypeAlias = "dict[Path, tuple[bytes, T]]"
"""The last content of each file, with what it was parsed to."""


def load_own(
    files: Files,
    path: Path,
    parse: Callable[[dict[str, Any]], T],
    report: Callable[[str], None],
    known: Known[T] | None = None,
) -> T | None:
    """A file that this side writes. A broken one is set aside and reported, and counts as absent; one that
    cannot be read now stays, and counts as absent too. With `known` the same content is parsed once.
    """
    known = {} if known is None else known
    try:
        content = _content(files, path)
        if content is None:
            return None
        before = known.get(path)
        if before is None or before[0] != content:
            before = known[path] = (content, parsed(path, _decoded(path, content), parse))
        return before[1]
    except Unreadable as error:
        report(str(error))
    except Broken as error:
        report(f"{error}; {set_aside(files, path)}")
    return None


def parsed(path: Path, document: dict[str, Any], parse: Callable[[dict[str, Any]], T]) -> T:
    """What `parse` makes of the document. Raises Broken for one of another shape."""
    try:
        return parse(document)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise Broken(f"{path} does not hold what its name says: {error!r}") from error


def document_names(files: Files, folder: Path) -> list[str]:
    """Names without the suffix of the documents in a folder."""
    return [name.removesuffix(SUFFIX) for name in files.names(folder) if name.endswith(SUFFIX)]
