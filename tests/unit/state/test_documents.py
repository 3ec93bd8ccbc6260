from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework.state.documents import (
    Broken,
    Unreadable,
    document_names,
    load,
    load_own,
    save,
    set_aside,
)
from attention_framework.testing import Memory

if TYPE_CHECKING:
    from collections.abc import Callable

PATH = Path("/state/focus.json")
ASIDE = PATH.with_name("focus.json.broken")
BROKEN = {
    "empty": b"",
    "truncated": b'{"v": 1, "focused": ["w1',
    "no JSON": b"\x00\x01\x02",
    "no UTF-8": b'{"v": 1, "label": "\xff"}',
    "no object": b"[1, 2]",
    "null": b"null",
    "without version": b"{}",
    "another version": b'{"v": 2}',
    "nested without end": b"[" * 100_000,
}


def never(document: dict[str, Any]) -> str:
    pytest.fail("a broken document was parsed")


def raises(error: Exception) -> Callable[[dict[str, Any]], str]:
    def parse(document: dict[str, Any]) -> str:
        raise error

    return parse


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(), below, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text().filter(lambda key: key != "v"), json_values))
def test_what_is_saved_is_what_is_loaded(document: dict[str, Any]) -> None:
    files = Memory().files
    save(files, PATH, document)
    assert load(files, PATH) == {"v": 1, **document}


def test_half_a_character_survives(memory: Memory) -> None:
    save(memory.files, PATH, {"label": "deploy \ud83d"})
    assert load(memory.files, PATH) == {"v": 1, "label": "deploy \ud83d"}
    assert memory.disk.content[PATH].isascii()


def test_people_can_read_it(memory: Memory) -> None:
    save(memory.files, PATH, {"label": "für später 🚀"})
    assert memory.disk.content[PATH].decode() == '{"v": 1, "label": "für später 🚀"}\n'


def test_a_file_that_is_not_there_is_none(memory: Memory) -> None:
    assert load(memory.files, PATH) is None
    assert load_own(memory.files, PATH, never, pytest.fail) is None


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_named(memory: Memory, content: bytes) -> None:
    memory.disk.put(PATH, content)
    with pytest.raises(Broken, match=r"focus\.json"):
        load(memory.files, PATH)


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_of_ours_is_set_aside_with_all_that_it_holds(memory: Memory, content: bytes) -> None:
    memory.disk.put(PATH, content)
    said: list[str] = []
    assert load_own(memory.files, PATH, never, said.append) is None
    assert memory.disk.content == {ASIDE: content}
    assert len(said) == 1
    assert "it was set aside as focus.json.broken" in said[0]
    assert load_own(memory.files, PATH, never, pytest.fail) is None, "and is reported once"


@pytest.mark.parametrize(
    "error",
    [KeyError("panes"), TypeError("int"), ValueError("x"), AttributeError("get"), OverflowError("inf")],
)
def test_a_document_of_another_shape_is_set_aside_too(memory: Memory, error: Exception) -> None:
    save(memory.files, PATH, {"other": True})
    said: list[str] = []
    assert load_own(memory.files, PATH, raises(error), said.append) is None
    assert PATH not in memory.disk.content
    assert "does not hold what its name says" in said[0]


def test_one_that_cannot_be_read_now_stays_where_it_is(memory: Memory) -> None:
    save(memory.files, PATH, {})
    memory.disk.faults.fail("read", errno.EIO)
    said: list[str] = []
    assert load_own(memory.files, PATH, never, said.append) is None
    assert list(memory.disk.content) == [PATH]
    assert "cannot be read: Input/output error" in said[0]


def test_a_folder_with_the_name_of_a_file_is_unreadable(memory: Memory) -> None:
    memory.disk.add_folder(PATH)
    with pytest.raises(Unreadable):
        load(memory.files, PATH)


def test_two_that_set_the_same_file_aside_do_not_fall_over_each_other(memory: Memory) -> None:
    assert set_aside(memory.files, PATH) == "another process has set it aside"


def test_one_that_cannot_be_set_aside_is_reported_and_no_more(memory: Memory) -> None:
    memory.disk.put(PATH, b"{")
    memory.disk.faults.fail("rename", errno.EROFS)
    said: list[str] = []
    assert load_own(memory.files, PATH, never, said.append) is None
    assert "it could not be set aside" in said[0]


def test_only_documents_are_listed(memory: Memory) -> None:
    for name in ("b.json", "a.json", "a.json.broken", ".c.json.tmp", "README", "pending.json.x.claim"):
        memory.disk.put(Path("/state/holds") / name, b"")
    assert document_names(memory.files, Path("/state/holds")) == ["a", "b"]
    assert document_names(memory.files, Path("/nowhere")) == []


def test_a_reader_never_sees_half_a_document(memory: Memory) -> None:
    save(memory.files, PATH, {"value": "old"})
    seen: list[Any] = []
    other = memory.process().files

    def look(operation: str, path: Path) -> None:
        memory.disk.on_operation = None
        seen.append(load(other, PATH))
        memory.disk.on_operation = look

    memory.disk.on_operation = look
    save(memory.files, PATH, {"value": "new"})
    assert [document["value"] for document in seen] == ["old", "old"]


def test_a_crash_while_saving_leaves_the_old_or_the_new_one() -> None:
    left = set()
    for nth in (1, 2):
        memory = Memory()
        save(memory.files, PATH, {"value": "old"})
        memory.disk.faults.crash_after(nth)
        with pytest.raises(BaseException, match="after operation"):
            save(memory.files, PATH, {"value": "new"})
        left.add((load(memory.process().files, PATH) or {}).get("value"))
    assert left == {"old", "new"}
