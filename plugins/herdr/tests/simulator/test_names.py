"""Names of files and sessions: the same as everybody else computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attention_herdr.simulator.names import canonical, encode, session_key

VECTORS = Path(__file__).parents[4] / "tests" / "vectors" / "session_keys.json"


@pytest.mark.parametrize(
    ("identifier", "name"),
    [
        ("w1:p2", "w1%3Ap2"),
        ("w1:pA", "w1%3Ap%41"),
        ("%3", "%253"),
        ("a.b", "a%2Eb"),
        ("con", "%63on"),
        ("com7", "%63om7"),
        ("cont", "cont"),
        ("ä", "%C3%A4"),
    ],
)
def test_an_id_becomes_a_safe_name(identifier: str, name: str) -> None:
    assert encode(identifier) == name


def test_a_long_id_is_cut_and_stays_its_own() -> None:
    names = {encode("x" * length) for length in (119, 120, 121, 500)}
    assert len(names) == 4
    assert {len(name) for name in names} == {119, 120, 117}


def test_a_linked_folder_is_the_folder_and_the_last_part_stays(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    try:
        link.symlink_to(real, target_is_directory=True)
    except OSError:
        pytest.skip("no symbolic links here")
    if not str(tmp_path).startswith("/"):
        pytest.skip("folders are resolved for addresses that start with /")
    assert canonical(f"{link}/herdr.sock") == canonical(f"{real}/herdr.sock")
    assert session_key("herdr", f"{link}/a") != session_key("herdr", f"{link}/b")


def test_windows_addresses_ignore_case_and_the_kind_of_slash() -> None:
    assert canonical("C:/Users/Ä/herdr.sock") == r"c:\users\Ä\herdr.sock"
    assert canonical("/no/such/folder/x.sock") == "/no/such/folder/x.sock"
    assert canonical("anything/else") == "anything/else"


@pytest.mark.skipif(not VECTORS.exists(), reason="no shared vectors beside this distribution")
def test_the_shared_vectors() -> None:
    document = json.loads(VECTORS.read_text(encoding="utf-8"))
    checked = list(_vectors(document))
    assert checked
    for given, expected in checked:
        assert given == expected


def _vectors(document: dict[str, Any]) -> list[tuple[str, str]]:
    names = [(encode(vector["id"]), vector["encoded"]) for vector in document["names"]]
    keys = [
        (session_key(vector["host"], vector["address"]), vector["key"]) for vector in document["sessions"]
    ]
    return names + keys
