"""A simulated Herdr 0.8.2, and a simulated agent that runs
in its panes. Standard library only; Linux, macOS, Windows.

In a test or a program::

    from attention_herdr.simulator import SimulatedHerdr

    with SimulatedHerdr() as herdr:                      # listens at herdr.address, has the pane w1:p1
        second = herdr.split("w1:p1")                    # "w1:p2"
        herdr.start_agent("w1:p1", "--state", state, "--record", folder, "--busy-ms", "-1")
        herdr.start_agent(second, "--state", state, "--record", other)
        herdr.focus(second)                              # hooks, subscribers and programs are told
        herdr.storm(30, seed=7)                          # many switches
        herdr.press("esc"); herdr.type_text("hello")     # the person, in the focused pane
        herdr.fault("session.snapshot", "cut")           # the next reply breaks off
        herdr.restart(handoff=True)                      # same panes and programs, everything else anew

Clients reach it at `herdr.address` (`HERDR_SOCKET_PATH`) as they reach a real one. `herdr.call("plugin.link",
path=…)` uses a method without the socket. As a program: `python -m attention_herdr.simulator --socket PATH
--agents 3` (see `--help`), and the agent alone: `python -m attention_herdr.simulator.agent --help`.

What is faithful is listed in the tests by name; what Herdr does beyond that is answered with the error
`not_implemented`. Where the facts do not say how Herdr behaves, the code says that it guesses.

The client side of the mailbox (`mailbox_client`) is the model for authors of other agents' extensions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .clock import Clock, ManualClock, SystemClock
    from .errors import ApiError
    from .faults import Fault
    from .herdr import SimulatedHerdr
    from .hub import Event

__all__ = ["ApiError", "Clock", "Event", "Fault", "ManualClock", "SimulatedHerdr", "SystemClock"]

_HOMES = {
    "ApiError": "errors", "Clock": "clock", "Event": "hub", "Fault": "faults", "ManualClock": "clock",
    "SimulatedHerdr": "herdr", "SystemClock": "clock",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Loaded when asked for: the simulated agent is in this package too,
    and starts faster without the server.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
