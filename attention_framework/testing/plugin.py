"""The pytest plugin of attention-framework: fixtures for tests of plugins and of the framework.

Every pytest run where attention-framework is installed loads it. So that this costs no time, it imports nothing else of
the framework until a test uses a fixture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ..effects import Effects
    from .context import FakeContext
    from .fake_host import FakeHost
    from .memory import Memory


# Pytest shows the values of a failed assert only for test modules and for the modules that are named here.
pytest.register_assert_rewrite("attention_framework.testing.contracts")


@pytest.fixture
def memory() -> Memory:
    """A world in memory: disk, clock, processes, sockets and environment variables. A test changes it, and a strategy sees
    it through `effects`.
    """
    from .memory import Memory

    return Memory()


@pytest.fixture
def effects(memory: Memory) -> Effects:
    """The effects of one process in `memory`: what a strategy uses as `context.effects`."""
    return memory.effects


@pytest.fixture
def fake_host() -> FakeHost:
    """A fake host with three panes: `w1:p1`, which has the focus, and `w1:p2` with an agent in each, and `w1:p3` without an
    agent.
    """
    from .builders import pane
    from .fake_host import FakeHost

    host = FakeHost(pane("w1:p1"), pane("w1:p2"), pane("w1:p3", agent=None))
    host.focus("w1:p1")
    return host


@pytest.fixture
def context(effects: Effects, fake_host: FakeHost) -> FakeContext:
    """The context to construct a strategy with. Its effects are `effects`, and its only host is `fake_host`."""
    from .context import FakeContext

    return FakeContext(effects, controls={fake_host.name: fake_host})
