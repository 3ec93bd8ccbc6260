"""The agent's side of the mailbox, rule by rule (docs/reference/state-files.md)."""

from __future__ import annotations

import json
import os
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import mailbox_client, mailbox_files
from attention_herdr.simulator.mailbox_client import MailboxClient
from attention_herdr.simulator.names import encode, session_key

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ADDRESS, PANE = "/nowhere/herdr.sock", "w1:p2"
KEY = session_key("herdr", ADDRESS)


class Desk:
    """An agent with its mailbox, and what a controller and a person do to it. All that happens is in `log`."""

    def __init__(self, state: Path) -> None:
        self.log: list[str] = []
        self.not_painted: str | None = None
        self.at: dict[str, Callable[[], None]] = {}
        self.holds = state / "holds"
        self.holds.mkdir(parents=True)
        file = f"{encode(PANE)}.{os.getpid()}"
        self.box = state / "sessions" / KEY / "mailbox" / file
        self.status_file = state / "sessions" / KEY / "agents" / f"{file}.json"
        self.lease_file = state / "reflex.json"
        self.asked: list[int] = []
        self.client = MailboxClient(state, "herdr", ADDRESS, PANE, self, self._wake, self._step, self._ask)
        self.client.hello()
        self.log.clear()

    # the agent

    def engage(self) -> None:
        self.log.append("engage")

    def show(self) -> str | None:
        self.log.append("show")
        return self.not_painted

    def release(self) -> None:
        self.log.append("release")

    def describe(self) -> dict[str, Any]:
        return {"agent": "omp", "tty": None, "session_file": None, "versions": {"protocol": 1}, "calls": []}

    def _wake(self, trigger: str) -> None:
        self.log.append(f"wake {trigger}: {self.status['state']}")

    def _step(self, name: str) -> None:
        self.at.pop(name, lambda: None)()

    def _ask(self, question: int) -> None:
        self.asked.append(question)
        self.log.append(f"ask: {self.status['state']}")

    # the others

    def lease(self, until_ms: int = 15_000, **changes: Any) -> None:
        """From now on, by the clock of the test."""
        document = {"mode": "brake", "away": "ignore", "fail": "open", "ask_ms": 250, **changes}
        until = mailbox_client._now_ms() + until_ms
        mailbox_files.write(self.lease_file, {**document, "until_ms": until})

    @property
    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.status_file.read_text(encoding="utf-8"))
        return found

    def files(self) -> list[str]:
        return sorted(path.name for path in self.box.iterdir())

    def ask(self, *runs: str, attended: int = 0) -> None:
        document = {run: {"reason": "x", "deadline_ms": None} for run in runs if run != "focus"}
        focus = (
            {"focus": {"reason": "x", "deadline_ms": None, "attended": attended}} if "focus" in runs else {}
        )
        mailbox_files.write(self.box / "pending.json", {"runs": {**focus, **document}, "written_ms": 0})

    def hold(self, run: str, scope: Any = "all", deadline_ms: int | None = None, **more: Any) -> None:
        document = {
            "run": run,
            "kind": "break",
            "scope": scope,
            "deadline_ms": deadline_ms,
            "started_ms": 0,
            **more,
        }
        mailbox_files.write(self.holds / f"{run}.json", document)

    def unhold(self, run: str) -> None:
        mailbox_files.remove(self.holds / f"{run}.json")

    def resume(self, engagement: str) -> None:
        mailbox_files.write(self.box / "resume.json", {"engagement": engagement, "reason": "x"})

    def paused(self, *runs: str) -> Desk:
        self.ask(*runs)
        self.client.look()
        assert self.status["state"] == "paused"
        self.log.clear()
        return self


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_hello_says_who_this_is(desk: Desk) -> None:
    status = desk.status
    assert (status["v"], status["pane"], status["pid"], status["state"]) == (1, PANE, os.getpid(), "running")
    assert (status["by"], status["shown"], status["runs"], status["waived"], status["engagement"]) == (
        None,
        None,
        [],
        [],
        None,
    )
    assert status["attended"] == 0
    assert abs(status["started"]["ms"] - status["written_ms"]) < 60_000
    assert desk.files() == []


def test_hello_empties_what_an_earlier_process_of_this_name_left(desk: Desk) -> None:
    desk.ask("focus")
    desk.client.hello()
    assert desk.files() == []
    assert desk.log == ["wake hello: running"]


def test_a_request_that_stands_is_carried_out_in_order(desk: Desk) -> None:
    desk.ask("focus")
    seen: dict[str, list[str]] = {}

    def look_at(step: str) -> None:
        seen[step] = [name.split(".")[-1] for name in desk.files()] + desk.log

    for step in ("claimed", "engaged", "shown", "acknowledged", "published"):
        desk.at[step] = partial(look_at, step)
    desk.client.look()
    assert seen == {
        "claimed": ["claim"],
        "engaged": ["claim", "engage"],
        "shown": ["claim", "engage", "show"],
        "acknowledged": ["json", "claim", "engage", "show"],
        "published": ["json", "claim", "engage", "show"],
    }
    assert desk.log == ["engage", "show", "wake paused: paused"]
    assert desk.files() == ["ack.json"]
    ack, status = mailbox_files.read(desk.box / "ack.json"), desk.status
    assert ack is not None
    assert (ack["runs"], ack["engagement"], ack["shown"]) == (["focus"], f"{os.getpid()}-1", "overlay")
    assert ack["claimed_ms"] <= ack["engaged_ms"] <= ack["shown_ms"]
    assert (status["by"], status["shown"], status["runs"], status["engagement"]) == (
        "request",
        "overlay",
        ["focus"],
        ack["engagement"],
    )


@pytest.mark.parametrize("proof", ["came", "pressed"])
def test_a_lost_focus_does_not_stand_once_the_person_was_there(desk: Desk, proof: str) -> None:
    desk.ask("focus", attended=0)
    getattr(desk.client, proof)()
    desk.client.look()
    assert desk.log == ["wake overtaken: running"]
    assert (desk.files(), desk.status["attended"]) == ([], 1)


def test_a_key_says_nothing_new_while_the_host_says_that_the_person_is_there(desk: Desk) -> None:
    client = desk.client
    for act in (
        client.pressed,
        client.pressed,
        client.came,
        client.pressed,
        client.left,
        client.pressed,
        client.pressed,
    ):
        act()
    assert desk.status["attended"] == 4


def test_a_proof_in_the_middle_takes_the_pause_back(desk: Desk) -> None:
    desk.ask("focus")
    desk.at["acknowledged"] = desk.client.came
    desk.client.look()
    assert desk.log == ["engage", "show", "release", "wake taken-back: running"]
    assert desk.files() == []


def test_a_newer_request_replaces_the_one_that_is_worked_on(desk: Desk) -> None:
    desk.hold("b-1")
    desk.ask("b-1")

    def withdraw() -> None:
        desk.unhold("b-1")
        desk.ask()

    desk.at["shown"] = withdraw
    desk.client.look()
    assert (desk.status["state"], desk.files()) == ("running", [])


def test_a_pause_is_kept_for_every_hold_in_force_asked_for_or_not(desk: Desk) -> None:
    desk.ask("focus")

    def later() -> None:
        desk.hold("b-1")
        desk.client.came()

    desk.at["acknowledged"] = later
    desk.client.look()
    assert desk.status["runs"] == ["b-1"]


@pytest.mark.parametrize(
    ("hold", "stands"),
    [
        ({}, True),
        ({"deadline_ms": 1}, False),
        ({"scope": [{"session": KEY, "pane": PANE}]}, True),
        ({"scope": [{"session": KEY, "pane": "w9:p9"}]}, True),
        ({"except": [{"session": KEY, "pane": PANE}]}, False),
        (None, False),
    ],
    ids=["all", "over", "this pane", "this pane by the id it has now", "left out", "gone"],
)
def test_a_hold_that_is_asked_for_stands_while_its_file_says_so(
    desk: Desk, hold: dict[str, Any] | None, stands: bool
) -> None:
    if hold is not None:
        desk.hold("b-1", **hold)
    desk.ask("b-1")
    desk.client.look()
    assert (desk.status["state"] == "paused") is stands
    assert desk.files() == (["ack.json"] if stands else [])


def test_a_hold_for_other_panes_keeps_no_pause_that_it_was_not_asked_for(desk: Desk) -> None:
    desk.hold("b-1", scope=[{"session": KEY, "pane": "w9:p9"}])
    desk.ask("focus")
    desk.at["acknowledged"] = desk.client.came
    desk.client.look()
    assert desk.status["state"] == "running"


def test_what_cannot_be_shown_is_given_back_and_rests(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000_000
    monkeypatch.setattr(mailbox_client, "_now_ms", lambda: now)
    desk.not_painted = "an editor has the terminal"
    desk.ask("focus")
    desk.client.look()
    assert (desk.log, desk.files()) == (["engage", "show", "release"], ["pending.json"])
    assert desk.status["problem"] == {
        "code": "not-painted",
        "text": "an editor has the terminal",
        "since_ms": now,
    }
    desk.client.look()
    assert desk.log == ["engage", "show", "release"]
    desk.not_painted, now = None, now + mailbox_client.RETRY_MS
    desk.client.look()
    assert (desk.status["state"], desk.status["problem"]) == ("paused", None)


def test_what_is_given_back_does_not_replace_a_newer_request(desk: Desk) -> None:
    desk.not_painted = "no"
    desk.ask("focus")
    desk.at["engaged"] = lambda: desk.ask("b-7")
    desk.client.look()
    document = mailbox_files.read(desk.box / "pending.json")
    assert document is not None
    assert list(document["runs"]) == ["b-7"]
    assert desk.files() == ["pending.json"]


def test_the_person_who_resumes_is_not_asked_again_for_the_same_holds(desk: Desk) -> None:
    desk.hold("b-1")
    desk.paused("focus", "b-1")
    desk.client.person_resumed()
    assert desk.log == ["wake running: running"]
    assert (desk.status["waived"], desk.status["attended"], desk.files()) == (["b-1"], 1, [])
    desk.ask("b-1")
    desk.client.look()
    assert desk.status["state"] == "running"
    desk.unhold("b-1")
    desk.client.came()
    desk.client.look()
    desk.client.came()
    assert desk.status["waived"] == []
    desk.hold("b-1")
    desk.ask("b-1")
    desk.client.look()
    assert desk.status["state"] == "paused"


def test_a_person_s_own_pause_is_taken_over_by_nobody(desk: Desk) -> None:
    desk.ask("focus")
    desk.client.person_paused()
    assert (desk.status["by"], desk.status["runs"], desk.files()) == ("person", [], [])
    desk.ask("focus")
    desk.resume(desk.status["engagement"])
    desk.client.look()
    assert (desk.status["by"], desk.files()) == ("person", [])
    assert "release" not in desk.log


def test_a_resume_request_ends_its_engagement_only(desk: Desk) -> None:
    desk.paused("focus")
    desk.resume("1-1")
    desk.client.look()
    assert desk.status["state"] == "paused"
    desk.resume(desk.status["engagement"])
    desk.client.look()
    assert (desk.status["state"], desk.files(), desk.log) == (
        "running",
        [],
        ["release", "wake running: running"],
    )


def test_a_resume_request_is_refused_while_a_hold_is_in_force(desk: Desk) -> None:
    desk.paused("focus")
    desk.hold("b-1")
    desk.resume(desk.status["engagement"])
    desk.client.look()
    assert (desk.status["state"], desk.files()) == ("paused", ["ack.json"])


def test_every_pause_has_an_engagement_of_its_own(desk: Desk) -> None:
    first = desk.paused("focus").status["engagement"]
    desk.client.person_resumed()
    desk.ask("focus", attended=1)
    desk.client.look()
    assert desk.status["engagement"] != first


def test_a_resume_request_for_a_running_agent_is_forgotten(desk: Desk) -> None:
    desk.resume("1-1")
    desk.client.look()
    assert desk.files() == []


@pytest.mark.parametrize(
    "content", ["", "[]", '{"v": 1}', '{"v": 2, "runs": {}}', '{"v": 1, "runs": {"focus": {}}}', "\udcff"]
)
def test_a_broken_request_is_set_aside(desk: Desk, content: str) -> None:
    (desk.box / "pending.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    desk.client.look()
    assert (desk.files(), desk.log) == (["pending.json.broken"], [])
    desk.ask("focus")
    desk.client.look()
    assert desk.status["state"] == "paused"


def test_a_broken_resume_request_is_set_aside(desk: Desk) -> None:
    desk.paused("focus")
    (desk.box / "resume.json").write_text("{", encoding="utf-8")
    desk.client.look()
    assert (desk.status["state"], desk.files()) == ("paused", ["ack.json", "resume.json.broken"])


def test_broken_holds_are_none(desk: Desk) -> None:
    (desk.holds / "b-1.json").write_text("{", encoding="utf-8")
    desk.hold("b-2")
    desk.ask("b-1", "b-2")
    desk.client.look()
    assert desk.status["runs"] == ["b-2"]


def test_an_agent_that_cannot_be_paused_says_why(desk: Desk) -> None:
    desk.client.unsupported("too old")
    assert desk.status["state"] == "unsupported"
    assert desk.status["problem"]["text"] == "too old"


def test_it_takes_its_files_along(desk: Desk) -> None:
    desk.client.close()
    assert not desk.status_file.exists()
    assert not desk.box.exists()
