"""Rotation and cropping by the library that writes Stretchly's log. The README says how to get it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_stretchly.reader import BreakReader
from attention_stretchly.tail import old_name
from attention_stretchly.values import EndedBy

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_stretchly.values import LoggedBreak

VERSIONS = ("4.2.4", "4.3.2", "5.4.3")
PACKAGES = os.environ.get("ATTENTION_ELECTRON_LOG")
MAIN = """
const [library, path, failing] = process.argv.slice(2);
const fs = require('fs');
const log = require(library);
log.transports.console.level = false;
log.transports.file.level = 'silly';
const file = log.transports.file;
file['resolvePathFn' in file ? 'resolvePathFn' : 'resolvePath'] = () => path;
if (failing === 'yes') fs.renameSync = () => { throw new Error('somebody has it open'); };
require('readline').createInterface({input: process.stdin}).on('line', line => {
    const {text, times} = JSON.parse(line);
    for (let i = 0; i < times; i++) log.info(text);
    process.stdout.write('done\\n');
});
"""


@pytest.fixture(params=VERSIONS)
def module(request: pytest.FixtureRequest) -> str:
    if shutil.which("node") is None:
        pytest.skip("needs node")
    if PACKAGES is None:
        pytest.skip("needs ATTENTION_ELECTRON_LOG (see README.md)")
    folder = Path(PACKAGES).absolute() / f"electron-log-{request.param}"
    if not folder.is_dir():
        pytest.skip(f"there is no {folder.name} in ATTENTION_ELECTRON_LOG")
    return f"{folder}/src/node" if request.param.startswith("5") else str(folder)


class App:
    """A program that logs when it is told to."""

    def __init__(self, module: str, path: Path, *, may_rename: bool) -> None:
        # The library wants to know of which application it is a part.
        (path.parent / "package.json").write_text(
            '{"name": "stretchly", "version": "1.0.0"}', encoding="utf-8"
        )
        main = path.parent / "main.cjs"
        main.write_text(MAIN, encoding="utf-8")
        command = ["node", str(main), module, str(path), "no" if may_rename else "yes"]
        self._process = subprocess.Popen(
            command, cwd=path.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def log(self, text: str, times: int = 1) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"text": f"Stretchly: {text}", "times": times}) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n"

    def stop(self) -> None:
        self._process.communicate(timeout=30)


@pytest.fixture
def start(module: str, tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., App]:
    def begin(*, may_rename: bool) -> App:
        app = App(module, tmp_path / "main.log", may_rename=may_rename)
        request.addfinalizer(app.stop)
        return app

    return begin


@pytest.mark.parametrize("may_rename", [True, False])
def test_a_full_log_goes_on_in_the_same_reading(
    start: Callable[..., App], tmp_path: Path, may_rename: bool
) -> None:
    app, path = start(may_rename=may_rename), tmp_path / "main.log"
    reader = BreakReader(path)
    found: dict[int, LoggedBreak] = {}
    for _ in range(4):
        app.log("starting Mini break")
        # A log is full after about 15,000 lines, and 256 KiB are left of one that is cut.
        for _ in range(6):
            app.log("ready-to-show fired", times=1_500)
            found |= {each.number: each for each in reader.poll()}
        app.log("finishing Mini break (shouldPlanNext: true)")
    found |= {each.number: each for each in reader.poll()}

    assert [each.ended_by for each in found.values()] == [EndedBy.FINISHED] * 4
    assert (b"[log cropped]" in path.read_bytes()) is not may_rename
    assert old_name(path).exists() is may_rename
