from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from attention_policies.exempt import Exempt, ExemptSettings
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from attention_framework.testing import SESSION, FakeContext, Memory, hello, pane, snapshot, view

SEEN = view(snapshot())
DEPLOY = pane(
    "w1:p1",
    label="deploy prod",
    title="omp: release [2]",
    cwd="/home/me/work/shop",
    session=replace(SESSION, name="main"),
    aliases=("w1:old",),
    hello=hello("w1:inherited"),
)


def is_exempt(*entries: dict[str, Any], home: str = "") -> bool:
    memory = Memory(environment={"HOME": home})
    policy = Exempt(ExemptSettings.model_validate({"panes": list(entries)}), FakeContext(memory.effects))
    return policy.judge(DEPLOY, SEEN) is not None


@pytest.mark.parametrize(
    "entry",
    [
        {"label": "deploy*"},
        {"id": "w1:p1"},
        {"id": "w1:old"},
        {"id": "w1:inherited"},
        {"agent": "omp"},
        {"cwd": "/home/*/work/*"},
        {"title": "*release*"},
        {"session": "main"},
        {"session": "/run/*.sock"},
        {"label": "deploy*", "cwd": "*/shop"},
    ],
    ids=str,
)
def test_a_pane_that_matches_every_key_of_an_entry_may_run(entry: dict[str, Any]) -> None:
    assert is_exempt(entry)


@pytest.mark.parametrize(
    "entry",
    [
        {"label": "deploy"},
        {"label": "Deploy*"},
        {"label": "deploy*", "cwd": "*/blog"},
        {"id": ""},
        {"title": ""},
    ],
    ids=str,
)
def test_one_key_that_does_not_match_is_enough_to_be_no_exception(entry: dict[str, Any]) -> None:
    assert not is_exempt(entry)


def test_one_entry_that_matches_is_enough() -> None:
    assert is_exempt({"label": "x"}, {"label": "deploy*"})
    assert not is_exempt()


def test_the_home_folder_may_be_written_short() -> None:
    assert is_exempt({"cwd": "~/work/*"}, home="/home/me")
    assert not is_exempt({"cwd": "~/work/*"}, home="/home/you")


def test_folders_are_written_with_slashes_on_every_system() -> None:
    policy = Exempt(ExemptSettings.model_validate({"panes": [{"cwd": "C:\\work\\*"}]}), FakeContext())
    assert policy.judge(pane(cwd="C:\\work\\shop"), SEEN)
    policy = Exempt(ExemptSettings.model_validate({"panes": [{"cwd": "C:/work/*"}]}), FakeContext())
    assert policy.judge(pane(cwd="C:\\work\\shop"), SEEN)


def test_the_reason_names_the_entry() -> None:
    policy = Exempt(
        ExemptSettings.model_validate({"panes": [{"label": "deploy*", "agent": "omp"}]}), FakeContext()
    )
    verdict = policy.judge(DEPLOY, SEEN)
    assert verdict
    assert verdict.reason == "exempt by label = deploy*, agent = omp"


@pytest.mark.parametrize("entry", [{}, {"label": None}, {"name": "x"}, {"label": 3}], ids=str)
def test_an_entry_that_means_nothing_is_refused(entry: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ExemptSettings.model_validate({"panes": [entry]})


@given(
    st.dictionaries(
        st.sampled_from(["label", "cwd", "title", "agent"]),
        st.text(alphabet="ab*?/~", max_size=4),
        min_size=1,
    )
)
def test_another_key_in_an_entry_never_exempts_more(entry: dict[str, Any]) -> None:
    if is_exempt({**entry, "session": "main"}):
        assert is_exempt(entry)
