"""The version is set in every file that has it, and a tag that does not fit is refused."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from version import CHANGES, CHECKOUT, HOME, current, main, notes, places

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files of this checkout that have a version."""
    for path in {CHECKOUT / CHANGES, *(path for path, _, _ in places(CHECKOUT, "0.0.0"))}:
        target = tmp_path / path.relative_to(CHECKOUT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return tmp_path


def run(checkout: Path, *words: str) -> int:
    return main(words, checkout)


def test_every_file_gets_it_and_the_changes_a_dated_section(checkout: Path) -> None:
    before = notes_of_unreleased(checkout)
    assert run(checkout, "3.4.5") == 0
    assert current(checkout) == "3.4.5"
    assert '"attention-framework>=3.4.5,<3.5"' in (checkout / "plugins/tmux/pyproject.toml").read_text(
        "utf-8"
    )
    assert 'EXTENSION = "3.4.5"' in (checkout / "omp_extension/src/version.ts").read_text("utf-8")
    assert notes(checkout, "3.4.5") == before
    assert notes_of_unreleased(checkout) == ""
    assert run(checkout, "--check", "v3.4.5") == 0


def test_setting_it_again_changes_nothing(checkout: Path) -> None:
    run(checkout, "3.4.5")
    once = {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}
    assert run(checkout, "3.4.5") == 0
    assert {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()} == once


def test_a_tag_of_another_version_is_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(checkout, "3.4.5")
    assert run(checkout, "--check", "v3.4.6") == 1
    assert "the tag is v3.4.6, and the version is 3.4.5" in capsys.readouterr().err


def test_a_release_that_tells_its_users_nothing_is_refused(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, "--check", f"v{current(checkout)}") == 1
    assert "CHANGELOG.md says nothing" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["v1.2.3", "1.2", "1.2.3rc1", "next"])
def test_what_is_no_version_changes_nothing(checkout: Path, word: str) -> None:
    before = (checkout / HOME).read_bytes()
    assert run(checkout, word) == 2
    assert (checkout / HOME).read_bytes() == before


def notes_of_unreleased(checkout: Path) -> str:
    after = (checkout / CHANGES).read_text("utf-8").partition("## Unreleased\n")[2]
    return after.partition("\n## ")[0].strip()
