"""The whole command, with real programs for the schedulers' commands."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from attention_stretchly import plugin
from attention_stretchly.installer import StretchlyInstaller
from attention_stretchly.source import StretchlySettings

from attention_framework import InstallRefused, WrongUsage, real_effects
from attention_framework.testing import FakeContext, FakeSchedulers

if TYPE_CHECKING:
    from pathlib import Path

SYSTEMD, LAUNCHD, TASKS = "systemd", "launchd", "task-scheduler"


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSchedulers:
    if sys.platform == "win32":
        pytest.skip("a text file is no program on Windows")
    fakes = FakeSchedulers(tmp_path / "fakes")
    monkeypatch.setenv("PATH", f"{fakes.programs}:/usr/bin:/bin")
    return fakes


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeContext:
    """A person with a Stretchly, and an empty state folder."""
    for name in ("XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    log = tmp_path / "home/.config/Stretchly/logs/main.log"
    log.parent.mkdir(parents=True)
    log.touch()
    return FakeContext(real_effects(), tmp_path / "state", config=tmp_path / "attention.toml")


def carry_out(setting: FakeContext, *, remove: bool = False, **chosen: Any) -> list[str]:
    options = {f"--{name.replace('_', '-')}": value for name, value in chosen.items()}
    installer = StretchlyInstaller(setting)
    steps = (installer.with_options(options) if options else installer).plan(remove)
    for step in steps:
        step.carry_out()
    return [step.describe for step in steps]


def ours(setting: FakeContext) -> list[str]:
    """Names of the files that are left of ours, beside the record of them."""
    base = setting.state.parent
    return sorted(
        path.name
        for folder in (base / "home", setting.state)
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("installed.json", "main.log")
    )


def test_the_plugin_announces_it(setting: FakeContext) -> None:
    assert [installer.name for installer in plugin.attention_installers(setting)] == ["stretchly"]


def test_it_finds_stretchly_by_its_log(setting: FakeContext, tmp_path: Path, monkeypatch: Any) -> None:
    assert "main.log" in (StretchlyInstaller(setting).found() or "")
    monkeypatch.setenv("HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("PATH", "")
    assert StretchlyInstaller(setting).found() is None


def test_without_a_scheduler_nothing_is_done_and_both_ways_are_told(setting: FakeContext) -> None:
    assert carry_out(setting) == []
    source, scheduler = StretchlyInstaller(setting).advice(remove=False)
    assert 'sources = ["stretchly"]' in source
    assert str(setting.config) in source
    assert "attention setup stretchly --scheduler" in scheduler
    assert not setting.state.exists()


@pytest.mark.parametrize("scheduler", [SYSTEMD, LAUNCHD, TASKS])
class TestEachScheduler:
    def test_both_breaks_come_into_place_and_the_second_time_nothing_is_left_to_do(
        self, setting: FakeContext, fakes: FakeSchedulers, scheduler: str
    ) -> None:
        done = "\n".join(carry_out(setting, scheduler=scheduler))
        assert "at :00 :10 :20 :30 :40 of every hour" in done
        assert "at :50 of every hour" in done
        assert "-m attention_framework break-run mini" in done
        assert carry_out(setting, scheduler=scheduler) == []
        assert carry_out(setting) == []

    def test_other_times_replace_and_the_rest_stays_as_it_was(
        self, setting: FakeContext, fakes: FakeSchedulers, scheduler: str
    ) -> None:
        carry_out(setting, scheduler=scheduler, long_at=20)
        done = "\n".join(carry_out(setting, mini_every=15))
        assert "at :00 :15 :30 :45 of every hour" in done
        assert "break-run long" not in done
        assert carry_out(setting, mini_every=15) == []

    def test_uninstall_removes_exactly_that(
        self, setting: FakeContext, fakes: FakeSchedulers, scheduler: str
    ) -> None:
        fakes.change(tasks={"theirs": "<Task/>"}, agents={"theirs": "/x"}, enabled=["theirs.timer"])
        carry_out(setting, scheduler=scheduler)
        assert ours(setting)
        carry_out(setting, remove=True)
        known = fakes.known
        assert (known["tasks"], known["agents"]) == ({"theirs": "<Task/>"}, {"theirs": "/x"})
        assert (known["enabled"], known["active"]) == (["theirs.timer"], {})
        assert ours(setting) == []
        assert carry_out(setting, remove=True) == []

    def test_none_takes_the_scheduler_back(
        self, setting: FakeContext, fakes: FakeSchedulers, scheduler: str
    ) -> None:
        carry_out(setting, scheduler=scheduler)
        carry_out(setting, scheduler="none")
        assert ours(setting) == []

    def test_what_was_interrupted_is_made_right_by_the_next_setup(
        self, setting: FakeContext, fakes: FakeSchedulers, scheduler: str
    ) -> None:
        for verb in ("restart", "/Create"):
            fakes.fail(verb, "not today", times=1)
        fakes.fail("bootstrap", "not today", times=5)
        with pytest.raises(InstallRefused):
            carry_out(setting, scheduler=scheduler)
        assert "break-run long" in "\n".join(carry_out(setting))
        assert carry_out(setting) == []


def test_another_scheduler_takes_over(setting: FakeContext, fakes: FakeSchedulers) -> None:
    carry_out(setting, scheduler=SYSTEMD)
    carry_out(setting, scheduler=LAUNCHD)
    known = fakes.known
    assert (known["active"], len(known["agents"])) == ({}, 2)


def test_the_settings_say_how_long_the_long_break_is(setting: FakeContext, fakes: FakeSchedulers) -> None:
    setting.strategies["stretchly"] = StretchlySettings.model_validate({"long": {"at_most_s": 1205}})
    assert "at :10 :20 :30 :40 of every hour" in "\n".join(carry_out(setting, scheduler=SYSTEMD))


def test_times_that_leave_no_mini_break_are_wrong_usage(setting: FakeContext) -> None:
    with pytest.raises(WrongUsage, match="no mini break is left"):
        StretchlyInstaller(setting).with_options({"--scheduler": SYSTEMD, "--mini-every": 60, "--long-at": 0})


class TestLauncher:
    def test_it_is_written_where_it_was_asked_for_and_told_how_to_use_it(
        self, setting: FakeContext, tmp_path: Path
    ) -> None:
        path = tmp_path / "tasks" / "break.ps1"
        carry_out(setting, launcher=str(path))
        assert path.read_bytes().startswith(b"\xef\xbb\xbfparam(")
        assert carry_out(setting) == []
        assert f'-File "{path}" mini' in StretchlyInstaller(setting).advice(remove=False)[-1]

    def test_elsewhere_means_no_longer_here(self, setting: FakeContext, tmp_path: Path) -> None:
        first, second = tmp_path / "a.ps1", tmp_path / "b.ps1"
        carry_out(setting, launcher=str(first))
        carry_out(setting, launcher=str(second))
        assert (first.exists(), second.exists()) == (False, True)

    def test_a_foreign_file_is_not_replaced(self, setting: FakeContext, tmp_path: Path) -> None:
        path = tmp_path / "theirs.ps1"
        path.write_text("theirs", encoding="utf-8")
        with pytest.raises(InstallRefused, match="Move it away"):
            carry_out(setting, launcher=str(path))

    def test_uninstall_removes_it_unless_it_was_edited(self, setting: FakeContext, tmp_path: Path) -> None:
        path = tmp_path / "a.ps1"
        carry_out(setting, launcher=str(path))
        path.write_text("edited", encoding="utf-8")
        assert carry_out(setting, remove=True)[-1].startswith("leave what was edited")
        assert path.exists()
        with pytest.raises(InstallRefused, match="edited"):
            carry_out(setting, remove=True)


def test_a_record_that_was_edited_does_not_keep_the_jobs(setting: FakeContext, fakes: FakeSchedulers) -> None:
    carry_out(setting, scheduler=SYSTEMD)
    (setting.state / "stretchly-schedule.json").write_text("{", encoding="utf-8")
    with pytest.raises(InstallRefused, match="no longer tells what was set up"):
        carry_out(setting)
    carry_out(setting, remove=True)
    assert (fakes.known["active"], ours(setting)) == ({}, ["stretchly-schedule.json"])
