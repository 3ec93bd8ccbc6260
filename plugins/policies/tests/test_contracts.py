"""Every policy of this plugin keeps the contract of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from attention_policies.plugin import attention_policies

from attention_framework.testing import FakeContext, PolicyContract

if TYPE_CHECKING:
    from attention_framework import Policy

STRONGER: dict[str, dict[str, Any]] = {
    "exempt": {"panes": [{"label": "no*"}]},
    "focused": {"also_keep": 1, "resume": "own"},
}


def _policies(settings: dict[str, dict[str, Any]]) -> list[Policy]:
    made = []
    for policy in attention_policies():
        model = getattr(policy, "Settings", None)
        chosen = model(**settings.get(policy.name, {})) if model else None
        made.append(policy(chosen, FakeContext()))  # type: ignore[call-arg]
    return made


POLICIES = {
    **{policy.name: policy for policy in _policies({})},
    **{f"{policy.name}, with settings": policy for policy in _policies(STRONGER) if policy.name in STRONGER},
}


class TestPolicies(PolicyContract):
    @pytest.fixture(params=list(POLICIES.values()), ids=list(POLICIES))
    def policy(self, request: Any) -> Policy:
        return request.param  # type: ignore[no-any-return]


def test_the_plugin_announces_the_policies_of_the_settings_reference() -> None:
    assert [policy.name for policy in attention_policies()] == [
        "holds",
        "allowed",
        "exempt",
        "origin",
        "focused",
    ]
