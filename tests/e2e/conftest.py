from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .harness.herdr_host import HerdrHost
from .harness.model_server import ScriptedModel
from .harness.programs import omp_folder
from .harness.slow_host import hold_back
from .harness.tmux_host import TmuxHost
from .harness.ways import RESIDENT
from .harness.world import World, two_agents

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from .harness.agent import Agent
    from .harness.hosts import HostDriver

HOSTS: dict[str, Callable[[], HostDriver]] = {"tmux": TmuxHost, "herdr": HerdrHost}


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest) -> HostDriver:
    """Every test runs on every host that is installed."""
    return HOSTS[request.param]()


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as model:
        yield model


@pytest.fixture
def way() -> str:
    """How the controller runs. A test that is about another way than the usual one, or about both, is parametrised."""
    return RESIDENT


@pytest.fixture
def world(
    host: HostDriver, model: ScriptedModel, way: str, request: pytest.FixtureRequest
) -> Iterator[World]:
    """Started, with the full-tested OMP, and not yet set up. A marker `omp` names another version."""
    marker = request.node.get_closest_marker("omp")
    omp = omp_folder(marker.args[0] if marker else "omp")
    folder = Path(tempfile.mkdtemp(prefix="attention-"))  # A short path: sockets lie in it.
    world = World(folder, host, model, omp, resident=way == RESIDENT)
    try:
        world.start()
        yield world
    finally:
        world.stop()
        shutil.rmtree(folder)


@pytest.fixture
def pair(world: World) -> tuple[Agent, Agent]:
    """Two agents on a machine that is set up: the first has the focus and runs, the second is paused."""
    world.set_up()
    return two_agents(world)


@pytest.fixture
def held_back(world: World) -> Path:
    """A machine that is set up; as long as this file is there the host does not answer the controller."""
    return hold_back(world)


def _has_world(argument: object) -> bool:
    """Itself, or a place that a test works in."""
    return isinstance(getattr(argument, "world", argument), World)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure shows the screens and the journal."""
    report = yield
    arguments = getattr(item, "funcargs", {}).values()
    world = next((getattr(one, "world", one) for one in arguments if _has_world(one)), None)
    if call.when == "call" and call.excinfo is not None and isinstance(world, World):
        report.sections.append(("the world", world.report()))
    return report
