"""The simulator against recordings of a real Herdr 0.8.2:
every recorded request is made again, and what comes back has the same shape.

`recorded.json` has the shapes: keys in their order, and types. Where ATTENTION_RECORDINGS
names a folder with the recordings themselves (calls.jsonl, hooks.jsonl), they are read
afresh. `python test_recordings.py FOLDER` prints the file anew.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import SimulatedHerdr
from attention_herdr.simulator.client import exchange

if TYPE_CHECKING:
    from collections.abc import Callable

CONDENSED = Path(__file__).with_name("recorded.json")
FOLDER = os.environ.get("ATTENTION_RECORDINGS")
NO_FOLDER = "ATTENTION_RECORDINGS names no folder with recordings of a real Herdr"
STREAMED = ["pane.focused", "pane.agent_detected", "pane.exited", "pane.moved", "pane.created", "pane.closed"]


def shape(value: Any) -> Any:
    """Objects as lists of [key, shape] in their order, lists as their
    different shapes, everything else as the name of its type.
    """
    if isinstance(value, dict):
        return [[key, shape(inner)] for key, inner in value.items()]
    if isinstance(value, list):
        found: list[Any] = []
        for each in map(shape, value):
            if each not in found:
                found.append(each)
        return {"list": found}
    return type(value).__name__


def condense(folder: Path) -> dict[str, Any]:
    """The recordings, down to their shapes. Errors keep their words."""
    lines = [json.loads(line) for line in (folder / "calls.jsonl").read_text(encoding="utf-8").splitlines()]
    events: dict[str, list[Any]] = defaultdict(list)
    calls = []
    for line in lines:
        if line["kind"] == "call":
            calls.append(
                {"label": line["label"], "request": line["request"], "reply": _reply(line["response"])}
            )
        elif line["kind"] == "event" and "event" in (document := json.loads(line["line"])):
            add(events[document["event"]], shape(document))
    hooks: dict[str, list[Any]] = defaultdict(list)
    for line in (folder / "hooks.jsonl").read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        add(hooks[document["event"]], hook_shape(document["env"]))
    return {"calls": calls, "events": events, "hooks": hooks}


def hook_shape(environment: dict[str, str]) -> dict[str, Any]:
    names = sorted(name for name in environment if name.startswith("HERDR_"))
    context, event = (
        environment["HERDR_PLUGIN_CONTEXT_JSON"],
        environment.get("HERDR_PLUGIN_EVENT_JSON", "null"),
    )
    return {"names": names, "context": shape(json.loads(context)), "event": shape(json.loads(event))}


def add(shapes: list[Any], new: Any) -> None:
    if new not in shapes:
        shapes.append(new)


def _reply(text: str) -> Any:
    document = json.loads(text)
    return document if "error" in document else shape(document)


@pytest.fixture
def played(
    herdr: SimulatedHerdr, subscribe: Callable[..., Any], probe: Callable[..., Any], until: Callable[..., Any]
) -> Callable[..., Any]:
    """The scene of the recordings: w1:p1 idle, w1:p3 working, both with a conversation; w1:p1 has the focus."""
    herdr.close_pane(herdr.split("w1:p1"))
    herdr.split("w1:p1")
    start(herdr, "w1:p1", "idle", until)
    start(herdr, "w1:p3", "working", until)
    probe(
        "pane.agent_detected", "pane.agent_status_changed", "pane.closed", "pane.created", "pane.exited",
        "pane.focused", "pane.moved",
        "tab.focused", "workspace.focused", startup=True,
    )  # fmt: skip
    herdr.storm(1)
    herdr.focus("w1:p1")
    herdr.wait_hooks()
    stream = subscribe(*STREAMED)

    def play(calls: list[dict[str, Any]]) -> list[Any]:
        replies = []
        for call in calls:
            if "plugin.log.list" in call["request"]:
                herdr.wait_hooks()  # As in the recording, where a second had passed.
            replies.append(_reply(exchange(herdr.address, call["request"].encode() + b"\n").decode()))
        return replies

    play.stream = stream  # type: ignore[attr-defined]
    return play


def start(herdr: SimulatedHerdr, pane: str, state: str, until: Callable[..., Any]) -> None:
    busy = ["--busy-ms", "-1", "--call-ms", "60000"] if state == "working" else []
    herdr.start_agent(pane, "--without-extension", *busy)

    def settled() -> bool:
        now = herdr.pane(pane)
        return now["agent_status"] == state and "agent_session" in now and "terminal_title" in now

    until(settled)


def check(
    recorded: dict[str, Any], herdr: SimulatedHerdr, played: Any, tmp_path: Path, until: Callable[..., Any]
) -> None:
    for call, reply in zip(recorded["calls"], played(recorded["calls"]), strict=True):
        assert reply == call["reply"], call["label"]
    check_events(recorded["events"], played.stream)
    herdr.kill("w1:p1")
    until(lambda: "agent" not in herdr.pane("w1:p1"))
    start(herdr, "w1:p1", "idle", until)
    with SimulatedHerdr(herdr.config_dir, session="second") as second:
        second.wait_hooks()
    herdr.wait_hooks()
    check_hooks(recorded["hooks"], herdr.state_dir / "plugins" / "probe")


def check_events(recorded: dict[str, list[Any]], stream: Any) -> None:
    assert stream.next()["result"] == {"type": "subscription_started"}
    missing = {name: list(shapes) for name, shapes in recorded.items()}
    while any(missing.values()):
        line = stream.next()
        if shape(line) in missing.get(line["event"], []):
            missing[line["event"]].remove(shape(line))


def check_hooks(recorded: dict[str, list[Any]], folder: Path) -> None:
    told: dict[str, list[Any]] = defaultdict(list)
    for file in folder.glob("*.json"):
        environment = json.loads(file.read_text(encoding="utf-8"))["environment"]
        told[environment["HERDR_PLUGIN_EVENT"]].append(hook_shape(environment))
    for event, shapes in recorded.items():
        for each in shapes:
            assert each in told[event], event


def test_everything_recorded_has_the_same_shape_here(
    herdr: SimulatedHerdr, played: Any, tmp_path: Path, until: Callable[..., Any]
) -> None:
    check(json.loads(CONDENSED.read_text(encoding="utf-8")), herdr, played, tmp_path, until)


@pytest.mark.skipif(FOLDER is None, reason=NO_FOLDER)
def test_the_recordings_themselves_have_the_same_shape_here(
    herdr: SimulatedHerdr, played: Any, tmp_path: Path, until: Callable[..., Any]
) -> None:
    check(condense(Path(str(FOLDER))), herdr, played, tmp_path, until)


@pytest.mark.skipif(FOLDER is None, reason=NO_FOLDER)
def test_the_condensed_recordings_are_fresh() -> None:
    assert json.loads(CONDENSED.read_text(encoding="utf-8")) == condense(Path(str(FOLDER)))


if __name__ == "__main__":
    print(json.dumps(condense(Path(sys.argv[1])), ensure_ascii=False))
