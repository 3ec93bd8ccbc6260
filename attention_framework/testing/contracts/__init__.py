"""One suite of tests for each kind of strategy. In a test module of your plugin, make a subclass whose name begins with
`Test`, and define in it the fixtures that the suite needs. Each test checks something that `attention_framework.kinds`
demands.

    class TestMyPolicy(PolicyContract):
        @pytest.fixture
        def policy(self, context):
            return MyPolicy(MyPolicy.Settings(), context)
"""

from __future__ import annotations

from .agents import AgentTransportContract, PauseDetectorContract
from .breaks import BreakSourceContract
from .hosts import FocusSourceContract, PaneControlContract
from .observers import ObserverContract
from .policies import PolicyContract
from .setup import CheckContract, InstallerContract

__all__ = [
    "AgentTransportContract",
    "BreakSourceContract",
    "CheckContract",
    "FocusSourceContract",
    "InstallerContract",
    "ObserverContract",
    "PaneControlContract",
    "PauseDetectorContract",
    "PolicyContract",
]
