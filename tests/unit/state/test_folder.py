from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.effects import real_effects
from attention_framework.state.folder import OURS, StateFolder, StateRefused, strangers
from attention_framework.testing import SESSION, Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = real_effects().files
posix = pytest.mark.skipif(
    sys.platform == "win32", reason="the access list of a profile folder is the user's alone"
)
NOBODY = 65_534


def refused(root: Path) -> str:
    with pytest.raises(StateRefused) as caught:
        StateFolder(root).prepare(FILES)
    return str(caught.value)


@pytest.fixture
def without_rights() -> Iterator[None]:
    """For root no folder is closed, so the test gives its rights up for a while."""
    if sys.platform == "win32" or os.geteuid() != 0:
        yield
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    yield
    os.seteuid(0)
    os.setegid(0)


def test_it_is_made_with_a_readme_and_for_its_user_alone(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "state"
    StateFolder(root).prepare(FILES)
    assert "attention uninstall" in (root / "README").read_text(encoding="utf-8")
    if sys.platform != "win32":
        assert root.stat().st_mode & 0o777 == 0o700


def test_preparing_it_again_changes_nothing(tmp_path: Path) -> None:
    StateFolder(tmp_path / "state").prepare(FILES)
    readme = tmp_path / "state" / "README"
    readme.write_text("mine", encoding="utf-8")
    StateFolder(tmp_path / "state").prepare(FILES)
    assert readme.read_text(encoding="utf-8") == "mine"


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o720])
def test_one_that_others_can_write_to_is_refused_with_what_mends_it(tmp_path: Path, mode: int) -> None:
    root = tmp_path / "state"
    root.mkdir()
    root.chmod(mode)
    assert f"chmod 700 {root}" in refused(root)
    assert list(root.iterdir()) == [], "nothing is written before that is known"


@posix
@pytest.mark.skipif(sys.platform != "win32" and os.getuid() != 0, reason="only root can give a folder away")
def test_one_of_another_user_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    root = tmp_path / "state"
    root.mkdir(mode=0o700)
    os.chown(root, 12_345, 12_345)
    assert "belongs to another user (uid 12345)" in refused(root)
    assert list(root.iterdir()) == []


@posix
def test_one_that_cannot_be_written_is_refused_with_the_reason(tmp_path: Path, request: Any) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    for folder in (tmp_path, tmp_path.parent, tmp_path.parent.parent):  # The way to it, for everybody.
        folder.chmod(0o755)
    request.getfixturevalue("without_rights")
    said = refused(closed / "state")
    assert "cannot be written: Permission denied" in said
    assert "--state or ATTENTION_STATE" in said


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("", encoding="utf-8")
    assert "cannot be written" in refused(tmp_path / "state")


def test_a_full_disk_is_refused_with_the_reason(memory: Memory) -> None:
    memory.disk.faults.fail("make_folder", errno.ENOSPC)
    with pytest.raises(StateRefused, match="No space left"):
        StateFolder(Path("/state")).prepare(memory.files)


def test_the_files_of_a_session_lie_below_its_key() -> None:
    folder = StateFolder(Path("/state")).session(SESSION)
    assert folder.key.startswith("fake-")
    assert folder.root == Path("/state/sessions") / folder.key
    assert folder.allowance("w1:p2") == folder.root / "allowed" / "w1%3Ap2.json"
    assert folder.agent("w1%3Ap2.7") == folder.root / "agents" / "w1%3Ap2.7.json"
    assert folder.mailbox("w1%3Ap2.7") == folder.root / "mailbox" / "w1%3Ap2.7"


def test_no_id_climbs_out_of_the_folder() -> None:
    state = StateFolder(Path("/state"))
    assert state.hold("../../etc/passwd").parent == state.holds
    assert state.session(SESSION).allowance("..").parent == state.session(SESSION).allowed


def test_what_is_not_of_its_making_is_told_apart(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "state")
    folder.prepare(FILES)
    for name in (
        *OURS,
        "journal.1.jsonl",
        "attention.1.log",
        ".setup.json.0123abcd.tmp",
        "setup.json.broken",
    ):
        (folder.root / name.replace("*", "")).touch()
    assert strangers(folder.root) == []
    for name in ("notes.txt", ".bashrc", "yarn.lock"):
        (folder.root / name).touch()
    assert strangers(folder.root) == [".bashrc", "notes.txt", "yarn.lock"]
    assert strangers(tmp_path / "none") == []


def test_every_place_of_its_own_is_known_as_its_own(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path)
    places = {name for name, value in vars(StateFolder).items() if isinstance(value, property)}
    for name in places:
        path = getattr(folder, name)
        (tmp_path / path.relative_to(tmp_path).parts[0]).touch()
    assert strangers(tmp_path) == []


def test_folders_that_had_to_be_made_for_it_are_remembered(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "a" / "b" / "state")
    folder.prepare(FILES)
    made = json.loads(folder.made.read_text())["made"]
    assert made == [str(tmp_path / "a" / "b"), str(tmp_path / "a")]
    other = StateFolder(tmp_path / "other")
    other.prepare(FILES)
    assert not other.made.exists()
