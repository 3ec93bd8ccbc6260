"""Jobs come into place, change, and go, with real programs for the schedulers' commands."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import AtLogon, EachHour, InstallRefused, Job, schedulers
from attention_framework.scheduling.task_xml import task_xml
from attention_framework.testing import FakeContext

if TYPE_CHECKING:
    from pathlib import Path

    from attention_framework import Scheduler
    from attention_framework.testing import FakeSchedulers

NAMES = ["systemd", "launchd", "task-scheduler"]


@pytest.fixture(params=NAMES)
def scheduler(request: pytest.FixtureRequest, fakes: FakeSchedulers, real: FakeContext) -> Scheduler:
    return schedulers(real)[request.param]


def carry_out(steps: Any) -> None:
    for step in steps:
        step.carry_out()


def registered(fakes: FakeSchedulers) -> list[str]:
    known = fakes.known
    return [*known["active"], *known["agents"], *known["tasks"]]


def files(real: FakeContext) -> list[str]:
    """What is left of ours beside the record of it."""
    base = real.state.parent
    return [
        path.name
        for folder in (base / "home", real.state)
        for path in folder.rglob("*")
        if path.is_file() and path.name != "installed.json"
    ]


def test_a_job_comes_into_place_and_the_second_time_nothing_is_left_to_do(
    scheduler: Scheduler, fakes: FakeSchedulers, mini: Job
) -> None:
    steps = scheduler.plan([mini])
    assert any(
        ":00 :10 :20 :30 :40" in step.describe and "/venv/bin/python -I" in step.describe for step in steps
    )
    assert registered(fakes) == []
    carry_out(steps)
    assert len(registered(fakes)) == 1
    assert scheduler.plan([mini]) == []


def test_another_time_replaces_it(
    scheduler: Scheduler, fakes: FakeSchedulers, mini: Job, real: FakeContext
) -> None:
    carry_out(scheduler.plan([mini]))
    before, kept = registered(fakes), files(real)
    changed = replace(mini, at=EachHour((7,)))
    carry_out(scheduler.plan([changed]))
    assert (registered(fakes), files(real)) == (before, kept)
    assert scheduler.plan([changed]) == []
    known = fakes.known
    assert "*:07" in known["active"].get("attention-my-mini.timer", "*:07")
    assert "T00:07:00" in known["tasks"].get("\\attention-framework\\my-mini", "T00:07:00")


def test_it_is_removed_and_nothing_is_left(
    scheduler: Scheduler, fakes: FakeSchedulers, real: FakeContext, mini: Job
) -> None:
    carry_out(scheduler.plan([mini]))
    carry_out(scheduler.plan_remove([mini.name, "never-there"]))
    assert (registered(fakes), fakes.known["enabled"], files(real)) == ([], [], [])
    assert scheduler.plan_remove([mini.name]) == []


def test_what_was_never_set_up_costs_no_question(scheduler: Scheduler, mini: Job, monkeypatch: Any) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("HOME")
    assert scheduler.plan_remove([mini.name]) == []


def test_a_service_comes_into_place_too(scheduler: Scheduler, fakes: FakeSchedulers) -> None:
    job = Job("serve", "x", ("/x", "serve"), AtLogon())
    carry_out(scheduler.plan([job]))
    assert len(registered(fakes)) == 1
    assert scheduler.plan([job]) == []
    carry_out(scheduler.plan_remove(["serve"]))
    assert registered(fakes) == []


def test_what_was_stopped_by_hand_is_started_again(
    scheduler: Scheduler, fakes: FakeSchedulers, mini: Job
) -> None:
    carry_out(scheduler.plan([mini]))
    fakes.change(active={}, agents={}, tasks={}, enabled=[])
    carry_out(scheduler.plan([mini]))
    assert len(registered(fakes)) == 1


def test_a_failure_is_told_in_the_words_of_the_program(
    scheduler: Scheduler, fakes: FakeSchedulers, mini: Job
) -> None:
    for verb in ("restart", "bootstrap", "/Create"):
        fakes.fail(verb, "not today")
    with pytest.raises(InstallRefused, match="` failed: not today"):
        carry_out(scheduler.plan([mini]))


def test_after_a_failure_the_next_time_makes_it_right(
    scheduler: Scheduler, fakes: FakeSchedulers, mini: Job
) -> None:
    for verb in ("daemon-reload", "/Create"):
        fakes.fail(verb, "not today", times=1)
    fakes.fail("bootstrap", "not today", times=5)
    with pytest.raises(InstallRefused):
        carry_out(scheduler.plan([mini]))
    carry_out(scheduler.plan([mini]))
    assert len(registered(fakes)) == 1


def test_a_scheduler_that_is_not_there_is_refused(scheduler: Scheduler, mini: Job, monkeypatch: Any) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(InstallRefused, match="there is no program"):
        scheduler.plan([mini])


def test_a_file_that_was_edited_is_left_alone(
    fakes: FakeSchedulers, real: FakeContext, mini: Job, tmp_path: Path
) -> None:
    scheduler = schedulers(real)["systemd"]
    carry_out(scheduler.plan([mini]))
    unit = tmp_path / "home/.config/systemd/user/attention-my-mini.timer"
    unit.write_text("# mine", encoding="utf-8")
    with pytest.raises(InstallRefused, match="edited"):
        scheduler.plan_remove([mini.name])
    with pytest.raises(InstallRefused, match="not as `attention setup` left it"):
        scheduler.plan([replace(mini, at=EachHour((7,)))])


def test_a_foreign_unit_of_the_same_name_is_neither_replaced_nor_removed(
    fakes: FakeSchedulers, real: FakeContext, mini: Job, tmp_path: Path
) -> None:
    scheduler = schedulers(real)["systemd"]
    unit = tmp_path / "home/.config/systemd/user/attention-my-mini.timer"
    unit.parent.mkdir(parents=True)
    unit.write_text("# theirs", encoding="utf-8")
    with pytest.raises(InstallRefused):
        scheduler.plan([mini])
    assert scheduler.plan_remove([mini.name]) == []
    assert fakes.calls == []


def test_a_foreign_agent_of_the_same_label_is_not_touched(
    fakes: FakeSchedulers, real: FakeContext, mini: Job
) -> None:
    fakes.change(agents={"org.attention-framework.my-mini": "/Library/theirs.plist"})
    scheduler = schedulers(real)["launchd"]
    with pytest.raises(InstallRefused, match=r"from /Library/theirs\.plist, which is not ours"):
        scheduler.plan([mini])
    assert scheduler.plan_remove([mini.name]) == []


def test_an_agent_that_is_not_quite_gone_is_waited_for(
    fakes: FakeSchedulers, real: FakeContext, mini: Job, monkeypatch: Any
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(type(real.effects.clock), "sleep_ms", lambda self, ms: slept.append(ms))
    fakes.fail("bootstrap", "Bootstrap failed: 5: Input/output error", times=2)
    carry_out(schedulers(real)["launchd"].plan([mini]))
    assert (registered(fakes), slept) == (["org.attention-framework.my-mini"], [500, 500])


@pytest.mark.parametrize("text", ["<Task><Description>mine</Description></Task>", "other state folder"])
def test_a_foreign_task_of_the_same_name_is_neither_replaced_nor_removed(
    fakes: FakeSchedulers, real: FakeContext, mini: Job, tmp_path: Path, text: str
) -> None:
    if text == "other state folder":
        other = FakeContext(real.effects, tmp_path / "other")
        carry_out(schedulers(other)["task-scheduler"].plan([mini]))
        text = fakes.known["tasks"]["\\attention-framework\\my-mini"]
    scheduler = schedulers(real)["task-scheduler"]
    fakes.change(tasks={})
    carry_out(scheduler.plan([mini]))
    fakes.change(tasks={"\\attention-framework\\my-mini": text})
    with pytest.raises(InstallRefused, match=r"not ours|another state folder"):
        scheduler.plan([mini])
    carry_out(scheduler.plan_remove([mini.name]))
    assert fakes.known["tasks"] == {"\\attention-framework\\my-mini": text}


def test_an_answer_without_a_task_in_it_is_no_answer(context: FakeContext, memory: Any, mini: Job) -> None:
    from attention_framework import Completed

    memory.processes.programs["schtasks"] = lambda command: Completed(0, "", "Unsupported command /query")
    with pytest.raises(InstallRefused, match="does not tell what the task"):
        schedulers(context)["task-scheduler"].plan([mini])


@pytest.mark.skipif(sys.platform != "win32", reason="schtasks is a program of Windows")
def test_windows_takes_the_task_and_removes_it(odd: Job, tmp_path: Path) -> None:
    """Wine's schtasks keeps no triggers and answers no query, so there this says only that the file is XML."""
    file, name = tmp_path / "task with blank.xml", "\\attention-framework-test\\odd"
    file.write_bytes(
        task_xml(replace(odd, command=("C:\\x y\\pythonw.exe", *odd.command[1:])), "s", "PC\\me")
    )
    create, delete = ("/Create", "/TN", name, "/XML", str(file)), ("/Delete", "/TN", name, "/F")
    schtasks(tmp_path, *delete)
    try:
        codes = [schtasks(tmp_path, *words) for words in (create, create, (*create, "/F"))]
    finally:
        codes += [schtasks(tmp_path, *delete), schtasks(tmp_path, *delete)]
    assert codes == [0, 1, 0, 0, 1]


def schtasks(folder: Path, *words: str) -> int:
    """Into a file: the first call under Wine starts a service, which would keep a pipe open."""
    with (folder / "said").open("wb") as said:
        return subprocess.run(
            ["schtasks", *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said, timeout=60
        ).returncode
