"""`attention plugins new`. That what it makes installs, passes its tests and mypy is checked with the wheels
(tools/check_distributions.py).
"""

from __future__ import annotations

import compileall
import tomllib
from typing import TYPE_CHECKING

import pytest

from attention_framework.commands.main import run
from attention_framework.scaffold import KINDS, names_of, package_files
from attention_framework.scaffold.writing import write_package

if TYPE_CHECKING:
    from pathlib import Path, PurePosixPath


@pytest.fixture(autouse=True)
def here(tmp_path: Path, nobody: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", KINDS)
def test_it_makes_a_package_and_says_what_to_do_next(
    kind: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plugins", "new", kind, "quiet-hours"]) == 0

    folder = here / "attention-quiet-hours"
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["attention_framework.plugins"] == {
        "quiet_hours": "attention_quiet_hours.plugin"
    }
    assert (folder / "attention_quiet_hours" / "py.typed").exists()
    assert list((folder / "tests").glob("test_*.py"))
    assert compileall.compile_dir(folder, quiet=1)
    told = capsys.readouterr().out
    assert "cd attention-quiet-hours" in told
    assert "pip install -e . pytest " in told
    assert '"quiet_hours"' in told


@pytest.mark.parametrize("kind", KINDS)
def test_every_template_is_filled_in(kind: str) -> None:
    files = package_files(kind, names_of("quiet-hours"))
    assert [path for path, text in files.items() if "$" in text or "${" in text] == []
    assert not [path for path in files if path.suffix == ".tmpl" or "package" in path.parts]


@pytest.mark.parametrize("kind", KINDS)
def test_the_longest_name_makes_no_line_too_long(kind: str) -> None:
    files = package_files(kind, names_of("a-b-c-d-e-f-g-h-i-j-k-lm"))
    lines = [line for path, text in files.items() if path.suffix == ".py" for line in text.splitlines()]
    assert [line for line in lines if len(line) > 110] == []


def test_it_makes_the_folder_that_is_given(here: Path) -> None:
    assert run(["plugins", "new", "policy", "calm", "--folder", "below/mine"]) == 0
    assert (here / "below" / "mine" / "attention_calm" / "policy.py").exists()


def test_a_folder_that_is_there_is_left_as_it_is(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = here / "attention-calm"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("mine", encoding="utf-8")

    assert run(["plugins", "new", "policy", "calm"]) == 1

    assert [path.name for path in folder.iterdir()] == ["pyproject.toml"]
    assert (folder / "pyproject.toml").read_text(encoding="utf-8") == "mine"
    assert "--folder" in capsys.readouterr().err


def test_a_name_that_cannot_be_is_wrong_usage(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plugins", "new", "policy", "Quiet Hours"]) == 2
    assert "quiet-hours" in capsys.readouterr().err
    assert not list(here.glob("attention*"))


def test_a_kind_that_is_not_known_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        run(["plugins", "new", "polici", "calm"])
    assert refused.value.code == 2
    assert "break-source" in capsys.readouterr().err


def test_nothing_is_left_of_a_package_that_could_not_be_written(here: Path) -> None:
    class Full(dict["PurePosixPath", str]):
        def items(self):  # type: ignore[no-untyped-def]
            yield from list(super().items())[:3]
            raise OSError("no room")

    before = set(here.iterdir())
    with pytest.raises(OSError, match="no room"):
        write_package(here / "attention-calm", Full(package_files("policy", names_of("calm"))))
    assert set(here.iterdir()) == before


def test_the_list_takes_its_option_before_and_after_the_action(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["plugins", "--json"], ["plugins", "list", "--json"], ["plugins", "--json", "list"]):
        assert run(words) == 0
        assert capsys.readouterr().out.startswith('{"v": 1')
