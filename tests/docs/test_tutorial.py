"""Pages that are done as they are written: commands are run, files written, and what they show is seen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("tutorial/first-plugin.md", "how-to/agent-with-a-mailbox.md")
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
LIMIT_S = 120


class Reader:
    """A person with a shell, in an environment that has the framework."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.output = ""

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, script: str) -> None:
        self.output = ""
        for line in script.splitlines():
            if line.startswith("cd "):
                self.folder /= line.removeprefix("cd ")
                continue
            done = subprocess.run(
                line,
                shell=True,
                cwd=self.folder,
                env=self.environment,
                capture_output=True,
                text=True,
                timeout=LIMIT_S,
                check=False,
            )
            self.output += done.stdout + done.stderr
            assert done.returncode == 0, f"{line}\n{self.output}"


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """What is installed here is seen there, too, and stays as it is: the plugin goes into an environment of its own."""
    place = tmp_path / "venv"
    venv.EnvBuilder(with_pip=False, symlinks=sys.platform != "win32").create(place)
    scripts = place / ("Scripts" if sys.platform == "win32" else "bin")
    python = scripts / Path(sys.executable).name
    paths = sysconfig.get_paths(vars={"base": str(place), "platbase": str(place)})
    # `site` also follows the path files of a folder that is added so.
    here = sysconfig.get_paths()["purelib"]
    (Path(paths["purelib"]) / "here.pth").write_text(f"import site; site.addsitedir({here!r})\n", "utf-8")
    for name, module in {"attention": "attention_framework", "pytest": "pytest", "pip": "pip"}.items():
        program = scripts / name
        program.write_text(f'#!/bin/sh\nexec "{python}" -m {module} "$@"\n', "utf-8")
        program.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ATTENTION_")},
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        # Its requirements are there, and no index is asked.
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    return Reader(tmp_path, environment)


def steps(page: str) -> Iterator[tuple[str, str, str]]:
    yield from BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))


@pytest.mark.skipif(sys.platform == "win32", reason="the pages are written for a POSIX shell")
@pytest.mark.parametrize("page", PAGES)
def test_the_page_works_as_it_is_written(page: str, reader: Reader) -> None:
    done = []
    for language, title, text in steps(page):
        if title:
            reader.write(title, text)
        elif language == "sh":
            reader.run(text)
        else:
            assert language == "text", f"a block that nobody would run: {text}"
            missing = [line for line in text.splitlines() if line not in reader.output]
            assert missing == [], reader.output
        done.append(language)
    assert {"sh", "text", "python", "toml"} <= set(done)
