"""For the tests of plugins and of the framework: contract suites, effects in memory, fakes and builders.

A test module of a plugin subclasses the contract suite of its kind, and defines the fixtures that the suite needs. The
fixtures in `plugin.py` (`memory`, `effects`, `fake_host`, `context`) need no import: they are there in every pytest run
where attention-framework is installed. A name of this package is loaded only when it is first used, because pytest
imports this package in every run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .builders import SESSION, focus_history, hello, hold, pane, request, scope, session, snapshot, view
    from .context import FakeContext, FakeLog
    from .contracts import (
        AgentTransportContract,
        BreakSourceContract,
        CheckContract,
        FocusSourceContract,
        InstallerContract,
        ObserverContract,
        PaneControlContract,
        PauseDetectorContract,
        PolicyContract,
    )
    from .fake_agent import FakeAgent
    from .fake_host import FakeHost, FakePane
    from .fake_schedulers import FakeSchedulers
    from .faults import Crash, Faults
    from .memory import START_MS, Memory, MemoryClock, MemoryDetached, MemoryProcesses
    from .memory_files import MemoryDisk, MemoryFiles
    from .memory_sockets import MemorySockets, Reply
    from .until import until

_HOME = {
    "builders": (
        "SESSION", "focus_history", "hello", "hold", "pane", "request", "scope", "session", "snapshot",
        "view",
    ),
    "context": ("FakeContext", "FakeLog"),
    "contracts": (
        "AgentTransportContract", "BreakSourceContract", "CheckContract", "FocusSourceContract", "InstallerContract",
        "ObserverContract", "PaneControlContract", "PauseDetectorContract", "PolicyContract",
    ),
    "fake_agent": ("FakeAgent",),
    "fake_host": ("FakeHost", "FakePane"),
    "fake_schedulers": ("FakeSchedulers",),
    "faults": ("Crash", "Faults"),
    "memory": ("START_MS", "Memory", "MemoryClock", "MemoryDetached", "MemoryProcesses"),
    "memory_files": ("MemoryDisk", "MemoryFiles"),
    "memory_sockets": ("MemorySockets", "Reply"),
    "until": ("until",),
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "SESSION",
    "START_MS",
    "AgentTransportContract",
    "BreakSourceContract",
    "CheckContract",
    "Crash",
    "FakeAgent",
    "FakeContext",
    "FakeHost",
    "FakeLog",
    "FakePane",
    "FakeSchedulers",
    "Faults",
    "FocusSourceContract",
    "InstallerContract",
    "Memory",
    "MemoryClock",
    "MemoryDetached",
    "MemoryDisk",
    "MemoryFiles",
    "MemoryProcesses",
    "MemorySockets",
    "ObserverContract",
    "PaneControlContract",
    "PauseDetectorContract",
    "PolicyContract",
    "Reply",
    "focus_history",
    "hello",
    "hold",
    "pane",
    "request",
    "scope",
    "session",
    "snapshot",
    "until",
    "view",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
    globals()[name] = value
    return value
