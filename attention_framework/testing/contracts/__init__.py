"""One suite per kind of strategy. Subclass it in a plugin's test module, name it `Test…`,
and give its fixtures; every test states a promise of `attention_framework.kinds`.

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
