"""One cycle: snapshot, judge, observe, recheck, deliver.

`cycle.py` is the order of the steps, `reading.py` all of them that only look, `join.py` finds the process that speaks
for a pane, `judge.py` asks the policies, `plan.py` decides what to do about one pane, `deliver.py` does it, `badges.py`
shows it. All but `cycle.py`, `reading.py`, `deliver.py` and `badges.py` are functions of values.
"""

from __future__ import annotations

from .cycle import Controller
from .judge import Opinion, Part, opinions
from .seen import Candidate, Look, Seen
from .strategies import AgentStrategies, Strategies

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
