from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_tmux.focus import TmuxFocus
from attention_tmux.testing import TmuxServer

from attention_framework import AgentKind
from attention_framework.effects import real_effects
from attention_framework.testing import FakeContext, until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path: the name of a socket has room for about a hundred characters."""
    path = Path(tempfile.mkdtemp(prefix="attention-"))
    yield path
    until(lambda: removed(path), what="no hook that the server had still started writes into the folder")


def removed(path: Path) -> bool:
    shutil.rmtree(path, ignore_errors=True)
    return not path.exists()


@pytest.fixture
def environment(folder: Path) -> Mapping[str, str]:
    """Of a person who has no other tmux."""
    home = folder / "home"
    home.mkdir()
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMUX_TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "SHELL": "/bin/sh",
    }


@pytest.fixture
def context(folder: Path, environment: Mapping[str, str]) -> FakeContext:
    return FakeContext(
        effects=replace(real_effects(), environment=environment),
        state=folder / "state",
        agents=[AgentKind("omp", "Oh My Pi", programs=("omp",))],
    )


@pytest.fixture
def focus(context: FakeContext) -> TmuxFocus:
    return TmuxFocus(None, context)


@pytest.fixture
def server(folder: Path, environment: Mapping[str, str]) -> Iterator[TmuxServer]:
    """A running tmux where tmux itself would put it, with one session `a`."""
    if shutil.which("tmux") is None:
        pytest.skip("needs tmux (apt-get install tmux, or brew install tmux)")
    sockets = folder / f"tmux-{os.getuid()}"
    sockets.mkdir(mode=0o700)
    with TmuxServer(sockets / "default", environment) as running:
        running.new_session("a", "sleep 1000")
        yield running
