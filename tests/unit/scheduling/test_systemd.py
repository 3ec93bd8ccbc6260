from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from attention_framework import AtLogon, EachHour, Job
from attention_framework.scheduling.systemd import calendar, command_line, unit_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here (Debian: package systemd)"
)


def test_a_job_at_certain_minutes_is_a_oneshot_service_and_its_timer(mini: Job) -> None:
    service, timer = unit_files(replace(mini, limit_s=155)).items()
    assert service[0] == "attention-my-mini.service"
    assert b"Type=oneshot\nExecStart=/venv/bin/python -I\nTimeoutStartSec=155\n" in service[1]
    assert b"Install" not in service[1]
    assert timer[0] == "attention-my-mini.timer"
    assert b"OnCalendar=*:00,10,20,30,40\nAccuracySec=1s\nPersistent=false\n" in timer[1]
    assert b"WantedBy=timers.target" in timer[1]


def test_a_service_is_started_again_when_it_fails() -> None:
    (unit,) = unit_files(Job("serve", "x", ("/x", "serve"), AtLogon())).items()
    assert unit[0] == "attention-serve.service"
    assert b"Restart=on-failure" in unit[1]
    assert b"WantedBy=default.target" in unit[1]


def test_what_means_something_to_systemd_is_quoted() -> None:
    assert command_line(("/bin/x", "a b", "50%", 'q"', "c\\", "", ";")) == (
        '/bin/x "a b" "50%%" "q\\"" "c\\\\" "" ";"'
    )


def test_a_dollar_is_taken_its_meaning() -> None:
    assert command_line(("/my $x/py", "$HOME")) == ':"/my $x/py" "$HOME"'


@pytest.mark.parametrize("name", ['/a"b/py', "/it's/py", "/a\\b/py"])
def test_a_program_that_systemd_would_refuse_is_run_by_the_shell(name: str) -> None:
    assert command_line((name, "x")).startswith(':/bin/sh -c "exec \\"$0\\" \\"$@\\"" ')


class TestRealSystemd:
    @pytest.fixture(autouse=True)
    def _runtime(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        monkeypatch.setenv("SYSTEMD_COLORS", "0")

    @analyze
    @pytest.mark.parametrize(
        "folder",
        [
            "plain",
            "with blank",
            "per%cent %h",
            "do$llar $HOME",
            'quo"te',
            "it's",
            "ba\\ck",
            "ümlaut é",
            "semi;colon",
        ],
    )
    @pytest.mark.parametrize("at", [EachHour.every(10, without=[50]), AtLogon()])
    def test_it_takes_the_units(self, tmp_path: Path, folder: str, at: EachHour | AtLogon) -> None:
        """It also looks whether the program is there, so the name has to arrive as it was."""
        program = script(tmp_path / folder / "python")
        job = Job("x", f"of {folder}", (str(program), folder, "%n", "$HOME", "a\\tb", ";", "ü"), at)
        assert verify(tmp_path / "units", job) == (0, "")

    @analyze
    def test_it_tells_of_a_program_that_is_not_there(self, tmp_path: Path, mini: Job) -> None:
        """So the test above can fail."""
        job = replace(mini, command=(str(tmp_path / "gone"),))
        assert verify(tmp_path / "units", job)[0] != 0

    @analyze
    @pytest.mark.parametrize("at", [EachHour.every(10, without=[50]), EachHour((50,)), EachHour.every(2)])
    def test_it_reads_the_calendar_as_it_is_meant(self, at: EachHour) -> None:
        count = 2 * len(at.minutes)
        asked = ["systemd-analyze", "calendar", calendar(at), f"--iterations={count}"]
        said = subprocess.run(
            asked, capture_output=True, text=True, env={**os.environ, "TZ": "UTC"}, check=True
        )
        assert minutes(said.stdout) == list(at.minutes) * 2 or sorted(minutes(said.stdout)) == sorted(
            list(at.minutes) * 2
        )


@pytest.mark.skipif(os.name == "nt", reason="a text file is no program on Windows")
def test_the_shell_hands_the_arguments_on(tmp_path: Path) -> None:
    from attention_framework.scheduling.systemd import _RUN_BY_SHELL

    program = script(tmp_path / 'quo"te' / "python", 'printf "%s|" "$@"')
    said = subprocess.run([*_RUN_BY_SHELL, str(program), "a b", "$x", ""], capture_output=True, text=True)
    assert said.stdout == "a b|$x||"


def script(path: Path, text: str = "true") -> Path:
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def verify(folder: Path, job: Job) -> tuple[int, str]:
    folder.mkdir()
    for name, content in unit_files(job).items():
        (folder / name).write_bytes(content)
    asked = ["systemd-analyze", "--user", "verify", *map(str, folder.iterdir())]
    said = subprocess.run(asked, capture_output=True, text=True)
    return said.returncode, ours(said.stderr)


def ours(said: str) -> str:
    """What it says of our units: it also looks at those of the system."""
    return "\n".join(line for line in said.splitlines() if "attention-" in line)


def minutes(said: str) -> Sequence[int]:
    times = [
        line.partition(": ")[2] for line in said.splitlines() if "Next elapse" in line or "Iter. #" in line
    ]
    return [datetime.strptime(time.split()[2], "%H:%M:%S").minute for time in times]
