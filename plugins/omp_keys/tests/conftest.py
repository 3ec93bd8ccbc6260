"""An OMP in memory, and an extension of three files to install."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_omp_keys.installer import OmpInstaller

from attention_framework import Completed, HostEnvironment

if TYPE_CHECKING:
    from attention_framework.testing import FakeContext, Memory

HOME = Path("/home/me")
AGENT = HOME / ".omp" / "agent"
TARGET = AGENT / "extensions" / "attention-framework"
HOSTS = (
    HostEnvironment("herdr", "HERDR_PANE_ID", "HERDR_SOCKET_PATH"),
    HostEnvironment("tmux", "TMUX_PANE", "TMUX", "^(.*),[0-9]+$"),
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """What a wheel ships."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    (folder / "index.ts").write_text("export default function () {}\n", "utf-8")
    (folder / "version.ts").write_text('export const EXTENSION = "0.1.0";\n', "utf-8")
    (folder / "wake.ts").write_text("// wake\n", "utf-8")
    return folder


@pytest.fixture
def omp(memory: Memory, context: FakeContext) -> Memory:
    """A user with OMP 18.2.3."""
    memory.environment.update(HOME=str(HOME), USERPROFILE=str(HOME))
    memory.files.make_folder(AGENT)
    context.hosts = HOSTS
    answer_version(memory, "omp/18.2.3\n")
    return memory


@pytest.fixture
def installer(omp: Memory, context: FakeContext, source: Path) -> OmpInstaller:
    return OmpInstaller(context, source)


def answer_version(memory: Memory, output: str) -> None:
    memory.processes.programs["omp"] = lambda command: Completed(0, output, "")
