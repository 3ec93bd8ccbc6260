"""The state of the model: one pane, its agent, the controller, the person and the breaks. Nothing in it but values."""

from __future__ import annotations

from typing import NamedTuple

from attention_framework.testing.invariants import ASKED_FOR, Scene

SILENT_AT_MOST = 2
"""Questions in a row without an answer, after which there is no brake. Three in the product: two keep traces short."""

Runs = frozenset[object]
"""Numbers of breaks, and ("focus", count)."""
NO_RUNS: Runs = frozenset()


class Said(NamedTuple):
    """The agent's status file."""

    attended: int = 0
    phase: str = "run"
    runs: Runs = NO_RUNS
    waived: Runs = NO_RUNS
    engagement: int = 0
    away: bool = False


class Agent(NamedTuple):
    """One agent process. `phase`: run, swapping, showing, paused, own (paused by the person)."""

    phase: str = "run"
    ours: str = ""
    """brake or boundary, while that is what holds the gate."""
    runs: Runs = NO_RUNS
    """Of the request that it works on, or what it is paused for."""
    attended: int = 0
    reports: bool = False
    away: bool = False
    """The last report was of a lost focus, and there was no proof of presence since."""
    ending: bool = False
    """The key that resumes has been read; the agent's pause command has not opened the gate yet."""
    waived: Runs = NO_RUNS
    engagement: int = 0
    queue: str = ""
    """Terminal input not yet read: I, O (focus reports), K (a key), R (a key that ends a pause screen)."""
    todo: tuple[str, ...] = ()
    """What is left of the present tick: steps on the disk and the socket."""
    owed: bool = False
    """The status file is behind in something that wakes nobody."""
    question: int = 0
    open: bool = False
    told: bool = False
    """The answer to the newest question was `pause`."""
    asked_again: bool = False
    silent: int = 0
    polls: bool = False
    """It has not looked at the lease since that ran out."""
    promised: bool = False
    """See `Scene.promised`."""
    granted: bool = False
    """There was a moment since the newest question at which it was allowed to run."""
    unheard: bool = False
    """See `Scene.braked_unheard`."""


class State(NamedTuple):
    agent: Agent = Agent()
    said: Said | None = Said()
    focused: bool = True
    window: bool = True
    """The outer window has the focus."""
    unnoticed: bool = False
    """The agent has read nothing that proves the person's last return."""
    allowed: bool = False
    holds: Runs = NO_RUNS
    pending: Runs | None = None
    claim: bool = False
    ack: bool = False
    resume: int = 0
    """A resume request: the engagement to end."""
    cycle: tuple[str, int, bool] | None = None
    """The next step, the count that was read, whether it was seen in focus."""
    known: bool = True
    """What the last snapshot of a cycle saw of the focus."""
    wake: int = 0
    """1: markers that nobody has seen, 2: seen by the cycle that runs."""
    asks: frozenset[tuple[int, str]] = frozenset()
    """Questions on their way to the controller, and answers on theirs back."""
    serving: bool = True
    lease: bool = True
    left: int = 0
    crashes: int = 0
    breaks: int = 0
    bad: str = ""


def due(s: State, away_counts: bool) -> tuple[str, ...]:
    """The runs that want the pane paused by the truth."""
    held = [f"break {run}" for run in s.holds if run not in s.agent.waived]
    elsewhere = not s.focused or (away_counts and not s.window)
    return (*held, "focus") if elsewhere and not s.allowed else tuple(held)


def may_run(s: State, away_counts: bool) -> bool:
    """What a controller can know at its best: of the outer window only what the agent has read."""
    return not due(s._replace(window=not s.agent.away), away_counts)


def scene(s: State, away_counts: bool, line: bool = True) -> Scene:
    a = s.agent
    gate = a.ours or {"showing": "overlay", "paused": "overlay", "own": "person"}.get(a.phase, "")
    return Scene(
        due=due(s, away_counts),
        gate=gate,
        sign="overlay" if gate in ASKED_FOR else "line" if gate and line else "",
        present=s.focused and s.window and not a.queue and not s.unnoticed,
        known=not (a.queue or a.owed or s.cycle or s.wake or s.unnoticed),
        promised=a.promised,
        lease_over=not s.lease and not a.polls,
        braked_unheard=a.unheard,
        claims=int(s.claim),
    )
