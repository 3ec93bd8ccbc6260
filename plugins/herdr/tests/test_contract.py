from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework import Pane, Session
from attention_framework.testing import FocusSourceContract, PaneControlContract

if TYPE_CHECKING:
    from attention_herdr.control import HerdrControl
    from attention_herdr.focus import HerdrFocus
    from attention_herdr.testing import World


class TestHerdrFocus(FocusSourceContract):
    @pytest.fixture
    def source(self, world: World) -> HerdrFocus:
        return world.focus

    @pytest.fixture
    def live_session(self, world: World) -> Session:
        return world.session

    @pytest.fixture
    def dead_session(self) -> Session:
        return Session("herdr", "/nowhere/herdr.sock")


class TestHerdrControl(PaneControlContract):
    @pytest.fixture
    def control(self, world: World) -> HerdrControl:
        return world.control

    @pytest.fixture
    def source(self, world: World) -> HerdrFocus:
        return world.focus

    @pytest.fixture
    def agent_pane(self, world: World) -> Pane:
        return world.start_echo()

    @pytest.fixture
    def gone_pane(self, world: World) -> Pane:
        return Pane(world.session, "w9:p9", agent="omp")
