"""Commands that only look leave the disk as it is, whatever is there."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.app import App
from attention_framework.commands import CORE
from attention_framework.commands.main import run
from attention_framework.effects.guarded import GuardedFiles

if TYPE_CHECKING:
    from pathlib import Path

LOOKING = (
    *("status", "status --json", "log", "log --json", "report", "report --json", "doctor", "doctor --json"),
    *("explain w1:p1", "config check", "config show", "config schema", "plugins", "plugins list --json"),
    *(
        "gate",
        "gate --print",
        "gate --closed --wait 0",
        "gate --host fake --address /x --pane p --wait 0",
        "stop",
    ),
    *(
        "verify --guarantees",
        "completion bash",
        "setup --dry-run",
        "uninstall --dry-run",
        "uninstall",
        "uninstall --purge",
    ),
)


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    config = tmp_path / "attention.toml"
    config.write_text('plugins = ["policies"]\n', encoding="utf-8")
    return ["--config", str(config), "--state", str(tmp_path / "above" / "state")]


@pytest.mark.parametrize("words", LOOKING)
def test_a_command_that_only_looks_makes_no_state_folder(
    words: str, tmp_path: Path, options: list[str]
) -> None:
    before = tree(tmp_path)
    run([*words.split(), *options])
    assert tree(tmp_path) == before


@pytest.mark.parametrize("command", CORE)
def test_help_makes_no_state_folder(command: str, tmp_path: Path, options: list[str]) -> None:
    before = tree(tmp_path)
    with pytest.raises(SystemExit):
        run([*options, command, "--help"])
    assert tree(tmp_path) == before


@pytest.mark.parametrize("words", ["status", "doctor", "log", "explain w1:p1", "setup --dry-run"])
def test_what_is_broken_is_told_and_left_to_a_command_that_acts(
    words: str, tmp_path: Path, options: list[str]
) -> None:
    broken = tmp_path / "above" / "state" / "holds" / "tea.json"
    broken.parent.mkdir(parents=True, mode=0o700)
    broken.parent.parent.chmod(0o700)
    (tmp_path / "above/state/setup.json").write_bytes(b"not JSON")
    (tmp_path / "above/state/serve.addr").write_bytes(b"of one that was killed")
    broken.write_bytes(b"not JSON")
    before = tree(tmp_path)
    run([*words.split(), *options])
    assert tree(tmp_path) == before


def test_a_broken_file_is_named(tmp_path: Path, options: list[str], capsys: Any) -> None:
    broken = tmp_path / "above" / "state" / "setup.json"
    broken.parent.mkdir(parents=True, mode=0o700)
    broken.write_bytes(b"not JSON")
    run(["doctor", *options])
    said = capsys.readouterr()
    assert "setup.json is not JSON" in said.err
    assert f"ok    state folder: {broken.parent}\n" in said.out, "that it can be written is tried out"


def test_stop_clears_what_a_killed_controller_has_left(tmp_path: Path, options: list[str]) -> None:
    left = tmp_path / "above" / "state" / "serve.addr"
    left.parent.mkdir(parents=True, mode=0o700)
    left.write_bytes(b"unix /nowhere")
    assert run(["stop", *options]) == 0
    assert not left.exists()


def test_the_page_that_was_asked_for_is_written(tmp_path: Path, options: list[str]) -> None:
    assert run(["report", "--html", str(tmp_path / "page.html"), *options]) == 0
    assert (tmp_path / "page.html").exists()
    assert not (tmp_path / "above").exists()


def test_what_may_be_changed_later_is_changed_then(tmp_path: Path) -> None:
    app = App(state=str(tmp_path / "state"))
    app.look_only()
    with pytest.raises(OSError, match="only looks") as refused:
        app.effects.files.write(app.state.log, b"")
    assert refused.value.errno == errno.EROFS
    app.write()
    assert (tmp_path / "state" / "README").exists()
    app.effects.files.write(app.state.log, b"")


def test_nothing_gets_past_the_guard(tmp_path: Path) -> None:
    """Every step of the files that changes something, with files and folders that are there."""
    there = tmp_path / "file"
    there.write_bytes(b"as it was")
    (tmp_path / "empty").mkdir()
    files, before = GuardedFiles(), tree(tmp_path)
    for change in (
        lambda: files.write(there, b"x"),
        lambda: files.create(tmp_path / "new"),
        lambda: files.append(there, b"x"),
        lambda: files.rename(there, tmp_path / "other"),
        lambda: files.remove(there),
        lambda: files.remove_folder(tmp_path / "empty"),
        lambda: files.remove_tree(tmp_path / "empty"),
        lambda: files.make_folder(tmp_path / "new"),
    ):
        with pytest.raises(OSError, match="only looks"):
            change()
    assert files.remove(tmp_path / "none") is False
    lock = files.try_lock(tmp_path / "lock")
    assert lock is not None
    lock.release()
    assert tree(tmp_path) == before


def test_a_lock_that_is_held_is_seen_to_be(tmp_path: Path) -> None:
    files = GuardedFiles()
    files.closed = False
    held = files.try_lock(tmp_path / "lock")
    assert held is not None
    files.closed = True
    assert files.try_lock(tmp_path / "lock") is None
    held.release()
