"""What every host promises, with a real tmux."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attention_tmux import hooks
from attention_tmux.checks import TmuxCheck
from attention_tmux.focus import TmuxFocus, TmuxSettings
from attention_tmux.installer import TmuxInstaller

from attention_framework import Pane, Session
from attention_framework.testing import (
    CheckContract,
    FocusSourceContract,
    InstallerContract,
    PaneControlContract,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attention_tmux.testing import TmuxServer

    from attention_framework import FocusSource, PaneControl
    from attention_framework.testing import FakeContext


class TestTmuxFocus(FocusSourceContract):
    @pytest.fixture
    def source(self, focus: TmuxFocus) -> FocusSource:
        return focus

    @pytest.fixture
    def live_session(self, server: TmuxServer) -> Session:
        return Session("tmux", server.address, server.socket.name)

    @pytest.fixture
    def dead_session(self, folder: Path) -> Session:
        return Session("tmux", f"{folder}/nobody,4711")


class TestTmuxControl(PaneControlContract):
    @pytest.fixture
    def agent_pane(self, server: TmuxServer) -> Pane:
        made = server.run("split-window", "-t", "a", "-P", "-F", "#{pane_id}", "exec cat").strip()
        return Pane(Session("tmux", server.address), made)

    @pytest.fixture
    def gone_pane(self, agent_pane: Pane) -> Pane:
        return Pane(agent_pane.session, "%4711")

    @pytest.fixture
    def control(self, focus: TmuxFocus, agent_pane: Pane) -> PaneControl:
        return focus.control(agent_pane.session)


class TestTmuxInstaller(InstallerContract):
    @pytest.fixture
    def installer(self, context: FakeContext, focus: TmuxFocus, folder: Path) -> TmuxInstaller:
        (folder / "home/.tmux.conf").write_text("set -g mouse on\n", encoding="utf-8")
        return TmuxInstaller(context, focus)

    @pytest.fixture
    def picture(self, server: TmuxServer, folder: Path) -> Callable[[], object]:
        """The person's home, and the hooks of the running server."""

        def picture() -> object:
            home = {path: path.read_bytes() for path in (folder / "home").rglob("*") if path.is_file()}
            return home, server.run(*hooks.LOADED)

        return picture


class TestTmuxCheck(CheckContract):
    @pytest.fixture
    def failing_check(self, context: FakeContext, focus: TmuxFocus, server: TmuxServer) -> TmuxCheck:
        """Before anything has been set up."""
        assert server.run("list-sessions")
        return TmuxCheck(focus, TmuxInstaller(context, focus))

    @pytest.fixture
    def check(self, context: FakeContext) -> TmuxCheck:
        """Of a person who has no tmux, and so nothing that could be wrong."""
        absent = TmuxFocus(TmuxSettings(program="no-such-tmux"), context)
        return TmuxCheck(absent, TmuxInstaller(context, absent))
