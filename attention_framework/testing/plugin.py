"""The pytest plugin: fixtures for tests of plugins and of the core.

It loads with every pytest run where attention-framework is installed,
so it imports nothing of it before a fixture is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ..effects import Effects
    from .context import FakeContext
    from .fake_host import FakeHost
    from .memory import Memory


# The suites are imported by the test modules that subclass them;
# their asserts should explain themselves all the same.
pytest.register_assert_rewrite("attention_framework.testing.contracts")


@pytest.fixture
def memory() -> Memory:
    """A world in memory: disk, clock, processes, sockets, environment."""
    from .memory import Memory

    return Memory()


@pytest.fixture
def effects(memory: Memory) -> Effects:
    """How one process sees that world."""
    return memory.effects


@pytest.fixture
def fake_host() -> FakeHost:
    """A fake host with three panes: two with agents, the first of them focused, and one without."""
    from .builders import pane
    from .fake_host import FakeHost

    host = FakeHost(pane("w1:p1"), pane("w1:p2"), pane("w1:p3", agent=None))
    host.focus("w1:p1")
    return host


@pytest.fixture
def context(effects: Effects, fake_host: FakeHost) -> FakeContext:
    """The surroundings of a strategy, with the fake host as its only one."""
    from .context import FakeContext

    return FakeContext(effects, controls={fake_host.name: fake_host})
