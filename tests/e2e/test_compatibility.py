"""The extension of before and the controller of now, and the other way round, on one disk.

The old side is what stood in the history before the reflex and the gentle pause. A checkout without history has its
words, as recorded, in `tests/vectors/compatibility/` (tests/system/test_compatibility.py).
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attention_omp_keys.status import OmpStatus
from attention_omp_keys.transports import MailboxSettings, OmpMailbox

from attention_framework import (
    FOCUS_RUN,
    AgentState,
    HostEnvironment,
    Pane,
    PauseRequest,
    Run,
    Session,
    live_hellos,
    real_effects,
)
from attention_framework.testing import FakeContext, until

from .harness.programs import omp_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = Path(__file__).parents[2]
EXTENSION = CHECKOUT / "omp_extension"
RECORDED = CHECKOUT / "tests" / "vectors" / "compatibility" / "extension-before-reflex.json"
OLD = "1ca978978e5ba165d9519a175d5f58b9d7a3c1e9"
SESSION = Session("tmux", "/nowhere/tmux/default,1")
WITHIN_S = 20.0
RESUME = "\x1b\x12"
CHANGING = ("pid", "started", "tty", "written_ms", "engagement", "claimed_ms", "engaged_ms", "shown_ms")


class Conversation:
    """One extension in a process of its own, and the controller's side of its mailbox."""

    def __init__(self, folder: Path, source: Path, config: dict[str, Any]) -> None:
        self.state = folder / "state"
        shutil.copytree(source, folder / "src")
        config |= {"state": str(self.state), "runner": ["true"]}
        (folder / "config.json").write_text(json.dumps(config))
        bun = shutil.which("bun", path=omp_folder("omp"))
        assert bun is not None
        environment = {**os.environ, "TMUX": "/nowhere/tmux/default,1,0", "TMUX_PANE": "%1"}
        command = [bun, str(EXTENSION / "tests" / "alone.ts"), str(folder / "src")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment, text=True)
        self._context = FakeContext(state=self.state, effects=real_effects())

    @property
    def pane(self) -> Pane:
        [hello] = live_hellos(self.state, real_effects(), pytest.fail)
        return Pane(SESSION, "%1", agent="omp", hello=hello)

    def transport(self, show: str) -> OmpMailbox:
        return OmpMailbox(MailboxSettings.model_validate({"show": show, "nudge": ""}), self._context)

    def said(self) -> dict[str, Any]:
        return self._only("sessions/*/agents/*.json")

    def ack(self) -> dict[str, Any]:
        return self._only("sessions/*/mailbox/*/ack.json")

    def until(self, state: AgentState) -> None:
        until(lambda: self._seen() is state, WITHIN_S, what=f"the controller sees {state}")

    def leave(self, name: str, text: str) -> None:
        """A file in the mailbox, word for word."""
        [mailbox] = self.state.glob("sessions/*/mailbox/*")
        (mailbox / f".{name}").write_text(text)
        (mailbox / f".{name}").rename(mailbox / name)

    def type(self, data: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(data) + "\n")
        self.process.stdin.flush()

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(WITHIN_S) == 0

    def _seen(self) -> AgentState | None:
        hellos = live_hellos(self.state, real_effects(), pytest.fail) if self.state.exists() else []
        return OmpStatus(None, self._context).observe(self.pane).state if hellos else None

    def _only(self, pattern: str) -> dict[str, Any]:
        [path] = self.state.glob(pattern)
        found: dict[str, Any] = json.loads(path.read_text())
        return found


def config(**keys: str) -> dict[str, Any]:
    host = HostEnvironment("tmux", "TMUX_PANE", "TMUX", "^(.*),[0-9]+$")
    hosts = [
        {
            "host": host.host,
            "pane": host.pane,
            "address": host.address,
            "address_pattern": host.address_pattern,
        }
    ]
    return {"v": 1, "agent": "omp", "hosts": hosts, "keys": keys}


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Conversation]:
    """With the configuration that `attention setup` writes now."""
    archive = subprocess.run(
        ["git", "archive", OLD, "omp_extension/src"], cwd=CHECKOUT, capture_output=True, check=False
    )
    if archive.returncode:
        pytest.skip("this checkout has no history: only the recorded words are tested")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(tmp_path / "old", filter="data")
    source = tmp_path / "old" / "omp_extension" / "src"
    conversation = Conversation(tmp_path, source, config(look="f12", pause="ctrl+alt+p", resume="ctrl+alt+r"))
    yield conversation
    conversation.end()


@pytest.fixture
def new(tmp_path: Path) -> Iterator[Conversation]:
    """With the configuration that `attention setup` wrote then."""
    conversation = Conversation(tmp_path, EXTENSION / "src", config(look="f12", pause="ctrl+alt+p"))
    yield conversation
    conversation.end()


def focus_request(conversation: Conversation) -> PauseRequest:
    hello = conversation.pane.hello
    assert hello is not None
    return PauseRequest((Run(FOCUS_RUN, "another pane has the focus", attended=hello.attended),))


def steady(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in CHANGING}


@pytest.mark.parametrize("show", ["overlay", "line"])
def test_the_old_extension_does_what_the_controller_of_now_asks(old: Conversation, show: str) -> None:
    """It knows no line, and says truthfully that it shows the pause screen."""
    old.until(AgentState.RUNNING)
    recorded = {"running": steady(old.said())}
    old.transport(show).request_pause(old.pane, focus_request(old))
    old.until(AgentState.PAUSED)
    recorded |= {"paused": steady(old.said()), "ack": steady(old.ack())}
    assert old.said()["shown"] == "overlay"
    old.transport(show).request_resume(old.pane, old.said()["engagement"])
    old.until(AgentState.RUNNING)
    recorded |= {"resumed": steady(old.said())}
    if not RECORDED.exists():
        RECORDED.write_text(json.dumps(recorded, indent=1) + "\n")
    assert recorded == json.loads(RECORDED.read_text())


def test_the_old_extension_is_resumed_by_its_person(old: Conversation) -> None:
    old.until(AgentState.RUNNING)
    old.transport("line").request_pause(old.pane, focus_request(old))
    old.until(AgentState.PAUSED)
    old.type(RESUME)
    old.type("\r")
    old.until(AgentState.RUNNING)
    assert old.said()["attended"] > 0


def test_the_extension_of_now_does_what_the_old_controller_asks(new: Conversation) -> None:
    """Its requests say nothing of how a pause is to show."""
    new.until(AgentState.RUNNING)
    focus = {"reason": "%2 has the focus", "deadline_ms": None, "attended": 0}
    new.leave("pending.json", json.dumps({"v": 1, "runs": {"focus": focus}, "written_ms": 1}))
    new.until(AgentState.PAUSED)
    assert new.said()["shown"] == new.ack()["shown"] == "overlay"
    new.leave("resume.json", json.dumps({"v": 1, "engagement": new.said()["engagement"], "written_ms": 1}))
    new.until(AgentState.RUNNING)


def test_a_request_of_a_newer_version_is_set_aside_and_harms_nothing(new: Conversation) -> None:
    new.until(AgentState.RUNNING)
    new.leave("pending.json", json.dumps({"v": 2, "runs": {"focus": {"attended": 0}}}))
    until(
        lambda: list(new.state.glob("sessions/*/mailbox/*/pending.json.broken")), WITHIN_S, what="set aside"
    )
    assert new.said()["state"] == "running"
    new.transport("line").request_pause(new.pane, focus_request(new))
    new.until(AgentState.PAUSED)
    assert new.said()["shown"] == "line"
    new.type(RESUME)
    new.until(AgentState.RUNNING)
