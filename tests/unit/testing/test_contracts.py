"""The contract suites find a strategy that breaks a promise, and pass one that keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

pytest_plugins = ["pytester"]

POLICY = """
import pytest
from attention_framework import Run, Verdict
from attention_framework.testing import PolicyContract

class Policy:
    name = "mine"
    asked = 0

    def judge(self, pane, view):
        {body}

class TestPolicy(PolicyContract):
    @pytest.fixture
    def policy(self):
        return Policy()
"""

OBSERVER = """
import pytest
from attention_framework.testing import ObserverContract

class Observer:
    name = "mine"

    def decided(self, decision, report):
        {body}

class TestObserver(ObserverContract):
    @pytest.fixture
    def observer(self):
        return Observer()
"""

DETECTOR = """
import pytest
from attention_framework import AgentState, Observation
from attention_framework.testing import PauseDetectorContract, pane

class Detector:
    name = "mine"

    def observe(self, pane):
        {body}
        states = {{"w1:p1": AgentState.RUNNING, "w1:p2": AgentState.PAUSED}}
        known = pane.session.host == "fake"
        return Observation(states.get(pane.id, AgentState.UNKNOWN) if known else AgentState.UNKNOWN, "seen")

class TestDetector(PauseDetectorContract):
    detector = pytest.fixture(lambda self: Detector())
    running_pane = pytest.fixture(lambda self: pane("w1:p1"))
    paused_pane = pytest.fixture(lambda self: pane("w1:p2"))
    gone_pane = pytest.fixture(lambda self: pane("w9:p9"))
"""

TRANSPORT = """
import pytest
from attention_framework import Delivery
from attention_framework.testing import AgentTransportContract, pane

class Transport:
    name = "mine"

    def request_pause(self, pane, request):
        {body}
        return Delivery.sent() if pane.session.host == "fake" else Delivery.refused("no such host")

    def request_resume(self, pane, engagement):
        return Delivery.refused("it cannot")

class TestTransport(AgentTransportContract):
    transport = pytest.fixture(lambda self: Transport())
    agent_pane = pytest.fixture(lambda self: pane())
"""

MAILBOX = TRANSPORT.replace('name = "mine"', 'name = "mine"; mailbox = True')

HOST = """
import pytest
from dataclasses import replace
from attention_framework import HostUnavailable, PaneGone, Session
from attention_framework.testing import FakeHost, FocusSourceContract, PaneControlContract, hello, pane

class Host(FakeHost):
    def snapshot(self, session):
        {body}
        return super().snapshot(session)

class TestHost(FocusSourceContract, PaneControlContract):
    @pytest.fixture
    def source(self):
        host = Host(pane("w1:p1"), pane("w1:p2"))
        host.focus("w1:p1")
        return host

    control = pytest.fixture(lambda self, source: source)
    live_session = pytest.fixture(lambda self, source: source.session)
    dead_session = pytest.fixture(lambda self: Session("fake", "/dead"))
    agent_pane = pytest.fixture(lambda self: pane("w1:p1"))
    gone_pane = pytest.fixture(lambda self: pane("w9:p9"))
"""

BREAKS = """
import pytest
from attention_framework import Break
from attention_framework.testing import BreakSourceContract

made = []

class Source:
    name = "mine"

    def __init__(self):
        made.append(self)

    def current(self):
        {body}
        return [Break("b-1", "long", 1, 2)]

    def watch(self, wake, stop):
        stop.wait()

class TestSource(BreakSourceContract):
    make_source = pytest.fixture(lambda self: Source)
"""

INSTALLER = """
import pytest
from pathlib import Path
from attention_framework import InstallStep, OwnedFiles
from attention_framework.testing import InstallerContract

HOOK = Path("/program/hook")

class Installer:
    name = "mine"

    def __init__(self, context):
        self.disk = context.effects.files
        self.files = OwnedFiles(context.state, self.disk)

    def found(self):
        return "Program 1.0"

    def plan(self, remove):
        {body}
        return self.files.plan_remove(HOOK) if remove else self.files.plan_write(HOOK, b"run")

class TestInstaller(InstallerContract):
    @pytest.fixture
    def installer(self, context):
        return Installer(context)

    @pytest.fixture
    def picture(self, memory):
        return lambda: {{path: text for path, text in memory.disk.content.items() if path.parent.name != "state"}}
"""

CHECK = """
import pytest
from attention_framework import CheckLevel, CheckResult
from attention_framework.testing import CheckContract

class Check:
    name = "mine"
    runs = 0

    def __init__(self, well):
        self.well = well

    def run(self):
        {body}
        level = CheckLevel.OK if self.well else CheckLevel.FAILED
        return [CheckResult("hook", level, "as it is", "attention setup")]

class TestCheck(CheckContract):
    check = pytest.fixture(lambda self: Check(True))
    failing_check = pytest.fixture(lambda self: Check(False))
"""

KEPT = {
    "installer": INSTALLER,
    "check": CHECK,
    "policy": POLICY,
    "observer": OBSERVER,
    "detector": DETECTOR,
    "transport": TRANSPORT,
    "host": HOST,
    "breaks": BREAKS,
}
BODY = {"policy": "return None"}
BROKEN = [
    (OBSERVER, "raise KeyError(decision.label)", "decisions_of_every_outcome"),
    (POLICY, "return view.snapshot.panes[0] and None", "answers_in_every_situation"),
    (POLICY, "self.asked += 1; return Verdict.run(str(self.asked))", "alike_when_asked_again"),
    (POLICY, "return Verdict.run('')", "says_why"),
    (POLICY, "return Verdict.pause('why')", "for_which_runs"),
    (POLICY, "return Verdict.pause('why', Run('mine', 'mine'))", "holds_in_force"),
    (POLICY, "return Verdict.pause('why', Run('focus', 'lost'))", "focus_is_unknown"),
    (DETECTOR, "if pane.id == 'w9:p9': raise KeyError(pane.id)", "gone_is_unknown"),
    (DETECTOR, "if pane.id == 'w9:p9': return Observation(AgentState.PAUSED, 'x')", "gone_is_unknown"),
    (DETECTOR, "return Observation(AgentState.RUNNING, 'x')", "paused_agent_is_held"),
    (DETECTOR, "return Observation(AgentState.PAUSED, 'x')", "running_agent_is_not_held"),
    (DETECTOR, "return Observation(AgentState.UNKNOWN)", "has_its_evidence"),
    (TRANSPORT, "return Delivery.sent('it is paused')", "never_called_paused"),
    (MAILBOX, "pass", "nobody_has_said_hello"),
    (TRANSPORT, "return Delivery.refused('')", "live_agent_is_reached"),
    (TRANSPORT, "if not request.runs: return Delivery.refused('')", "withdrawal_of_nothing"),
    (TRANSPORT, "if pane.session.host != 'fake': raise KeyError()", "unreachable_host"),
    (HOST, "raise KeyError('x')", "dead_session_is_unavailable"),
    (HOST, "return replace(super().snapshot(session), focused=frozenset({'w1:p2'}))", "contradicts_itself"),
    (
        HOST,
        "found = super().snapshot(session); return replace(found, panes=found.panes * 2)",
        "tells_the_panes_apart",
    ),
    (
        HOST,
        "return FakeHost(pane('x', hello=hello()), session=session).snapshot(session)",
        "leaves_the_hello",
    ),
    (BREAKS, "return []", "going_on_is_told"),
    (BREAKS, "return [Break(str(made.index(self)), 'long', 1, 2)]", "restart_computes"),
    (BREAKS, "return [Break('focus', 'long', 1, 2)]", "id_of_its_own"),
    (BREAKS, "return [Break('b-1', 'long', 2, 1)]", "deadline_comes_after"),
    (INSTALLER, "self.disk.write(HOOK, b'run')", "planning_changes_nothing"),
    (INSTALLER, "return []", "every_step_says"),
    (INSTALLER, "return [InstallStep('', lambda: None)]", "every_step_says"),
    (INSTALLER, "return [InstallStep('x', lambda: None)]", "setting_up_does_something"),
    (INSTALLER, "return [InstallStep('x', lambda: self.disk.write(HOOK, b'x'))]", "again_has_nothing_to_do"),
    (INSTALLER, "return [InstallStep('x', int)] if remove else []", "nothing_to_take_back"),
    (INSTALLER, "if remove: return []", "takes_back_all"),
    (CHECK, "return []", "what_is_wrong_is_told"),
    (CHECK, "return [CheckResult('', CheckLevel.OK, 'x')]", "says_what_was_looked_at"),
    (CHECK, "return [CheckResult('x', CheckLevel.OK, '')]", "says_what_was_looked_at"),
    (CHECK, "return [CheckResult('x', CheckLevel.FAILED, 'x')]", "comes_with_what_mends_it"),
    (CHECK, "return [CheckResult('x', CheckLevel.OK, 'x')] * 2", "one_name"),
    (CHECK, "self.runs += 1; return [CheckResult(str(self.runs), CheckLevel.OK, 'x')]", "changes_nothing"),
]


def failed(pytester: pytest.Pytester, modules: dict[str, str]) -> set[str]:
    """Node ids of the tests that fail in these modules, all run at once."""
    pytester.makepyfile(**modules)
    reports = pytester.inline_run("-q", "-p", "no:cacheprovider").getreports("pytest_runtest_logreport")
    assert len(reports) > len(modules)
    return {report.nodeid for report in reports if report.failed}


def test_a_strategy_that_keeps_its_promises_passes(pytester: pytest.Pytester) -> None:
    modules = {f"test_{kind}": text.format(body=BODY.get(kind, "pass")) for kind, text in KEPT.items()}
    assert failed(pytester, modules) == set()


def test_every_broken_promise_is_found(pytester: pytest.Pytester) -> None:
    modules = {f"test_{number}": text.format(body=body) for number, (text, body, _) in enumerate(BROKEN)}
    found = failed(pytester, modules)
    missed = [
        (body, promise)
        for number, (_, body, promise) in enumerate(BROKEN)
        if not any(node.startswith(f"test_{number}.py") and promise in node for node in found)
    ]
    assert missed == []
