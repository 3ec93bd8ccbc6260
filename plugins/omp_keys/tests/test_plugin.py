from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from attention_omp_keys import plugin

if TYPE_CHECKING:
    from attention_framework.testing import FakeContext


def test_the_agent_names_strategies_that_are_announced() -> None:
    [omp] = plugin.attention_agents()
    assert set(omp.transports) <= {transport.name for transport in plugin.attention_transports()}
    assert list(omp.detectors) == [detector.name for detector in plugin.attention_pause_detectors()]


def test_nothing_is_typed_unless_the_person_asks_for_it() -> None:
    """A fallback to `omp-prompt` would destroy a draft whenever the extension is missing."""
    [omp] = plugin.attention_agents()
    assert omp.transports == ("omp-mailbox",)


def test_no_draft_is_at_risk_unless_the_settings_ask_for_it() -> None:
    [omp] = plugin.attention_agents()
    assert omp.transports == ("omp-mailbox",)
    assert {transport.name for transport in plugin.attention_transports()} == {
        "omp-mailbox",
        "omp-keys",
        "omp-prompt",
    }


def test_setup_and_doctor_know_omp(context: FakeContext) -> None:
    assert [installer.name for installer in plugin.attention_installers(context)] == ["omp"]
    assert [check.name for check in plugin.attention_checks(context)] == ["omp"]


def test_a_cycle_does_not_pay_for_the_installer() -> None:
    code = (
        "from attention_omp_keys import plugin; import sys;"
        "plugin.attention_agents(); plugin.attention_transports(); plugin.attention_pause_detectors();"
        "print([name for name in sys.modules if name.endswith(('.installer', '.checks', '.installing'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
