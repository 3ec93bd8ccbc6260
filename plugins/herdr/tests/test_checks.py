from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from attention_herdr.checks import INTEGRATION, HerdrCheck
from attention_herdr.installer import HerdrInstaller
from attention_herdr.simulator.faults import ALWAYS

from attention_framework import CheckLevel, CheckResult
from attention_framework.testing import until

if TYPE_CHECKING:
    from pathlib import Path

    from attention_herdr.testing import World

OK, WARNING, FAILED = CheckLevel.OK, CheckLevel.WARNING, CheckLevel.FAILED


def results(world: World) -> dict[str, CheckResult]:
    check = HerdrCheck(world.context, HerdrInstaller(world.context, world.focus))
    return {result.name: result for result in check.run()}


def set_up(world: World) -> None:
    for step in HerdrInstaller(world.context, world.focus).plan(remove=False):
        step.carry_out()


def run_hooks(world: World, program: str) -> None:
    """Have one hook run a Python program instead of ours, and wait for its end."""
    world.context.command = (sys.executable, "-c", program)
    set_up(world)
    world.herdr.split("w1:p1", focus=True)
    assert world.herdr.wait_hooks()


def named(found: dict[str, CheckResult], start: str) -> CheckResult:
    return next(result for name, result in found.items() if name.startswith(start))


def test_a_well_set_up_herdr_is_well(world: World) -> None:
    run_hooks(world, "print('pause-sent pane=w1:p1')")
    found = results(world)
    assert found["herdr"].level is OK
    assert found["herdr plugin"].level is OK
    assert named(found, "herdr session").level is OK
    assert named(found, "herdr hooks").message.endswith("ran well")


def test_a_plugin_that_is_not_linked_is_mended_by_setup(world: World) -> None:
    assert (results(world)["herdr plugin"].level, results(world)["herdr plugin"].mend) == (
        FAILED,
        "attention setup herdr",
    )


def test_a_disabled_plugin_is_mended_by_herdr(world: World) -> None:
    set_up(world)
    world.herdr.call("plugin.disable", plugin_id="attention-framework")
    found = results(world)["herdr plugin"]
    assert (found.level, found.mend) == (FAILED, "herdr plugin enable attention-framework")


def test_a_failing_hook_is_told_with_what_it_said(world: World) -> None:
    run_hooks(world, "raise SystemExit('no such state folder')")
    found = named(results(world), "herdr hooks")
    assert found.level is FAILED
    assert "no such state folder" in found.message
    assert found.mend.startswith("herdr plugin log list")


def test_an_action_of_the_persons_that_failed_is_no_failure_of_the_hooks(world: World) -> None:
    world.context.command = (sys.executable, "-c", "raise SystemExit('this pane has no agent')")
    set_up(world)
    world.herdr.call("plugin.action.invoke", action_id="attention-framework.toggle")
    assert world.herdr.wait_hooks()
    found = named(results(world), "herdr hooks")
    assert found.level is OK
    assert found.message.startswith("none has run")


def test_hooks_that_have_not_run_yet_are_no_failure(world: World) -> None:
    set_up(world)
    assert named(results(world), "herdr hooks").level is OK


def test_a_session_that_does_not_answer_is_a_failure(world: World) -> None:
    world.herdr.fault("session.snapshot", "error", times=ALWAYS, code="internal_error")
    found = named(results(world), "herdr session")
    assert found.level is FAILED
    assert "internal_error" in found.message


def test_a_server_that_hangs_is_not_taken_for_an_absent_one(world: World) -> None:
    world.herdr.fault("*", "hang", times=ALWAYS)
    [found] = results(world).values()
    assert found.level is FAILED
    assert "no answer" in found.message
    assert "kill -CONT" in found.mend


def test_the_version_that_tells_of_no_keys_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HerdrInstaller, "version", lambda self: "0.9.0")
    found = results(world)["herdr"]
    assert (found.level, found.mend) == (WARNING, "herdr update")
    assert "by keys" in found.message


def test_no_session_is_a_warning(world: World) -> None:
    world.herdr.stop()
    world.context.effects.environment["HERDR_BIN_PATH"] = "/nowhere/herdr"  # type: ignore[index]
    assert results(world)["herdr session"].level is WARNING
    assert results(world)["herdr"].level is WARNING


def test_no_herdr_at_all_is_one_warning_with_a_way_out(world: World) -> None:
    world.herdr.stop()
    [found] = results(world).values()
    assert found.level is WARNING
    assert "leave herdr out of `plugins`" in found.mend


def test_the_integration_is_missing(world: World) -> None:
    found = results(world)["herdr integration for omp"]
    assert (found.level, found.mend) == (WARNING, "herdr integration install omp")


def test_the_integration_lies_where_omp_has_its_folder(world: World, tmp_path: Path) -> None:
    world.context.effects.environment["PI_CODING_AGENT_DIR"] = str(tmp_path / "omp")  # type: ignore[index]
    (tmp_path / "omp/extensions").mkdir(parents=True)
    (tmp_path / "omp/extensions" / INTEGRATION.rpartition("/")[2]).write_text("")
    assert results(world)["herdr integration for omp"].level is OK


def test_the_integration_is_installed(world: World, tmp_path: Path) -> None:
    (tmp_path / INTEGRATION).parent.mkdir(parents=True)
    (tmp_path / INTEGRATION).write_text("")
    assert results(world)["herdr integration for omp"].level is OK


@pytest.mark.parametrize("reported", [True, False])
def test_an_agent_tells_whether_the_integration_works(world: World, reported: bool) -> None:
    world.start_echo()
    if reported:
        world.herdr.call(
            "pane.report_agent_session",
            pane_id="w1:p1",
            source="herdr:omp",
            agent="omp",
            seq=1,
            agent_session_path="/x.jsonl",
        )
        until(lambda: world.pane("w1:p1").conversation)
    found = results(world)["herdr integration for omp"]
    assert found.level is (OK if reported else WARNING)
    assert reported or "w1:p1" in found.message
