from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attention_herdr import plugin

from attention_framework import HostEnvironment

if TYPE_CHECKING:
    from attention_framework.testing import FakeContext


def test_a_process_finds_its_pane_by_two_variables() -> None:
    assert plugin.attention_hosts() == [
        HostEnvironment(host="herdr", pane="HERDR_PANE_ID", address="HERDR_SOCKET_PATH")
    ]


def test_everything_goes_by_the_name_of_the_host(context: FakeContext) -> None:
    announced: list[Any] = [
        *plugin.attention_focus_sources(),
        *plugin.attention_installers(context),
        *plugin.attention_checks(context),
    ]
    assert {kind.name for kind in announced} == {"herdr"}
