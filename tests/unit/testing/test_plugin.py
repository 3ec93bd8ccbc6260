"""The contract suites find a strategy that breaks a promise."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

BROKEN_POLICY = """
import pytest
from attention_framework import Run, Verdict
from attention_framework.testing import PolicyContract

class Broken:
    name = "broken"
    asked = 0

    def judge(self, pane, view):
        {body}

class TestBroken(PolicyContract):
    @pytest.fixture
    def policy(self):
        return Broken()
"""


@pytest.mark.parametrize(
    ("body", "promise"),
    [
        ("return view.snapshot.panes[0] and None", "answers_in_every_situation"),
        (
            "self.asked += 1; return Verdict.run('often') if self.asked > 1 else None",
            "alike_when_asked_again",
        ),
        ("return Verdict.run('')", "says_why"),
        ("return Verdict.pause('why')", "for_which_runs"),
        ("return Verdict.pause('why', Run('mine', 'mine'))", "holds_in_force"),
        ("return Verdict.pause('why', Run('focus', 'lost'))", "focus_is_unknown"),
    ],
)
def test_a_policy_that_breaks_a_promise_is_found(pytester: pytest.Pytester, body: str, promise: str) -> None:
    pytester.makepyfile(BROKEN_POLICY.format(body=body))
    result = pytester.runpytest_inprocess("-q", "-k", promise)
    assert result.parseoutcomes().get("failed")


def test_a_policy_that_keeps_them_passes(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(BROKEN_POLICY.format(body="return None"))
    outcomes = pytester.runpytest_inprocess("-q").parseoutcomes()
    assert set(outcomes) <= {"passed", "warnings"}


def test_the_pytest_plugin_loads_nothing_of_the_framework_before_it_is_used() -> None:
    code = (
        "import attention_framework.testing.plugin, sys;"
        "print([name for name in sys.modules if name.startswith('attention_')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        done.stdout.strip()
        == "['attention_framework', 'attention_framework.testing', 'attention_framework.testing.plugin']"
    )
