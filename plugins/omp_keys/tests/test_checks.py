from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attention_omp_keys.checks import OmpCheck
from attention_omp_keys.installer import OmpInstaller

from attention_framework import CheckLevel, CheckResult, Completed
from attention_framework.testing import SESSION, FakeAgent, FakeContext, Memory

AGENT = Path("/home/me/.omp/agent")
TARGET = AGENT / "extensions" / "attention-framework"


def set_up(installer: OmpInstaller) -> None:
    for step in installer.plan(remove=False):
        step.carry_out()


def results(installer: OmpInstaller, context: FakeContext) -> list[CheckResult]:
    """By a new installer, as each start of `doctor` has."""
    return list(OmpCheck(OmpInstaller(context, installer.source)).run())


def bad(installer: OmpInstaller, context: FakeContext) -> list[CheckResult]:
    return [result for result in results(installer, context) if result.level is not CheckLevel.OK]


@pytest.fixture
def agent(omp: Memory, context: FakeContext) -> FakeAgent:
    agent = FakeAgent(omp.process(), context.state, SESSION)
    agent.reflex["reports"] = True
    return agent.start(omp.processes)


def test_all_is_well_after_setup(installer: OmpInstaller, context: FakeContext, agent: FakeAgent) -> None:
    set_up(installer)
    assert [result.level for result in results(installer, context)] == [CheckLevel.OK] * 3


def test_a_missing_extension_is_mended_by_setup(installer: OmpInstaller, context: FakeContext) -> None:
    [result] = bad(installer, context)
    assert (result.level, result.mend) == (CheckLevel.FAILED, "attention setup omp")
    assert "not installed" in result.message
    set_up(installer)
    assert bad(installer, context) == []


def test_a_profile_that_setup_has_not_seen_is_found(
    installer: OmpInstaller, context: FakeContext, omp: Memory
) -> None:
    set_up(installer)
    omp.files.make_folder(Path("/home/me/.omp/profiles/new/agent"))
    [result] = bad(installer, context)
    assert "profiles" in result.name


def test_an_extension_of_another_version_is_named_by_its_files(
    installer: OmpInstaller, context: FakeContext
) -> None:
    set_up(installer)
    (installer.source / "wake.ts").write_text("// newer\n", "utf-8")
    [result] = bad(installer, context)
    assert "wake.ts" in result.message
    assert result.mend == "attention setup omp"


def test_a_lost_file_is_named(installer: OmpInstaller, context: FakeContext, omp: Memory) -> None:
    set_up(installer)
    omp.files.remove(TARGET / "wake.ts")
    [result] = bad(installer, context)
    assert "lacks wake.ts" in result.message


def test_an_extension_that_works_with_another_state_folder_is_told_apart(
    installer: OmpInstaller, context: FakeContext
) -> None:
    set_up(installer)
    context.state = Path("/other/state")
    [result] = bad(installer, context)
    assert str(Path("/state")) in result.message
    assert str(Path("/other/state")) in result.message


def test_a_broken_config_is_no_crash(installer: OmpInstaller, context: FakeContext, omp: Memory) -> None:
    set_up(installer)
    omp.files.write(TARGET / "config.json", b"{")
    [result] = bad(installer, context)
    assert "cannot be read" in result.message


def test_an_extension_that_omps_settings_disable_is_found(
    installer: OmpInstaller, context: FakeContext, omp: Memory
) -> None:
    set_up(installer)
    omp.files.write(AGENT / "config.yml", b"disabledExtensions:\n  - extension-module:attention-framework\n")
    [result] = bad(installer, context)
    assert "disable" in result.message


@pytest.mark.parametrize(
    ("output", "level"),
    [("omp/17.3.5", CheckLevel.FAILED), ("no version", CheckLevel.WARNING), (None, CheckLevel.WARNING)],
)
def test_the_version_is_checked(
    installer: OmpInstaller, context: FakeContext, omp: Memory, output: str | None, level: CheckLevel
) -> None:
    set_up(installer)
    if output is None:
        del omp.processes.programs["omp"]
    else:
        omp.processes.programs["omp"] = lambda command: Completed(0, output, "")
    result = results(installer, context)[0]
    assert (result.name, result.level) == ("OMP", level)
    assert result.mend


@pytest.mark.parametrize(
    ("changes", "level", "words"),
    [
        (
            {"state": "unsupported", "problem": {"code": "not-live", "text": "OMP 17.3.5"}},
            CheckLevel.FAILED,
            "17.3.5",
        ),
        ({"problem": {"code": "not-painted", "text": "vim is open"}}, CheckLevel.WARNING, "vim is open"),
        ({"extension": "0.0.9"}, CheckLevel.WARNING, "0.0.9"),
        ({"problem": {"code": "not-live", "text": "two copies"}}, CheckLevel.FAILED, "two copies"),
    ],
    ids=["unsupported", "problem", "old extension", "gate not live"],
)
def test_what_a_running_agent_says_is_passed_on(
    installer: OmpInstaller,
    context: FakeContext,
    agent: FakeAgent,
    changes: dict[str, Any],
    level: CheckLevel,
    words: str,
) -> None:
    set_up(installer)
    for name, value in changes.items():
        setattr(agent, name, value)
    agent.attend()
    [result] = bad(installer, context)
    assert result.level is level
    assert words in result.message
    assert "w1:p1" in result.name
    assert result.mend


def test_agents_that_have_ended_are_no_matter(
    installer: OmpInstaller, context: FakeContext, omp: Memory, agent: FakeAgent
) -> None:
    set_up(installer)
    agent.state = "unsupported"
    agent.attend()
    omp.processes.end(agent.pid)
    assert bad(installer, context) == []


def test_other_agents_are_no_matter_of_omp(
    installer: OmpInstaller, context: FakeContext, omp: Memory, agent: FakeAgent
) -> None:
    set_up(installer)
    agent.agent = "claude"
    agent.attend()
    assert not any("pane" in result.name for result in results(installer, context))


def change_status(agent: FakeAgent, omp: Memory, **changes: Any) -> None:
    agent.attend()
    [path] = [path for path in omp.disk.content if path.parent.name == "agents"]
    omp.files.write(path, json.dumps({**json.loads(omp.files.read(path)), **changes}).encode())


@pytest.mark.parametrize("versions", [{"extension": "0.1.0", "protocol": 2}, {"extension": "0.1.0"}])
def test_an_extension_of_another_protocol_fails(
    installer: OmpInstaller, context: FakeContext, omp: Memory, agent: FakeAgent, versions: dict[str, Any]
) -> None:
    set_up(installer)
    change_status(agent, omp, versions=versions)
    [result] = bad(installer, context)
    assert (result.level, "protocol" in result.message) == (CheckLevel.FAILED, True)
    assert result.mend.startswith("attention setup omp, then: omp")


@pytest.mark.parametrize(
    ("reflex", "is_told"),
    [
        ({"mode": "brake", "reports": False}, True),
        ({"mode": "strict", "reports": False}, True),
        ({"mode": "brake", "reports": True}, False),
        ({"mode": "off", "reports": False}, False),
    ],
    ids=str,
)
def test_an_agent_that_brakes_by_reports_that_do_not_come_is_told_of(
    installer: OmpInstaller, context: FakeContext, omp: Memory, agent: FakeAgent, reflex: Any, is_told: bool
) -> None:
    set_up(installer)
    change_status(agent, omp, reflex=reflex)
    found = bad(installer, context)
    assert ["no focus report" in result.message for result in found] == [True] * is_told


def test_without_any_omp_no_extension_is_missed(
    installer: OmpInstaller, context: FakeContext, omp: Memory
) -> None:
    del omp.processes.programs["omp"]
    omp.files.remove_tree(Path("/home/me/.omp"))
    [result] = results(installer, context)
    assert (result.name, result.level) == ("OMP", CheckLevel.WARNING)
