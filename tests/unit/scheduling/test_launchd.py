from __future__ import annotations

import plistlib
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from attention_framework import AtLogon, Job
from attention_framework.scheduling.launchd import property_list

if TYPE_CHECKING:
    from pathlib import Path


def test_a_job_has_a_time_for_each_of_its_minutes(mini: Job) -> None:
    assert plistlib.loads(property_list(mini, "/state/x.err")) == {
        "Label": "org.attention-framework.my-mini",
        "ProgramArguments": ["/venv/bin/python", "-I"],
        "StandardErrorPath": "/state/x.err",
        "ProcessType": "Standard",
        "StartCalendarInterval": [{"Minute": minute} for minute in (0, 10, 20, 30, 40)],
        "RunAtLoad": False,
        "AbandonProcessGroup": True,
    }


def test_a_service_runs_from_the_start_and_again_when_it_fails() -> None:
    found = plistlib.loads(property_list(Job("serve", "x", ("/x",), AtLogon()), "/e"))
    assert (found["RunAtLoad"], found["KeepAlive"]) == (True, {"SuccessfulExit": False})
    assert "StartCalendarInterval" not in found


def test_odd_characters_arrive(odd: Job) -> None:
    assert tuple(plistlib.loads(property_list(odd, "/e"))["ProgramArguments"]) == odd.command


@pytest.mark.skipif(shutil.which("plutil") is None, reason="plutil is a program of macOS")
def test_macos_takes_it(odd: Job, tmp_path: Path) -> None:
    file = tmp_path / "x.plist"
    file.write_bytes(property_list(odd, "/e"))
    assert subprocess.run(["plutil", "-lint", str(file)], check=False).returncode == 0
