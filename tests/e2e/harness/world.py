"""A person's machine in a folder: a host, a scripted model, the real controller with its real settings, and the agents."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from attention_framework import real_effects
from attention_framework.journal import Journal
from attention_framework.serve.client import NoServer, server_status
from attention_framework.serve.work import SAFETY_MS
from attention_framework.state.folder import StateFolder
from attention_framework.testing import until

from .agent import Agent
from .omp_home import ENVIRONMENT, write_home
from .processes import running_with

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from .hosts import HostDriver
    from .model_server import ScriptedModel

EFFECTS = real_effects()
COMMAND_WITHIN_S = 60.0
START_WITHIN_S = 30.0
SETTLE_WITHIN_S = SAFETY_MS / 1000 + 5
SETTINGS = """\
plugins = {plugins}

[focus]
sources = ["{host}"]

[agents.omp]
transport = ["{transport}"]
statuses = {statuses}

[log]
level = "DEBUG"
"""
EDITOR = """\
#!/bin/sh
touch editor.started
for i in $(seq 6000); do [ -e editor.go ] && break; sleep 0.05; done
echo edited >> "$1"
"""


@dataclass(slots=True)
class World:
    """Made once for each test. `start` first, then `set_up`, then `agent`."""

    folder: Path
    host: HostDriver
    model: ScriptedModel
    omp: str
    """Folder of OMP's programs."""
    resident: bool = True
    """Whether the resident controller stays that `setup` starts, or every event runs a controller of its own."""
    agents: list[Agent] = field(default_factory=list)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def settings(self) -> Path:
        return self.folder / "attention.toml"

    @property
    def editor(self) -> Path:
        """An external editor that runs until `<work folder>/editor.go` is there, then adds a line to the text."""
        return self.folder / "editor"

    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.pathsep.join([self.omp, "/usr/local/bin", "/usr/bin", "/bin"]),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            "PS1": "$ ",
            "EDITOR": str(self.editor),
            **ENVIRONMENT,
        }

    def start(self, approval: str = "yolo") -> None:
        self.home.mkdir()
        write_home(self.home, self.model.url, approval)
        self.editor.write_text(EDITOR)
        self.editor.chmod(0o755)
        self.host.start(self.folder, self.environment())

    def set_up(
        self,
        transport: str = "omp-mailbox",
        statuses: str = '["idle", "working", "done"]',
        more: str = "",
        hooks: bool = True,
        plugins: Sequence[str] = (),
    ) -> None:
        """What a person does: settings, then `attention setup`. Without `hooks` the host tells of no change of the focus."""
        self.configure(transport, statuses, more, plugins)
        self.attention("setup", *([self.host.name] if hooks else []), "omp", "--yes")
        if not self.resident:
            until(lambda: not self._starting(), START_WITHIN_S, what="nobody starts the controller any more")
            self.attention("stop")

    def configure(self, transport: str, statuses: str, more: str = "", plugins: Sequence[str] = ()) -> None:
        """The settings alone: every process that starts from now on reads them."""
        enabled = [self.host.plugin, "omp_keys", "policies", *plugins]
        self.settings.write_text(
            SETTINGS.format(
                plugins=json.dumps(enabled), host=self.host.name, transport=transport, statuses=statuses
            )
            + more
        )

    def command(self, *words: str) -> list[str]:
        """A call of `attention` with this state folder and these settings."""
        attention = [sys.executable, "-m", "attention_framework"]
        return [*attention, "--state", str(self.state), "--config", str(self.settings), *words]

    def until_served(self) -> int:
        """Process id of the resident controller, which the host starts by itself."""
        until(lambda: self.served_by() is not None, START_WITHIN_S, what="the resident controller answers")
        pid = self.served_by()
        assert pid is not None
        return pid

    def served_by(self) -> int | None:
        """None: no resident controller answers."""
        try:
            return int(server_status(StateFolder(self.state), EFFECTS)["pid"])
        except NoServer:
            return None

    def attention(self, *words: str) -> str:
        """Output of a command. Raises AssertionError when it fails."""
        done = subprocess.run(
            self.command(*words),
            env={**self.environment(), **self.host.environment()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=COMMAND_WITHIN_S,
            check=False,
        )
        assert done.returncode == 0, (
            f"attention {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        )
        return done.stdout

    def agent(self, name: str, program: str = "omp", render_delay_ms: int = 0) -> Agent:
        """An OMP, started by the person in a pane of its own, which has the focus.

        `render_delay_ms` makes it draw late, as on a machine or a line that is slow.
        """
        agent = Agent(self, name, self.host.open() if self.agents else self.host.first_pane())
        self.agents.append(agent)
        agent.start(program, render_delay_ms)
        return agent

    def stop(self) -> None:
        """End the controller and the host, and wait for what that sets off: agents that say goodbye, runners that
        they start.
        """
        try:
            if self.settings.exists():
                self.attention("stop")
        finally:
            self.host.stop()
        until(lambda: not self.processes(), 20, what="everything that was started here has ended")

    def processes(self) -> list[str]:
        """Command lines of what runs with this HOME."""
        return [f"{running.pid} {' '.join(running.words)}" for running in running_with(self.home)]

    def _starting(self) -> list[str]:
        """The host does it too, on its own, when it takes over its configuration."""
        return [line for line in self.processes() if "serve --detach" in line]

    def switch(self, agent: Agent) -> None:
        self.host.focus(agent.pane)

    def journal(self) -> list[dict[str, Any]]:
        """From its beginning: a long day's does not fit into one file."""
        return list(Journal(self.state / "journal.jsonl", EFFECTS, print).read())

    def status_files(self) -> Iterator[dict[str, Any]]:
        for path in self.state.glob("sessions/*/agents/*.json"):
            try:
                yield json.loads(path.read_text())
            except FileNotFoundError:  # Its agent has ended since.
                continue

    def settle(self) -> None:
        """Until no wake-up is waiting for a cycle. One whose process was killed waits for the controller's own look."""
        waiting = partial(self.state.glob, "sessions/*/wake/*")
        until(lambda: not any(waiting()), SETTLE_WITHIN_S, what="every wake-up has been handled")

    def report(self) -> str:
        """For a test that fails: what was on the screens, and what the controller wrote."""
        parts = [f"--- screen of {agent.name} ({agent.pane})\n{_screen(agent)}" for agent in self.agents]
        for name in ("journal.jsonl", "attention.log", "omp-extension.log"):
            path = self.state / name
            if path.exists():
                parts.append(f"--- {name}\n" + "\n".join(path.read_text().splitlines()[-40:]))
        parts += [f"--- {json.dumps(status)}" for status in self.status_files()]
        parts += ["--- what runs", *self.processes()]
        for marker in self.state.glob("sessions/*/wake/*"):
            parts.append(f"--- a wake-up that waits: {marker}: {marker.read_text()}")
        return "\n".join(parts)


def two_agents(world: World, render_delay_ms: int = 0) -> tuple[Agent, Agent]:
    """The first has the focus and runs, the second is paused. Starting the second one pauses the first."""
    first, second = world.agent("a", render_delay_ms=render_delay_ms), world.agent("b")
    first.until_paused()
    world.switch(first)
    first.resume()
    second.until_paused()
    return first, second


def _screen(agent: Agent) -> str:
    try:
        rows = agent.screen().splitlines()
    except AssertionError as error:
        return str(error)
    return "\n".join(row for row in rows if row.strip())
