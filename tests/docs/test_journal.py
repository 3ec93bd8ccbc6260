"""The journal's page names the fields that are written, all of them and no others."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from attention_framework import Action, AgentState, CycleReport, Decision, Observation, Outcome
from attention_framework.journal import Journal
from attention_framework.testing import SESSION, START_MS, Memory, hold

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "journal.md").read_text(encoding="utf-8")
COMMON = {"type", "at_ms"}


@pytest.fixture
def written(memory: Memory) -> dict[str, dict[str, Any]]:
    """One entry of each type."""
    path = Path("/state/journal.jsonl")
    journal = Journal(path, memory.effects, pytest.fail)
    seen = Observation(AgentState.RUNNING, "it says so", detector="omp-status")
    decision = Decision("fake-1", "w1:p1", "omp", Outcome.PAUSE_SENT, "why", Action.PAUSE, observed=seen)
    journal.write_cycle(CycleReport("c1", "focus", SESSION, "fake-1", START_MS, (decision,)))
    journal.write_hold(hold(), "taken")
    journal.write_coalesced(SESSION, "fake-1", "focus", ())
    entries = [json.loads(line) for line in memory.files.read(path).splitlines()]
    return {entry["type"]: entry for entry in entries}


def section(title: str) -> str:
    return re.split(r"^## ", PAGE.partition(f"## {title}")[2], maxsplit=1, flags=re.MULTILINE)[0]


def table(title: str) -> set[str]:
    """The words in the first column."""
    rows = re.findall(r"^\| (`.*?) \|", section(title), re.MULTILINE)
    return {word for row in rows for word in re.findall(r"`([\w-]+)`", row)}


def test_the_fields_of_a_decision_are_those_of_the_table(written: dict[str, dict[str, Any]]) -> None:
    assert set(written["decision"]) - COMMON == table("`decision`")


@pytest.mark.parametrize("kind", ["cycle", "hold", "wake-up"])
def test_the_fields_of_the_other_types_are_those_of_the_list(
    kind: str, written: dict[str, dict[str, Any]]
) -> None:
    [item] = re.findall(rf"^- `{kind}`: (.*?)(?=^- |\Z)", section("`cycle`"), re.MULTILINE | re.DOTALL)
    told = set(re.findall(r"`([\w-]+)`", re.sub(r"\([^)]*\)", "", item)))
    assert set(written[kind]) - COMMON == told


def test_every_type_is_on_the_page(written: dict[str, dict[str, Any]]) -> None:
    headings = set(re.findall(r"`([\w-]+)`", " ".join(re.findall(r"^## .*$", PAGE, re.MULTILINE))))
    assert headings == set(written)


def test_the_outcomes_are_those_of_the_table() -> None:
    assert table("Outcomes") == {outcome.value for outcome in Outcome}
