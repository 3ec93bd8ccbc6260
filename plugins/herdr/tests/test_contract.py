from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from attention_herdr.checks import HerdrCheck
from attention_herdr.focus import HerdrFocus
from attention_herdr.installer import HerdrInstaller

from attention_framework import Pane, Session, real_effects
from attention_framework.testing import (
    CheckContract,
    FakeContext,
    FocusSourceContract,
    InstallerContract,
    PaneControlContract,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attention_herdr.control import HerdrControl
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


class TestHerdrInstaller(InstallerContract):
    @pytest.fixture
    def installer(self, world: World) -> HerdrInstaller:
        return HerdrInstaller(world.context, world.focus)

    @pytest.fixture
    def picture(self, world: World, tmp_path: Path) -> Callable[[], object]:
        """What Herdr has in its list, and the person's home."""

        def picture() -> object:
            files = [path for path in tmp_path.rglob("*") if not path.is_relative_to(world.context.state)]
            return world.herdr.call("plugin.list")["plugins"], sorted(files)

        return picture


class TestHerdrCheck(CheckContract):
    @pytest.fixture
    def failing_check(self, world: World) -> HerdrCheck:
        """Before anything has been set up."""
        return HerdrCheck(world.context, HerdrInstaller(world.context, world.focus))

    @pytest.fixture
    def check(self, tmp_path: Path) -> HerdrCheck:
        """Of a person who has no Herdr, and so nothing that could be wrong."""
        environment = {"HOME": str(tmp_path), "PATH": str(tmp_path)}
        context = FakeContext(replace(real_effects(), environment=environment), state=tmp_path / "other")
        return HerdrCheck(context, HerdrInstaller(context, HerdrFocus(None, context)))
