from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import Session
from attention_framework.state.names import canonical_address, decode, encode, session_key

VECTORS = Path(__file__).parents[2] / "vectors" / "session_keys.json"
BARE = set("abcdefghijklmnopqrstuvwxyz0123456789-_%~ABCDEF")


def vectors() -> dict[str, Any]:
    assert VECTORS.exists(), f"{VECTORS} is missing: it keeps the Python and the TypeScript side alike"
    return json.loads(VECTORS.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def test_every_name_is_as_the_vectors_say() -> None:
    wrong = {
        vector["id"]: encode(vector["id"])
        for vector in vectors()["names"]
        if encode(vector["id"]) != vector["encoded"]
    }
    assert wrong == {}
    assert len(vectors()["names"]) > 10


def test_every_session_key_is_as_the_vectors_say() -> None:
    sessions = vectors()["sessions"]
    for vector in sessions:
        session = Session(vector["host"], vector["address"])
        assert canonical_address(vector["address"]) == vector["canonical"]
        assert session_key(session) == vector["key"]
    assert len(sessions) > 5


def test_half_a_character_has_the_name_that_typescript_gives_it() -> None:
    assert encode("a\ud83d") == encode("a\ufffd") == "a%EF%BF%BD"
    assert session_key(Session("herdr", "/x\udcff")) == session_key(Session("herdr", "/x\ufffd"))


@given(st.text())
def test_a_name_is_safe_on_every_file_system(identifier: str) -> None:
    name = encode(identifier)
    assert set(name) <= BARE
    assert len(name) <= 120
    assert not name.startswith(".")
    assert name.partition(".")[0] not in ("con", "prn", "aux", "nul")


@given(st.text(max_size=13))
def test_a_short_name_is_turned_back(identifier: str) -> None:
    name = encode(identifier)
    if "~" not in name:
        assert decode(name) == identifier


@given(st.text(), st.text())
def test_two_ids_have_two_names_also_where_case_is_ignored(one: str, other: str) -> None:
    assert (encode(one).lower() == encode(other).lower()) == (one == other)


def test_a_long_id_is_cut_and_stays_unlike_its_neighbours() -> None:
    one, other = encode("x" * 121), encode("x" * 122)
    assert len(one) == len(other) == 117
    assert one != other
    assert encode("x" * 120) == "x" * 120


@pytest.mark.parametrize("device", ["con", "nul", "com1", "lpt9", "aux", "prn"])
def test_no_name_is_a_device_of_windows(device: str) -> None:
    assert encode(device) != device
    assert encode(f"{device}x") == f"{device}x"


@pytest.mark.skipif(sys.platform == "win32", reason="addresses with slashes are resolved on POSIX systems")
def test_a_folder_behind_a_symbolic_link_has_one_address_and_its_last_part_is_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    (real / "target").touch()
    (real / "herdr.sock").symlink_to(real / "target")
    expected = os.path.realpath(real) + "/herdr.sock"
    assert canonical_address(f"{link}/herdr.sock") == canonical_address(f"{real}/herdr.sock") == expected


def test_a_drive_is_one_in_either_case() -> None:
    assert canonical_address("C:/Users/Ä/Herdr.SOCK") == "c:\\users\\Ä\\herdr.sock"
    assert canonical_address("\\\\.\\pipe\\Herdr") == "\\\\.\\pipe\\herdr"
