"""Every interleaving of everybody's steps, up to a bound: nothing that must not happen does, and every rule is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .explore import explore
from .rules import MAILBOX, REFLEX, RULES, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

TRIED = {
    "mailbox": (Settings("off"), 2),
    "mailbox, all but the person": (Settings("off", world="focus breaks failures crashes"), 3),
    "brake": (Settings(), 2),
    "brake, focus and failures": (Settings(world="focus failures"), 3),
    "brake, focus and the person": (Settings(world="focus person"), 3),
    "brake, the outer window counts": (Settings(away="pause", world="focus window crashes"), 2),
    "strict": (Settings("strict", world="focus breaks person failures crashes"), 2),
    "strict, closed": (Settings("strict", fail="closed", world="focus failures crashes"), 2),
}
NEEDS = {
    "all-holds": (Settings("off", world="breaks"), 3),
    "engagement": (Settings("off", world="focus person breaks"), 3),
    "holds-refuse": (Settings("off", world="breaks"), 3),
    "ask-anew": (Settings(world="focus"), 3),
    "newest-answer": (Settings(world="focus"), 3),
    "key-lets-go": (Settings(world="focus person"), 3),
    "silence-ends-it": (Settings(world="focus crashes"), 3),
    "left-at-resume": (Settings(world="focus person"), 3),
    "own-wins": (Settings(world="focus window person"), 3),
    "resume-proves": (Settings(world="focus person"), 3),
    "away-first": (Settings(away="pause"), 1),
    "away-wakes": (Settings(away="pause", world="window crashes"), 2),
    "silence-wakes": (Settings(away="pause", world="window crashes"), 2),
    "boundary": (Settings("strict"), 2),
}
"""Where the trace that needs a rule is found; else with everything, two things that happen."""


@pytest.mark.parametrize("name", TRIED)
def test_whatever_happens_in_whatever_order_nothing_is_violated(name: str, model_depth: int) -> None:
    settings, depth = TRIED[name]
    found = explore(settings, depth + model_depth)
    print(name, found)
    assert not found.violation, str(found)
    assert found.complete
    assert found.states > 5_000, "so little was tried that it proves nothing"


@pytest.mark.parametrize("rule", RULES)
def test_without_a_rule_something_is_violated(rule: str) -> None:
    settings, depth = NEEDS.get(rule, (Settings("off" if rule in MAILBOX else "brake"), 2))
    found = explore(settings._replace(off=frozenset((rule,))), depth)
    print(f"without {rule} ({RULES[rule]}): {found}")
    assert found.violation
    assert found.trace


@pytest.mark.parametrize(
    ("rule", "sentence", "steps"),
    [
        ("swap", "the gate is open after the report of the lost focus", ["agent reads O", "agent claims"]),
        ("engage-first", "says that it is paused, with the gate open and nothing shown", ["cycle: delivers"]),
        (
            "left-at-resume",
            "the gate is open after the report of the lost focus",
            ["agent reads R", "agent reads O", "agent: the gate opens"],
        ),
        ("return-lets-go", "a brake under the person's eyes", ["person comes", "agent reads I"]),
    ],
)
def test_the_trace_tells_what_goes_wrong(rule: str, sentence: str, steps: Sequence[str]) -> None:
    settings, depth = NEEDS.get(rule, (Settings(), 2))
    found = explore(settings._replace(off=frozenset((rule,))), depth)
    assert found.violation == sentence
    assert [step for step in found.trace if step in steps] == steps


def test_the_rules_are_those_of_the_mailbox_and_of_the_reflex() -> None:
    assert not set(MAILBOX) & set(REFLEX)
    assert set(NEEDS) <= set(RULES)
