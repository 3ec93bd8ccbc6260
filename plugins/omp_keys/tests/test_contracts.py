"""What every installer and every check promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attention_omp_keys.checks import OmpCheck
from attention_omp_keys.installer import OmpInstaller

from attention_framework.testing import CheckContract, InstallerContract, Memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attention_framework.testing import FakeContext


class TestOmpInstaller(InstallerContract):
    @pytest.fixture
    def picture(self, omp: Memory, context: FakeContext) -> Callable[[], object]:
        return lambda: {
            path: content
            for path, content in omp.disk.content.items()
            if not path.is_relative_to(context.state)
        }


class TestOmpCheck(CheckContract):
    @pytest.fixture
    def failing_check(self, installer: OmpInstaller) -> OmpCheck:
        """Before anything has been set up."""
        return OmpCheck(installer)

    @pytest.fixture
    def check(self, installer: OmpInstaller, context: FakeContext, tmp_path: Path) -> OmpCheck:
        """Of a person who has no OMP, and so nothing that could be wrong."""
        context.effects = Memory(environment={"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}).effects
        return OmpCheck(OmpInstaller(context, installer.source))
