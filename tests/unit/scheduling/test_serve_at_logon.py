"""`attention setup serve --at-logon NAME`: the resident controller as a job of each scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import InstallRefused
from attention_framework.serve.at_logon import ServeInstaller

if TYPE_CHECKING:
    from attention_framework.testing import FakeContext, FakeSchedulers

NAMES = ["systemd", "launchd", "task-scheduler"]


def carry_out(steps: Any) -> None:
    for step in steps:
        step.carry_out()


def registered(fakes: FakeSchedulers) -> list[str]:
    known = fakes.known
    return [*known["active"], *known["agents"], *known["tasks"]]


@pytest.mark.parametrize("name", NAMES)
def test_it_comes_into_place_stays_and_goes(name: str, fakes: FakeSchedulers, real: FakeContext) -> None:
    steps = ServeInstaller(real).with_options({"--at-logon": name}).plan(remove=False)
    assert any("from logon on" in step.describe for step in steps)
    assert registered(fakes) == []
    carry_out(steps)
    assert len(registered(fakes)) == 1
    assert name in ServeInstaller(real).found()
    assert not ServeInstaller(real).plan(remove=False), "an option that is left out stays as it was"
    carry_out(ServeInstaller(real).plan(remove=True))
    assert registered(fakes) == []
    assert not ServeInstaller(real).plan(remove=True)
    assert not ServeInstaller(real).plan(remove=False)


def test_another_scheduler_takes_over(fakes: FakeSchedulers, real: FakeContext) -> None:
    carry_out(ServeInstaller(real).with_options({"--at-logon": "systemd"}).plan(remove=False))
    carry_out(ServeInstaller(real).with_options({"--at-logon": "launchd"}).plan(remove=False))
    assert not fakes.known["active"]
    assert len(fakes.known["agents"]) == 1
    carry_out(ServeInstaller(real).with_options({"--at-logon": "none"}).plan(remove=False))
    assert registered(fakes) == []


def test_nothing_is_done_where_nobody_asked_for_it(fakes: FakeSchedulers, real: FakeContext) -> None:
    installer = ServeInstaller(real)
    assert not installer.plan(remove=False)
    assert not installer.plan(remove=True)
    assert any("--at-logon" in sentence for sentence in installer.advice(remove=False))


def test_a_record_that_names_no_scheduler_is_refused(fakes: FakeSchedulers, real: FakeContext) -> None:
    (real.state / "serve-at-logon").parent.mkdir(parents=True, exist_ok=True)
    (real.state / "serve-at-logon").write_bytes(b"cron\n")
    with pytest.raises(InstallRefused, match="cron"):
        ServeInstaller(real).plan(remove=False)
