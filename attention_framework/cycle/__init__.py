"""One cycle: snapshot, judge, observe, recheck, deliver.

`cycle.py` is the order of the steps, `join.py` finds the process that speaks for a pane, `judge.py` asks
the policies, `plan.py` decides what to do about one pane, `deliver.py` does it. All but `cycle.py` and
`deliver.py` are functions of values.
"""

from __future__ import annotations

from .cycle import AgentStrategies, Candidate, Controller, Look, Seen, Strategies
from .judge import Opinion, Part, opinions

__all__ = [
    "AgentStrategies",
    "Candidate",
    "Controller",
    "Look",
    "Opinion",
    "Part",
    "Seen",
    "Strategies",
    "opinions",
]
