"""Which environments of tox.ini can run here, and what the others lack."""

from __future__ import annotations

from dataclasses import dataclass, field

from .debian import may_install
from .items import how_to_get, items

# In the order in which they run: what is quick and likely to fail comes first.
NEEDS: dict[str, tuple[str, ...]] = {
    "lint": (),
    "types": (),
    "unit": (),
    "docs": (),
    "site": (),
    "dist": (),
    "extension": ("extension",),
    "windows": ("windows",),
    "e2e": ("tmux", "omp", "omp-oldest", "omp-too-old"),
}

# What some tests of an environment ask for, and pass over where it cannot be.
WISHES: dict[str, tuple[str, ...]] = {"unit": ("systemd",)}


@dataclass(slots=True)
class Plan:
    run: list[str] = field(default_factory=list)
    # By environment, how to get what it lacks.
    left_out: dict[str, str] = field(default_factory=dict)


def make_plan(chosen: str, *, install: bool) -> Plan:
    """With `install` everything is provided and nothing is left out; raises `Unavailable` where that fails."""
    plan = Plan()
    known = items()
    names = [name for name in chosen.split(",") if name] or list(NEEDS)
    if install:
        wished = [item for name in names for item in WISHES.get(name, ()) if may_install()]
        for item in dict.fromkeys([*(item for name in names for item in NEEDS.get(name, ())), *wished]):
            known[item].provide()
    for name in names:
        missing = [item for item in NEEDS.get(name, ()) if known[item].present() is None]
        if missing:
            plan.left_out[name] = how_to_get(*missing)
        else:
            plan.run.append(name)
    return plan
