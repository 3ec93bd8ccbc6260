"""Programs in panes: what they are given, what is typed to them, what is detected and reported."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import ManualClock, SimulatedHerdr
from attention_herdr.simulator.client import Failed

if TYPE_CHECKING:
    from collections.abc import Callable

TELL = """
import os
for name in sorted(os.environ):
    if name.startswith("HERDR_") or name in ("COLUMNS", "LINES"):
        print(f"{name}={os.environ[name]}")
print("told", flush=True)
os.read(0, 1)
"""


def test_a_program_finds_out_where_it_is(herdr: SimulatedHerdr, monkeypatch: pytest.MonkeyPatch) -> None:
    pane = herdr.split("w1:p1")
    herdr.run(pane, [sys.executable, "-c", TELL])
    text = herdr.wait_screen(pane, lambda text: "told" in text)
    assert text.split()[:-1] == [
        "COLUMNS=65", "HERDR_ENV=1", f"HERDR_PANE_ID={pane}", f"HERDR_SOCKET_PATH={herdr.address}", "HERDR_TAB_ID=w1:t1",
        "HERDR_WORKSPACE_ID=w1", "LINES=41",
    ]  # fmt: skip


def test_nothing_is_inherited_from_a_herdr_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERDR_PANE_ID", "w7:p7")
    monkeypatch.setenv("HERDR_SESSION", "outer")
    with SimulatedHerdr(session="second") as herdr:
        assert herdr.address.endswith("second" + herdr.address[-len("/herdr.sock") :])
        herdr.run("w1:p1", [sys.executable, "-c", TELL])
        text = herdr.wait_screen("w1:p1", lambda text: "told" in text)
    assert "HERDR_PANE_ID=w1:p1\n" in text
    assert "HERDR_SESSION=second\n" in text


def test_keys_are_one_write_and_a_wrong_one_sends_nothing(
    herdr: SimulatedHerdr,
    ask: Callable[..., Any],
    echo: Callable[..., str],
    got: Callable[[str], bytes],
    until: Callable[..., Any],
) -> None:
    pane = echo(kind="omp")
    assert ask("agent.send_keys", target=pane, keys=["f12", "ctrl+alt+p", "f13"]) == {"type": "ok"}
    with pytest.raises(Failed, match="invalid_key: unsupported key f99x"):
        ask("agent.send_keys", target=pane, keys=["a", "f99x"])
    ask("pane.send_keys", pane_id=pane, keys=["x"])
    until(lambda: got(pane) == b"\x1b[24~\x1b\x10x")


def test_the_person_types_into_the_focused_pane(
    herdr: SimulatedHerdr, echo: Callable[..., str], got: Callable[[str], bytes], until: Callable[..., Any]
) -> None:
    pane = echo()
    herdr.type_text("hé")
    herdr.press("enter", "esc")
    until(lambda: got(pane) == "hé\r\x1b".encode())


def test_a_prompt_is_text_and_300_ms_later_enter(until: Callable[..., Any]) -> None:
    clock = ManualClock()
    with SimulatedHerdr(clock=clock) as herdr:
        program = "import os\nwhile d := os.read(0, 99): print(d.hex(), flush=True)"
        herdr.run("w1:p1", [sys.executable, "-c", program], kind="omp")
        assert herdr.call("agent.prompt", target="w1:p1", text="/pause")["type"] == "agent_prompted"
        herdr.wait_screen("w1:p1", lambda text: text.split() == [b"/pause".hex()])
        until(lambda: 0.3 in clock.sleepers())
        herdr.type_text("x")
        herdr.wait_screen("w1:p1", lambda text: text.split() == [b"/pause".hex(), b"x".hex()])
        clock.advance(0.3)
        herdr.wait_screen("w1:p1", lambda text: text.split()[-1] == b"\r".hex())


def test_a_prompt_is_a_paste_where_that_is_on(herdr: SimulatedHerdr, ask: Callable[..., Any]) -> None:
    program = "import os\nprint(end='\\x1b[?2004hready', flush=True)\nwhile d := os.read(0, 99): print(d.hex(), flush=True)"
    herdr.run("w1:p1", [sys.executable, "-c", program], kind="omp")
    herdr.wait_screen("w1:p1", lambda text: "ready" in text)
    ask("agent.prompt", target="w1:p1", text="hi")
    herdr.wait_screen("w1:p1", lambda text: b"\x1b[200~hi\x1b[201~".hex() in text.replace("\n", ""))


def test_prompts_are_refused_in_this_order(
    herdr: SimulatedHerdr, ask: Callable[..., Any], echo: Callable[..., str]
) -> None:
    for target, text, code in (
        ("w9:p9", "", "empty_agent_prompt: agent prompt must not be empty"),
        ("w1:p1", "x", "agent_not_found"),
    ):
        with pytest.raises(Failed, match=code):
            ask("agent.prompt", target=target, text=text)
    pane = echo(kind="omp")
    about = {"pane_id": pane, "source": "herdr:omp", "agent": "omp"}
    ask("pane.report_agent", state="blocked", **about)
    with pytest.raises(Failed, match="agent_blocked"):
        ask("agent.prompt", target=pane, text="x")
    assert ask("agent.send_keys", target=pane, keys=["f12"]) == {"type": "ok"}


def test_an_agent_whose_program_is_gone_is_not_ready(
    herdr: SimulatedHerdr, ask: Callable[..., Any], echo: Callable[..., str]
) -> None:
    pane = echo()
    ask("pane.report_agent", pane_id=pane, source="custom:x", agent="other", state="working")
    assert ask("agent.get", target=pane)["agent"]["agent"] == "other"
    with pytest.raises(Failed, match="agent_not_ready"):
        ask("agent.send_keys", target=pane, keys=["f12"])


def test_an_agent_is_detected_when_it_starts_and_ends(
    herdr: SimulatedHerdr, echo: Callable[..., str], until: Callable[..., Any]
) -> None:
    pane = echo(kind="omp")
    herdr.call("pane.report_agent", pane_id=pane, source="herdr:omp", agent="omp", state="idle")
    herdr.kill(pane)
    until(lambda: "agent" not in herdr.pane(pane))
    told = [event.envelope()["data"] for event in herdr.events() if event.name.startswith("pane.agent")]
    where = {"pane_id": pane, "workspace_id": "w1"}
    assert told == [
        {"type": "pane_agent_detected", **where, "agent": "omp"},
        {"type": "pane_agent_status_changed", **where, "agent_status": "idle", "agent": "omp"},
        {"type": "pane_agent_detected", **where, "agent": "omp", "released": True, "final_status": "idle"},
        {"type": "pane_agent_status_changed", **where, "agent_status": "unknown"},
    ]
    assert herdr.screen(pane) == ""


def test_an_agent_that_reports_nothing_is_idle_after_a_grace(until: Callable[..., Any]) -> None:
    clock = ManualClock()
    with SimulatedHerdr(clock=clock) as herdr:
        herdr.run("w1:p1", [sys.executable, "-c", "input()"], kind="omp")
        assert herdr.pane("w1:p1")["agent_status"] == "unknown"
        until(lambda: clock.sleepers() == [3])
        clock.advance(3)
        until(lambda: herdr.pane("w1:p1")["agent_status"] == "idle")


def test_reports_of_a_foreign_agent_or_conversation_are_dropped(
    herdr: SimulatedHerdr, ask: Callable[..., Any], echo: Callable[..., str]
) -> None:
    pane = echo(kind="omp")
    about = {"pane_id": pane, "source": "herdr:omp"}
    assert ask("pane.report_agent", agent="pi", state="working", **about) == {"type": "ok"}
    ask("pane.report_agent_session", agent="omp", agent_session_path="/x.jsonl", **about)
    ask("pane.report_agent", agent="omp", state="working", agent_session_path="/other.jsonl", **about)
    agent = ask("agent.get", target=pane)["agent"]
    assert agent["agent_status"] == "unknown"
    assert agent["agent_session"] == {
        "source": "herdr:omp",
        "agent": "omp",
        "kind": "path",
        "value": "/x.jsonl",
    }
    assert agent["screen_detection_skipped"] is True


def test_done_is_idle_that_nobody_has_seen(
    herdr: SimulatedHerdr, ask: Callable[..., Any], echo: Callable[..., str]
) -> None:
    pane = echo(herdr.split("w1:p1"), kind="omp")
    about = {"pane_id": pane, "source": "herdr:omp", "agent": "omp"}
    ask("pane.report_agent", state="working", **about)
    assert ask("workspace.list")["workspaces"][0]["agent_status"] == "working"
    ask("pane.report_agent", state="idle", **about)
    assert herdr.pane(pane)["agent_status"] == "done"
    before = len(herdr.events())
    herdr.focus(pane)
    assert herdr.pane(pane)["agent_status"] == "idle"
    assert "pane.agent_status_changed" not in [event.name for event in herdr.events()[before:]]


def test_a_pane_that_gets_the_focus_in_passing_counts_as_seen(
    herdr: SimulatedHerdr, ask: Callable[..., Any], echo: Callable[..., str]
) -> None:
    pane = echo(herdr.add_workspace(), kind="omp")
    about = {"pane_id": pane, "source": "herdr:omp", "agent": "omp"}
    ask("pane.report_agent", state="working", **about)
    ask("pane.report_agent", state="idle", **about)
    assert herdr.pane(pane)["agent_status"] == "done"
    herdr.close_pane("w1:p1")
    assert herdr.pane(pane)["agent_status"] == "idle"


def test_only_a_new_title_counts_as_an_update(herdr: SimulatedHerdr, until: Callable[..., Any]) -> None:
    write = (
        "import os, sys\nfor t in 'a', ' a', 'b': print(end=f'\\x1b]0;{t}\\x07', flush=True); os.read(0, 1)"
    )
    herdr.run("w1:p1", [sys.executable, "-c", write])
    titles: list[str] = []

    def shown(title: str) -> bool:
        return herdr.pane("w1:p1").get("terminal_title") == title

    for title in ("a", " a", "b"):
        until(partial(shown, title))
        titles.append(herdr.pane("w1:p1")["terminal_title_stripped"])
        herdr.type_text("x")
    assert titles == ["a", "a", "b"]
    assert [event.name for event in herdr.events()].count("pane.updated") >= 2


def test_closing_a_pane_ends_its_program(
    herdr: SimulatedHerdr, echo: Callable[..., str], until: Callable[..., Any]
) -> None:
    pane = herdr.split("w1:p1")
    echo(pane, kind="omp")
    program = herdr._programs[0]
    herdr.close_pane(pane)
    until(lambda: not program.running)


def test_a_program_that_ignores_its_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attention_herdr.simulator.programs._LEAVE_S", 0.1)
    with SimulatedHerdr() as herdr:
        herdr.run(
            "w1:p1", [sys.executable, "-c", "import time\nprint('on', flush=True)\nwhile True: time.sleep(1)"]
        )
        herdr.wait_screen("w1:p1", lambda text: "on" in text)
        program = herdr._programs[0]
    assert not program.running
