from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attention_herdr.simulator import SimulatedHerdr
from attention_herdr.testing import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def herdr() -> Iterator[SimulatedHerdr]:
    """A running Herdr with the pane `w1:p1`. Its folder has a short name, as the socket's path must have."""
    with SimulatedHerdr(startup_grace_s=0) as running:
        yield running


@pytest.fixture
def world(herdr: SimulatedHerdr, tmp_path: Path) -> World:
    return World.around(herdr, tmp_path)
