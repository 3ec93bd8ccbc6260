"""The simulated agent as a program in a pane of the simulated Herdr."""

from __future__ import annotations

import json
import socket
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import mailbox_files
from attention_herdr.simulator.names import encode, session_key

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attention_herdr.simulator import SimulatedHerdr

PAUSED, DRAFT = "P A U S E D", "╰─"


class Running:
    """One agent: what it writes down, and its mailbox."""

    def __init__(
        self, herdr: SimulatedHerdr, pane: str, folder: Path, until: Callable[..., Any], *options: str
    ) -> None:
        self.herdr = herdr
        self.pane = pane
        self.folder = folder / f"record-{encode(pane)}"
        self.until = until
        state = folder / "state"
        options = ("--state", str(state), "--record", str(self.folder), *options)
        self.pid = herdr.start_agent(pane, *options)
        session = state / "sessions" / session_key("herdr", herdr.address)
        self.box = session / "mailbox" / f"{encode(pane)}.{self.pid}"
        self.status_file = session / "agents" / f"{encode(pane)}.{self.pid}.json"
        until(lambda: self.events("started"))
        until(lambda: herdr.screen(pane))

    @property
    def status(self) -> dict[str, Any]:
        return mailbox_files.read(self.status_file) or {}

    def wait(self, **fields: Any) -> dict[str, Any]:
        """Wait for a status file that says so."""
        self.until(lambda: fields.items() <= self.status.items())
        return self.status

    def lines(self, name: str) -> list[dict[str, Any]]:
        try:
            text = (self.folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in text.splitlines()]

    def events(self, what: str) -> list[dict[str, Any]]:
        return [line for line in self.lines("agent.jsonl") if line["what"] == what]

    def draft(self) -> str:
        return (self.folder / "draft.txt").read_bytes().decode()

    def ask(self, attended: int | None = None) -> None:
        """A request for a lost focus."""
        count = self.status["attended"] if attended is None else attended
        mailbox_files.write(
            self.box / "pending.json",
            {"runs": {"focus": {"reason": "x", "deadline_ms": None, "attended": count}}},
        )

    def shows(self, text: str) -> str:
        return self.herdr.wait_screen(self.pane, lambda screen: text in screen)


@pytest.fixture
def agent(herdr: SimulatedHerdr, tmp_path: Path, until: Callable[..., Any]) -> Callable[..., Running]:
    return lambda *options, pane="w1:p1": Running(herdr, pane, tmp_path, until, *options)


def test_it_says_hello_and_herdr_hears_of_it(
    herdr: SimulatedHerdr, agent: Callable[..., Running], until: Callable[..., Any]
) -> None:
    one = agent("--title", "work")
    until(lambda: herdr.pane("w1:p1")["agent_status"] == "idle")
    shown = herdr.pane("w1:p1")
    assert (shown["agent"], shown["terminal_title"]) == ("omp", "π > work")
    assert shown["agent_session"]["value"] == one.status["session_file"]
    assert one.status["pane"] == "w1:p1"


def test_it_works_and_stops_working(
    herdr: SimulatedHerdr, agent: Callable[..., Running], until: Callable[..., Any]
) -> None:
    one = agent("--busy-ms", "50", "--call-ms", "10")
    until(lambda: len(one.lines("work.jsonl")) == 10)
    assert [(line["call"], line["step"]) for line in one.lines("work.jsonl")][:3] == [
        (1, "start"),
        (1, "end"),
        (2, "start"),
    ]
    until(lambda: herdr.pane("w1:p1")["agent_status"] == "idle")


def test_a_request_pauses_it_and_nothing_starts_until_the_person_resumes(
    herdr: SimulatedHerdr, agent: Callable[..., Running], until: Callable[..., Any]
) -> None:
    one = agent("--busy-ms", "-1", "--call-ms", "5", "--draft", "two\nlines 😀")
    until(lambda: one.lines("work.jsonl"))
    one.ask()
    paused = one.wait(state="paused", by="request", runs=["focus"], calls=[])
    text = one.shows("paused for 0:01")
    assert text.endswith("esc · enter · space — resume\n")
    done = one.lines("work.jsonl")
    assert done[-1]["step"] == "end"
    assert mailbox_files.read(one.box / "ack.json") is not None
    herdr.press("esc")
    status = one.wait(state="running")
    assert status["attended"] > paused["attended"]
    one.shows("agents are running again.")
    until(lambda: len(one.lines("work.jsonl")) > len(done))
    assert one.draft() == "two\nlines 😀"
    assert status["engagement"] == f"{one.pid}-1"


def test_f12_makes_it_look(herdr: SimulatedHerdr, agent: Callable[..., Running]) -> None:
    one = agent("--watch-ms", "0", "--poll-ms", "600000")
    one.ask()
    herdr.call("agent.send_keys", target="w1:p1", keys=["f12"])
    one.wait(state="paused", attended=0)


def test_without_a_watch_and_a_nudge_the_poll_finds_it(agent: Callable[..., Running]) -> None:
    one = agent("--watch-ms", "0", "--poll-ms", "50")
    one.ask()
    one.wait(state="paused")


def test_focus_reports_count(herdr: SimulatedHerdr, agent: Callable[..., Running]) -> None:
    one = agent()
    second = herdr.split("w1:p1")
    herdr.focus_in_one_pass(second)
    herdr.focus("w1:p1")
    one.wait(attended=1)
    one.ask(attended=0)
    one.until(lambda: one.events("wake")[-1]["trigger"] == "overtaken")
    assert one.status["state"] == "running"


@pytest.mark.parametrize("key", ["esc", "enter", "space"])
def test_ctrl_alt_p_pauses_and_three_keys_resume(
    herdr: SimulatedHerdr, agent: Callable[..., Running], key: str
) -> None:
    one = agent("--draft", "as it was")
    herdr.press("ctrl+alt+p")
    one.wait(state="paused", by="person")
    one.shows(PAUSED)
    herdr.type_text("x")
    herdr.press(key)
    one.wait(state="running")
    one.shows(DRAFT + " as it was")
    assert one.draft() == "as it was"


def test_text_behind_the_blank_that_resumes_is_the_editor_s(
    herdr: SimulatedHerdr, agent: Callable[..., Running]
) -> None:
    one = agent()
    herdr.press("ctrl+alt+p")
    one.wait(state="paused")
    herdr.type_text("lost kept")
    one.until(lambda: one.draft() == "kept")


def test_a_typed_pause_pauses_where_the_editor_is_empty(
    herdr: SimulatedHerdr, agent: Callable[..., Running]
) -> None:
    one = agent("--without-extension")
    herdr.call("agent.prompt", target="w1:p1", text="/pause")
    one.shows(PAUSED)
    assert one.lines("prompts.jsonl") == []
    assert not one.status_file.exists()


def test_a_typed_pause_after_a_draft_destroys_it(
    agent: Callable[..., Running], herdr: SimulatedHerdr
) -> None:
    one = agent("--draft", "my draft", "--without-extension")
    herdr.call("agent.prompt", target="w1:p1", text="/pause")
    one.until(lambda: one.lines("prompts.jsonl"))
    assert [line["text"] for line in one.lines("prompts.jsonl")] == ["my draft /pause"]
    one.until(lambda: one.draft() == "")
    assert PAUSED not in herdr.screen("w1:p1")
    one.until(lambda: len(one.lines("work.jsonl")) == 6)


def test_a_dialog_swallows_a_typed_pause(herdr: SimulatedHerdr, agent: Callable[..., Running]) -> None:
    one = agent("--dialog", "which model", "--without-extension")
    one.shows("? which model")
    herdr.call("agent.prompt", target="w1:p1", text="/pause")
    one.until(lambda: one.events("dialog-answered"))
    one.shows(DRAFT)
    assert one.events("paused") == []


def test_a_request_is_carried_out_over_a_dialog_which_is_usable_afterwards(
    herdr: SimulatedHerdr, agent: Callable[..., Running]
) -> None:
    one = agent("--dialog", "which model")
    one.ask()
    one.shows(PAUSED)
    herdr.press("esc")
    one.shows("? which model")
    assert one.events("dialog-answered") == []
    herdr.press("enter")
    one.until(lambda: one.events("dialog-answered"))


def test_what_is_not_painted_is_tried_again(agent: Callable[..., Running]) -> None:
    one = agent("--not-painted", "1")
    one.ask()
    one.until(lambda: (one.status["problem"] or {}).get("code") == "not-painted")
    one.wait(state="paused", problem=None)


def test_an_agent_that_cannot_be_paused_or_does_not_look(
    herdr: SimulatedHerdr, agent: Callable[..., Running]
) -> None:
    assert agent("--unsupported", "too old").status["state"] == "unsupported"
    deaf = agent("--deaf", "--poll-ms", "20", pane=herdr.split("w1:p1"))
    deaf.ask()
    herdr.call("agent.send_keys", target=deaf.pane, keys=["f12", "x"])
    deaf.until(lambda: deaf.draft() == "x")
    assert (deaf.box / "pending.json").exists()


def test_new_is_another_conversation_in_the_same_process(
    herdr: SimulatedHerdr, agent: Callable[..., Running], until: Callable[..., Any]
) -> None:
    one = agent()
    until(lambda: "agent_session" in herdr.pane("w1:p1"))
    before = one.status["session_file"]
    herdr.type_text("/new\r")
    until(lambda: one.status["session_file"] != before)
    until(lambda: herdr.pane("w1:p1")["agent_session"]["value"] == one.status["session_file"])


def test_it_takes_its_files_along_unless_it_is_killed(
    herdr: SimulatedHerdr, agent: Callable[..., Running], until: Callable[..., Any]
) -> None:
    one = agent()
    herdr.type_text("/exit\r")
    until(lambda: "agent" not in herdr.pane("w1:p1"))
    assert not one.status_file.exists()
    two = agent()
    herdr.kill("w1:p1")
    until(lambda: "agent" not in herdr.pane("w1:p1"))
    assert two.status_file.exists()


@pytest.mark.parametrize(
    ("step", "left"), [("claimed", "claim"), ("acknowledged", "ack.json"), ("published", "ack.json")]
)
def test_it_dies_where_it_is_told_to(
    herdr: SimulatedHerdr, agent: Callable[..., Running], until: Callable[..., Any], step: str, left: str
) -> None:
    one = agent("--die-at", step)
    one.ask()
    until(lambda: "agent" not in herdr.pane("w1:p1"))
    assert any(path.name.endswith(left) for path in one.box.iterdir())
    assert one.status["state"] == ("paused" if step == "published" else "running")


def test_it_wakes_the_controller_with_where_it_is(
    herdr: SimulatedHerdr, agent: Callable[..., Running], tmp_path: Path, until: Callable[..., Any]
) -> None:
    woken = tmp_path / "woken"
    target = f"pathlib.Path({str(woken)!r} + str(os.getpid()))"
    write = f"import json, os, pathlib, sys; {target}.write_text(json.dumps(sys.argv[1:]))"
    agent("--runner", json.dumps([sys.executable, "-S", "-c", write, "reconcile"]))

    def calls() -> list[list[str]]:
        return [
            json.loads(text) for path in tmp_path.glob("woken*") if (text := path.read_text(encoding="utf-8"))
        ]

    until(calls)
    assert calls() == [["reconcile", "--host", "herdr", "--address", herdr.address, "--trigger", "omp:hello"]]


def test_a_moved_agent_keeps_the_id_that_it_inherited(
    herdr: SimulatedHerdr, agent: Callable[..., Running]
) -> None:
    second = herdr.split("w1:p1")
    one = agent(pane=second)
    assert herdr.move_pane(second) == "w2:p1"
    one.ask()
    assert one.wait(state="paused")["pane"] == second
    herdr.wait_screen("w2:p1", lambda text: PAUSED in text)


def test_a_storm_leaves_it_as_the_last_request_says(
    herdr: SimulatedHerdr, agent: Callable[..., Running]
) -> None:
    one = agent("--busy-ms", "-1", "--call-ms", "2")
    herdr.split("w1:p1")
    herdr.storm(30, seed=5)
    herdr.focus("w1:p2")
    counts = herdr.storm(0)
    assert counts == []
    one.until(lambda: _asked(one))
    herdr.focus("w1:p1")
    herdr.press("esc")
    one.wait(state="running")


def _asked(one: Running) -> bool:
    """Ask with the count that stands, as a controller does again and again."""
    one.ask()
    return bool(one.status["state"] == "paused")


def test_it_brakes_at_the_report_of_a_lost_focus_until_the_pause_is_there(
    herdr: SimulatedHerdr, agent: Callable[..., Running], until: Callable[..., Any], tmp_path: Path
) -> None:
    one = agent("--busy-ms", "-1", "--call-ms", "5")
    until(lambda: one.lines("work.jsonl"))
    with socket.create_server(("127.0.0.1", 0)) as controller:
        address = f"tcp 127.0.0.1 {controller.getsockname()[1]} abc\n"
        (tmp_path / "state" / "serve.addr").write_text(address, encoding="utf-8")
        lease = {"mode": "brake", "ask_ms": 9_000, "until_ms": time.time_ns() // 1_000_000 + 50_000}
        mailbox_files.write(tmp_path / "state" / "reflex.json", lease)
        herdr.split("w1:p1", focus=True)
        connection, _ = controller.accept()
        with connection:
            assert connection.makefile("rb").readline().startswith(b"ask host=herdr address=")
            assert one.status["state"] == "braked", "it is told before it is asked"
            connection.sendall(b"answer pause question=1 reason=x\nend 0\n")
        until(lambda: one.events("answered"))
        one.shows("braked: nothing new starts")
    stopped = one.wait(state="braked", calls=[]) and one.lines("work.jsonl")
    one.ask()
    one.wait(state="paused", by="request")
    assert one.lines("work.jsonl") == stopped, "nothing has started in between"
