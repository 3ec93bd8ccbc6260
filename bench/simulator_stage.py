"""Simulated agents in a simulated Herdr, with the real controller: runs everywhere, and needs no other program."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from attention_herdr.simulator import SimulatedHerdr
from switches import REFLEX, Switch, children_s, now_ms, own_and_children_s, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

SETTINGS = """\
plugins = ["herdr", "omp_keys", "policies"]
[focus]
sources = ["herdr"]
[reflex]
mode = "{reflex}"
"""
ORIGINAL = """\
id = "original"
name = "Original"
version = "0.1.0"
min_herdr_version = "0.7.5"
platforms = ["linux", "macos"]
[[events]]
on = "pane.focused"
command = {command}
"""
SETTLE_S = 0.3
CALL_MS = 20
FOREIGN = ("ATTENTION_", "HERDR_")


class AgentsInSimulator:
    def __init__(self, mode: str) -> None:
        self._mode = mode
        self._stack = ExitStack()
        self._serve = 0

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.root = Path(tempfile.mkdtemp(prefix="attention-"))
            stack.callback(shutil.rmtree, self.root, ignore_errors=True)
            stack.enter_context(own_environment(self.root))
            self.state, self.config = self.root / "state", self.root / "attention.toml"
            self.config.write_text(SETTINGS.format(reflex=REFLEX[self._mode]), encoding="utf-8")
            self.herdr = stack.enter_context(SimulatedHerdr(self.root / "herdr", startup_grace_s=0))
            stack.callback(self._disconnect)
            self._connect()
            self._begin()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def keep_busy(self) -> None:
        self._kill(self.left)
        self._start("left", self.left, "--busy-ms", "-1")
        assert until(lambda: len(self._lines("work.jsonl")) > 2), "the agent is busy"
        self.switch()  # One that has just started is spared until the focus moves.
        self.herdr.focus(self.left)
        self.back()

    def switch(self) -> Switch | None:
        pressed = now_ms()
        self.herdr.focus(self.other)
        if not until(self._paused):
            return None
        time.sleep(SETTLE_S)
        events = [line for line in self._lines("agent.jsonl") if line["at_ms"] > pressed]
        gate = next(line["at_ms"] for line in events if line["what"] == "gate-engaged")
        shown = next(line["at_ms"] for line in events if line["what"] == "paused")
        starts = [line for line in self._lines("work.jsonl") if line["step"] == "start"]
        acknowledged = self._acknowledged_ms()
        return Switch(
            gate - pressed,
            (shown if acknowledged is None else acknowledged) - pressed,
            sum(line["at_ms"] > pressed for line in starts),
        )

    def back(self) -> None:
        self.herdr.focus(self.left)
        self.herdr.wait_hooks()
        if self._paused():
            self.herdr.press("enter")
            until(lambda: not self._paused())
        time.sleep(SETTLE_S)
        self.herdr.wait_hooks()

    def cpu_s(self) -> float:
        """Hooks are children of this process, and agents that have ended; those that run are asked for theirs."""
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (
            ended.ru_utime
            + ended.ru_stime
            + (own_and_children_s(self._serve) if self._serve else 0.0)
            + sum(map(children_s, self._pids.values()))
        )

    @property
    def serve_pid(self) -> int:
        return self._serve

    # ---

    def attention(self, *words: str) -> str:
        done = subprocess.run(
            [*self._command(), *words],
            env={**os.environ, "HERDR_SOCKET_PATH": self.herdr.address},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _command(self) -> list[str]:
        config = ["--config", str(self.config), "--state", str(self.state)]
        return [sys.executable, "-m", "attention_framework", *config]

    def _connect(self) -> None:
        if self._mode == "original":
            folder = self.root / "original"
            folder.mkdir()
            script = Path(__file__).with_name("original.py")
            command = [sys.executable, str(script), "herdr", self.herdr.address, "ctrl+alt+p"]
            (folder / "herdr-plugin.toml").write_text(ORIGINAL.format(command=json.dumps(command)))
            self.herdr.call("plugin.link", path=str(folder))
            return
        self.attention("setup", "herdr", "--yes")
        if self._mode == "one-shot":
            self.attention("stop")
        else:
            self.attention("serve", "--detach")
            self._serve = json.loads((self.state / "serve.json").read_text())["pid"]

    def _disconnect(self) -> None:
        for plugin in self.herdr.call("plugin.list")["plugins"]:
            self.herdr.call("plugin.unlink", plugin_id=plugin["plugin_id"])
        self.herdr.wait_hooks()
        if self._mode != "original":
            self.attention("stop")

    def _begin(self) -> None:
        self._pids: dict[str, int] = {}
        self.left, self.other = "w1:p1", self.herdr.split("w1:p1")
        self._start("left", self.left)
        self._start("other", self.other)
        time.sleep(SETTLE_S)
        for pane in (self.other, self.left):
            self.herdr.focus(pane)
            self.herdr.wait_hooks()
            time.sleep(SETTLE_S)
        if self._paused():
            self.back()

    def _start(self, name: str, pane: str, *options: str) -> None:
        runner = (
            ["--no-runner"]
            if self._mode == "original"
            else ["--runner", json.dumps([*self._command(), "reconcile"])]
        )
        record = self.root / name
        shutil.rmtree(record, ignore_errors=True)
        words = [
            "--state",
            str(self.state),
            "--record",
            str(record),
            "--call-ms",
            str(CALL_MS),
            *runner,
            *options,
        ]
        self._pids[pane] = self.herdr.start_agent(pane, *words)
        assert until(lambda: bool(self._status(pane))), "it has said hello"

    def _kill(self, pane: str) -> None:
        self.herdr.kill(pane)

    def _status(self, pane: str) -> dict[str, Any]:
        for path in self.state.glob(f"sessions/*/agents/*.{self._pids[pane]}.json"):
            with contextlib.suppress(FileNotFoundError, ValueError):
                found: dict[str, Any] = json.loads(path.read_text())
                return found
        return {}

    def _paused(self) -> bool:
        status = self._status(self.left)
        return status.get("state") == "paused" and status.get("shown") is not None

    def _acknowledged_ms(self) -> float | None:
        for path in self.state.glob(f"sessions/*/mailbox/*.{self._pids[self.left]}/ack.json"):
            return float(json.loads(path.read_text())["shown_ms"])
        return None

    def _lines(self, name: str) -> list[dict[str, Any]]:
        path = self.root / "left" / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@contextlib.contextmanager
def own_environment(root: Path) -> Iterator[None]:
    """The person's own settings and Herdr have no part in this."""
    kept = dict(os.environ)
    for name in kept:
        if name.upper().startswith(FOREIGN):
            del os.environ[name]
    os.environ["XDG_CONFIG_HOME"] = str(root)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)
