"""`attention stretchly breaks`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_stretchly.command import run

if TYPE_CHECKING:
    from conftest import LogFile

SAMPLES = os.environ.get("ATTENTION_STRETCHLY_LOGS")


def as_json(capsys: pytest.CaptureFixture[str], *logs: Path, code: int = 0) -> tuple[dict[str, object], str]:
    """What is printed, and what is complained of."""
    assert run([str(log) for log in logs], as_json=True) == code
    output = capsys.readouterr()
    return json.loads(output.out), output.err


@pytest.mark.skipif(
    SAMPLES is None, reason="needs ATTENTION_STRETCHLY_LOGS, a folder of logs with expected.json"
)
def test_the_sample_logs_give_what_is_expected(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(SAMPLES or "")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))

    assert as_json(capsys, *sorted(folder.glob("*.log"))) == (expected, "")


def test_json_has_times_of_day(log: LogFile, capsys: pytest.CaptureFixture[str]) -> None:
    log.finish("Long break")
    log.start()

    found, _ = as_json(capsys, log.path)

    assert found == {
        "main.log": [
            {"kind": "long", "start": None, "end": "09:00:00.003", "ended_by": "finished"},
            {"kind": "mini", "start": "09:00:00.006", "end": None, "ended_by": "open"},
        ]
    }


def test_the_table_can_be_read(log: LogFile, capsys: pytest.CaptureFixture[str]) -> None:
    log.finish("Long break")
    log.start()
    log.writer.now = log.writer.now.replace(second=20)
    log.finish()
    log.start()

    assert run([str(log.path)], as_json=False) == 0
    assert capsys.readouterr().out.splitlines() == [
        "main.log",
        "  kind  start                    end           lasted  ended by",
        "  long  ?                        09:00:00.003          finished",
        "  mini  2025-03-10 09:00:00.006  09:00:20.009  20.0 s  finished",
        "  mini  2025-03-10 09:00:20.012                        open",
    ]


def test_a_log_without_breaks_says_so(log: LogFile, capsys: pytest.CaptureFixture[str]) -> None:
    log.say("initializing...")

    assert run([str(log.path)], as_json=False) == 0
    assert capsys.readouterr().out == "main.log\n  no breaks\n"


def test_an_old_log_is_part_of_the_new_one(log: LogFile, capsys: pytest.CaptureFixture[str]) -> None:
    log.start()
    log.rotate()
    log.finish()

    found, _ = as_json(capsys, log.old, log.path)

    assert list(found) == ["main.log"]
    assert list(as_json(capsys, log.old)[0]) == ["main.old.log"]


def test_logs_of_the_same_name_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = [tmp_path / folder / "main.log" for folder in "ab"]
    for log in logs:
        log.parent.mkdir()
        log.touch()

    assert list(as_json(capsys, *logs)[0]) == [str(log) for log in logs]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "there is no such file"),
        (b"\x00\xff" * 5_000, "no line of it is one of Stretchly's log"),
        (b"\x00" * 100_000, "no line of it is one of Stretchly's log"),
    ],
)
def test_bad_input_is_named_and_the_others_are_read(
    content: bytes | None, complaint: str, log: LogFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log.start()
    bad = tmp_path / "bad.log"
    if content is not None:
        bad.write_bytes(content)

    found, errors = as_json(capsys, bad, log.path, code=1)

    assert list(found) == ["main.log"]
    assert errors == f"attention: {bad}: {complaint}\n"


def test_a_folder_is_no_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, errors = as_json(capsys, tmp_path, code=1)

    assert errors == f"attention: {tmp_path}: is a folder; name the log in it, main.log for instance\n"


def test_an_unreadable_log_is_named(
    log: LogFile, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log.start()

    def refuse(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)

    assert as_json(capsys, log.path, code=1) == (
        {},
        f"attention: {log.path}: cannot be read: Permission denied\n",
    )


def test_a_huge_log_is_read_in_part(log: LogFile, capsys: pytest.CaptureFixture[str]) -> None:
    log.path.touch()
    os.truncate(log.path, 1 << 30)
    log.add(b"\n")
    log.start()

    found, errors = as_json(capsys, log.path, code=1)

    assert found == {"main.log": [{"kind": "mini", "start": "09:00:00.003", "end": None, "ended_by": "open"}]}
    assert errors.endswith("is too long for a log of Stretchly: only its last 16 MiB were read\n")


def test_an_empty_log_has_no_breaks(log: LogFile, capsys: pytest.CaptureFixture[str]) -> None:
    log.path.touch()

    assert as_json(capsys, log.path) == ({"main.log": []}, "")


def test_the_command_is_one_of_attention(log: LogFile, capsys: pytest.CaptureFixture[str]) -> None:
    """Through the hook, the way it is announced."""
    import argparse

    from attention_stretchly import plugin

    log.start()
    parser = argparse.ArgumentParser()
    plugin.attention_commands(parser.add_subparsers())
    arguments = parser.parse_args(["stretchly", "breaks", str(log.path), "--json"])

    assert arguments.run(arguments, None) == 0
    assert '"ended_by": "open"' in capsys.readouterr().out
