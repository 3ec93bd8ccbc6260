"""`attention break-watch` as a process that follows a real log, and is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import LogFile

BOUND_S = 60.0


class Watch:
    def __init__(self, folder: Path, log: Path) -> None:
        self.state = folder / "state"
        self.config = folder / "attention.toml"
        self.config.write_text(
            f'plugins = ["stretchly"]\nbreaks.sources = ["stretchly"]\nstrategy.stretchly.log = \'{log}\'\n',
            encoding="utf-8",
        )
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "attention_framework", "--state", str(self.state)]
        environment = {name: value for name, value in os.environ.items() if name[:10] != "ATTENTION_"}
        self.process = subprocess.Popen(
            [*command, "--config", str(self.config), "break-watch"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return self.process

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(BOUND_S)

    def held(self) -> int:
        folder = self.state / "holds"
        return len(list(folder.glob("*.json"))) if folder.exists() else 0


@pytest.fixture
def watch(tmp_path: Path, log: LogFile) -> Iterator[Watch]:
    made = Watch(tmp_path, log.path)
    yield made
    made.kill()


def now(log: LogFile) -> None:
    log.writer.now = datetime.now()


def until_held(watch: Watch, count: int) -> None:
    def reached() -> bool:
        assert watch.process is not None
        assert watch.process.poll() is None, "it has ended"
        return watch.held() == count

    until(reached, BOUND_S, f"{count} holds")


@pytest.mark.parametrize("end", ["finishing Mini break (shouldPlanNext: true)", "postponing Mini break"])
def test_no_hold_outlives_its_break_whoever_is_killed(watch: Watch, log: LogFile, end: str) -> None:
    watch.start()
    now(log)
    log.start()
    until_held(watch, 1)
    watch.kill()
    assert watch.held() == 1

    watch.start()
    log.rotate()
    now(log)
    log.start("Long break")
    until_held(watch, 2)
    watch.kill()

    log.say(end)
    watch.start()
    until_held(watch, 1)
    log.say("resetting breaks")
    until_held(watch, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_when_it_is_stopped_it_lets_go(watch: Watch, log: LogFile, number: int) -> None:
    process = watch.start()
    now(log)
    log.start()
    until_held(watch, 1)

    process.send_signal(number)

    assert process.wait(BOUND_S) == 0
    assert watch.held() == 0
