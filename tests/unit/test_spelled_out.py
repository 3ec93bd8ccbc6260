"""What is spelled out field by field, for speed, leaves out none."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from attention_framework import AgentState, Observation, Pane, Session, Verdict
from attention_framework.model import Action
from attention_framework.testing import hello


def filled(kind: type, **given: Any) -> Any:
    """With a value of its own in every field."""
    return kind(**{field.name: given.get(field.name, field.name) for field in fields(kind)})


def test_a_pane_that_is_spoken_for_is_the_same_otherwise() -> None:
    pane, said = filled(Pane, session=Session("h", "a"), aliases=("x",)), hello()
    assert pane.spoken_for(said) == replace(pane, hello=said)
    assert replace(pane, agent=None).spoken_for(said).agent == said.agent
    assert pane.spoken_for(None) == replace(pane, hello=None)


def test_a_verdict_gets_the_name_of_its_policy_and_keeps_the_rest() -> None:
    verdict = filled(Verdict, action=Action.RUN)
    assert verdict.of("mine") == replace(verdict, policy="mine")


def test_an_observation_gets_the_name_of_its_detector_and_keeps_the_rest() -> None:
    seen = filled(Observation, state=AgentState.PAUSED)
    assert seen.of("mine") == replace(seen, detector="mine")
