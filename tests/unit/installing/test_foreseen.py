"""What steps say will be left of setup's files is what is left once they are done."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from attention_framework import InstallStep, OwnedFiles, ThinClient, purge
from attention_framework.installing import left_after
from attention_framework.testing import FakeContext, Memory

STATE = Path("/state")
HERDR, TMUX, OTHER = Path("/herdr/plugin.toml"), Path("/tmux/hooks"), Path("/omp/index.js")


@pytest.fixture
def client(memory: Memory) -> ThinClient:
    return ThinClient(FakeContext(memory.effects, STATE))


@pytest.fixture
def owned(memory: Memory, client: ThinClient) -> OwnedFiles:
    """Two hosts whose files run the client, and a file that does not."""
    owned = OwnedFiles(STATE, memory.files)
    steps = [
        *client.plan_write(),
        *owned.plan_write(HERDR, b"run thin_client.py"),
        *owned.plan_write(TMUX, b"run thin_client.py too"),
        *owned.plan_write(OTHER, b"nothing of the kind"),
    ]
    for step in steps:
        step.carry_out()
    return owned


@pytest.mark.parametrize(
    ("removed", "client_stays"),
    [((HERDR, TMUX), False), ((TMUX, HERDR), False), ((HERDR,), True), ((), True)],
)
def test_the_client_goes_with_the_last_file_that_runs_it(
    owned: OwnedFiles, client: ThinClient, removed: tuple[Path, ...], client_stays: bool
) -> None:
    steps = [step for user in removed for step in (*owned.plan_remove(user), *client.plan_remove(user))]
    foreseen = left_after(steps, owned.left())
    assert (client.path in foreseen) is client_stays
    for step in steps:
        step.carry_out()
    assert owned.left() == foreseen


def test_several_steps_in_one_take_what_they_take_alone(owned: OwnedFiles) -> None:
    steps = [*owned.plan_remove(HERDR), *owned.plan_remove(OTHER)]
    joined = InstallStep.together("both", steps)
    foreseen = left_after([joined], owned.left())
    joined.carry_out()
    assert owned.left() == foreseen
    assert not {HERDR, OTHER} & foreseen


def test_a_step_that_does_not_tell_takes_nothing(owned: OwnedFiles) -> None:
    assert left_after([InstallStep("do something", lambda: None)], owned.left()) == owned.left()


@pytest.mark.skipif(sys.platform == "win32", reason="not everybody may make links there")
def test_a_folder_with_a_link_to_another_one_does_not_go_with_its_files(tmp_path: Path) -> None:
    ours = tmp_path / "plugin" / "ours"
    ours.parent.mkdir()
    ours.touch()
    assert purge._goes(ours.parent, frozenset({ours}))
    (ours.parent / "link").symlink_to(tmp_path)
    assert not purge._goes(ours.parent, frozenset({ours}))
