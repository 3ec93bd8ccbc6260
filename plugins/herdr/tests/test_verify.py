"""`attention verify --simulated`: the check on the simulator, and what it finds when something is broken on purpose."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from attention_herdr.trial import HerdrTrial

from attention_framework import HostUnavailable
from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attention_herdr.testing import World

pytest.importorskip("attention_omp_keys")
pytest.importorskip("attention_policies")

WITHIN_S = 600.0


@pytest.fixture
def place() -> Iterator[Path]:
    """A short path: sockets lie in it."""
    with tempfile.TemporaryDirectory(prefix="v-") as name:
        yield Path(name).resolve()


def command(place: Path, *words: str) -> list[str]:
    report = ["--report", str(place / "report.json")]
    state = ["--state", str(place / "unused")]
    return [sys.executable, "-m", "attention_framework", *state, "verify", "--simulated", *report, *words]


def environment(place: Path) -> dict[str, str]:
    folder = place / "t"
    folder.mkdir(exist_ok=True)
    return {**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}


def verify(place: Path, *words: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, the report, and what was printed."""
    done = subprocess.run(
        command(place, *words),
        env=environment(place),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=WITHIN_S,
        check=False,
    )
    said = (done.stdout + done.stderr).decode("ascii")
    assert not list((place / "t").iterdir()), f"nothing is left: {said}"
    assert (place / "report.json").exists(), said
    return done.returncode, json.loads((place / "report.json").read_bytes()), said


def outcomes(report: dict[str, Any]) -> dict[int, str]:
    return {step["number"]: step["outcome"] for step in report["steps"]}


def test_every_step_passes_and_nothing_private_is_in_the_report(place: Path) -> None:
    code, report, said = verify(place)
    assert outcomes(report) == dict.fromkeys(range(1, 11), "ok"), said
    assert code == 0
    assert "The deterministic claim holds" in said
    assert report["modes"] == ["reflex brake"] * 2
    assert [absence["busy"] for absence in report["absences"]] == [False, True, True, True]
    braked = [absence["braked_ms"] is not None for absence in report["absences"]]
    assert any(braked), "one that lasts shorter than a look is not seen"
    content = (place / "report.json").read_text()
    assert "do not send" not in content
    assert str(place) not in content
    assert "P A U S E D" not in content


def test_an_agent_that_works_on_behind_its_pause_screen_is_refused(place: Path) -> None:
    code, report, said = verify(place, "--sabotage", "leaky-agent")
    assert code == 1
    if sys.platform == "win32" and outcomes(report)[10] == "not checked":
        pytest.skip("the machine is so slow that an earlier step failed, and nothing was left to prove")
    assert outcomes(report)[10] == "FAILED", said
    assert "The deterministic claim is REFUSED" in said
    assert any(absence["late_calls"] for absence in report["absences"])


def test_a_draft_that_was_submitted_with_the_pause_is_refused(place: Path) -> None:
    code, report, said = verify(place, "--sabotage", "typed-pause", "--no-prompt")
    assert code == 1
    assert outcomes(report)[7] == "FAILED", said
    assert "The deterministic claim is REFUSED" in said
    assert report["drafts"]
    assert not any(draft["kept"] for draft in report["drafts"])


def test_an_interrupted_run_leaves_nothing(place: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("no signal reaches one process alone")
    with subprocess.Popen(
        command(place), env=environment(place), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    ) as run:
        assert run.stdout is not None
        assert b"start two agents" in run.stdout.readline()
        run.send_signal(signal.SIGTERM)
        assert run.wait(WITHIN_S) == 130
    assert list((place / "t").iterdir()) == []
    assert [line for line in map(cmdline, psutil.process_iter()) if str(place) in line] == []


def cmdline(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def test_a_trial_has_a_workspace_of_its_own_and_gives_the_focus_back(world: World, tmp_path: Path) -> None:
    before = world.herdr.focused
    trial = world.focus.trial()
    assert isinstance(trial, HerdrTrial)
    first = trial.open("an agent", tmp_path, {"A": "b"})
    second = trial.open("an agent", tmp_path, {})
    assert world.herdr.focused == second
    assert {first.split(":")[0], second.split(":")[0]} == {"w2"}
    trial.focus(first)
    assert world.herdr.focused == first
    trial.close()
    trial.close()
    assert world.herdr.focused == before
    assert first not in world.herdr.pane_ids()


def test_a_pane_that_herdr_does_not_close_leaves_no_other_behind(world: World, tmp_path: Path) -> None:
    before = world.herdr.focused
    trial = world.focus.trial()
    first, second = trial.open("an agent", tmp_path, {}), trial.open("an agent", tmp_path, {})
    world.herdr.fault("pane.close", "error", code="confirmation_required")
    with pytest.raises(HostUnavailable, match="confirmation_required"):
        trial.close()
    assert first not in world.herdr.pane_ids()
    assert second in world.herdr.pane_ids()
    assert world.herdr.focused == before


READS_A_LINE = (
    "import os\nprint('ready', flush=True)\nprint(repr(os.read(0, 4096)), flush=True)\nos.read(0, 1)\n"
)


def test_the_command_is_typed_into_the_shell_of_the_pane(world: World, tmp_path: Path) -> None:
    trial = world.focus.trial()
    pane = trial.open("before", tmp_path, {})
    world.herdr.run(pane, [sys.executable, "-c", READS_A_LINE])
    world.herdr.wait_screen(pane, lambda screen: "ready" in screen)
    assert isinstance(trial, HerdrTrial)
    trial.start(pane, "omp --flag", Path("/with blank"), {})
    back = "" if sys.platform == "win32" else f"cd {shlex.quote(str(Path('/with blank')))} && "
    typed = f"{back}omp --flag\r".encode()
    until(lambda: repr(typed) in world.herdr.screen(pane), what="it was typed")
    trial.close()
