"""What every host promises, with a real tmux."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework import Pane, Session
from attention_framework.testing.contracts import FocusSourceContract, PaneControlContract

if TYPE_CHECKING:
    from pathlib import Path

    from attention_tmux.focus import TmuxFocus
    from attention_tmux.testing import TmuxServer

    from attention_framework import FocusSource, PaneControl


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
