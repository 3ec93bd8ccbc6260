"""A trial on a real tmux: a server of its own, moved about by keys, and nothing is left of it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import psutil
import pytest
from attention_tmux.focus import TmuxFocus, TmuxSettings

from attention_framework import HostUnavailable, OffersTrials
from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from attention_framework.testing import FakeContext

ECHO = 'echo "$MARK in $PWD"; exec cat'


def test_two_panes_are_moved_between_by_keys(focus: TmuxFocus, folder: Path) -> None:
    assert isinstance(focus, OffersTrials)
    trial = focus.trial()
    try:
        first = trial.open(ECHO, folder, {"MARK": "one"})
        second = trial.open(ECHO, folder, {"MARK": "two"})
        control = focus.control(trial.session)
        panes = {pane.id: pane for pane in focus.snapshot(trial.session).panes}
        assert set(panes) == {first, second}
        until(lambda: f"one in {folder}" in control.read_screen(panes[first]), what="it runs in its folder")
        assert focus.snapshot(trial.session).focused == {second}
        trial.focus(first)
        until(lambda: focus.snapshot(trial.session).focused == {first}, what="the key has moved the focus")
        trial.type(first, "typed\r")
        until(lambda: "typed" in control.read_screen(panes[first]), what="it was typed there")
        assert "typed" not in control.read_screen(panes[second])
        assert [session.address for session in focus.sessions()] == [trial.session.address], "others find it"
    finally:
        trial.close()
    trial.close()
    assert list((folder / f"tmux-{os.getuid()}").iterdir()) == []
    server = int(trial.session.address.rpartition(",")[2])
    until(lambda: has_ended(server), what="the server has ended")


def test_a_trial_of_somebody_inside_tmux_is_no_part_of_that(context: FakeContext, folder: Path) -> None:
    inside = {
        **context.effects.environment,
        "TMUX": "/elsewhere,1,0",
        "TMUX_PANE": "%9",
        "HERDR_PANE_ID": "w1:p1",
    }
    trial = TmuxFocus(None, replace(context, effects=replace(context.effects, environment=inside))).trial()
    try:
        pane = trial.open("env | grep -c -e HERDR_ -e elsewhere; exec cat", folder, {})
        focus = TmuxFocus(None, context)
        control = focus.control(trial.session)
        [found] = focus.snapshot(trial.session).panes
        assert found.id == pane
        until(lambda: control.read_screen(found).strip() == "0", what="nothing of it has come in")
    finally:
        trial.close()


KILLED = """
import os, sys
from pathlib import Path
from attention_framework.testing import FakeContext
from attention_framework import real_effects
from attention_tmux.focus import TmuxFocus
trial = TmuxFocus(None, FakeContext(real_effects())).trial()
trial.open("exec cat", Path("/"), {})
print(trial.session.address, flush=True)
sys.stdin.read()
"""


def test_a_trial_whose_owner_is_killed_ends_by_itself(environment: Mapping[str, str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED], env=dict(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as owner:
        assert owner.stdout is not None
        address = owner.stdout.readline().decode().strip()
        owner.kill()
    server = int(address.rpartition(",")[2])
    until(lambda: has_ended(server), 15, what="the server has ended")


def has_ended(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_without_tmux_there_is_no_trial(context: FakeContext) -> None:
    with pytest.raises(HostUnavailable, match="no program"):
        TmuxFocus(TmuxSettings(program="no-such-tmux"), context).trial()


def test_a_trial_that_was_never_opened_is_closed_without_a_word(focus: TmuxFocus) -> None:
    focus.trial().close()
