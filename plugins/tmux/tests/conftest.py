from __future__ import annotations

import logging
import os
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_tmux.focus import TmuxFocus
from attention_tmux.testing import TmuxServer

from attention_framework import AgentKind, Effects, HostEnvironment, HostUnavailable, PaneControl, Session
from attention_framework.effects import real_effects

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass
class TestContext:
    """What a strategy is given, without the rest of the framework."""

    __test__ = False
    state: Path
    effects: Effects
    config: Path | None = None
    command: tuple[str, ...] = ("true",)
    log: logging.LoggerAdapter[logging.Logger] = field(
        default_factory=lambda: logging.LoggerAdapter(logging.getLogger("tmux"))
    )
    agents: tuple[AgentKind, ...] = (AgentKind("omp", "Oh My Pi", programs=("omp",)),)
    hosts: tuple[HostEnvironment, ...] = ()

    def control(self, session: Session) -> PaneControl:
        raise HostUnavailable(session.host)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path: the name of a socket has room for about a hundred characters."""
    path = Path(tempfile.mkdtemp(prefix="attention-"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def environment(folder: Path) -> Mapping[str, str]:
    """Of a person who has no other tmux."""
    home = folder / "home"
    home.mkdir()
    return {"PATH": os.environ["PATH"], "HOME": str(home), "TMUX_TMPDIR": str(folder), "LANG": "C.UTF-8", "SHELL": "/bin/sh"}


@pytest.fixture
def context(folder: Path, environment: Mapping[str, str]) -> TestContext:
    return TestContext(folder / "state", replace(real_effects(), environment=environment))


@pytest.fixture
def focus(context: TestContext) -> TmuxFocus:
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
