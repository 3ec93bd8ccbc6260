"""Real OMPs in the panes of a real tmux, with the person at a real client: the machine of the end-to-end tests."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from switches import REFLEX, Switch, children_s, now_ms, own_and_children_s, until

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.e2e.harness.model_server import Say, ScriptedModel  # noqa: E402
from tests.e2e.harness.programs import omp_folder, provided  # noqa: E402
from tests.e2e.harness.tmux_host import TmuxHost  # noqa: E402
from tests.e2e.harness.tools import touch  # noqa: E402
from tests.e2e.harness.world import World  # noqa: E402

if TYPE_CHECKING:
    from types import TracebackType

    from tests.e2e.harness.agent import Agent

BUSY_STEPS = 5_000
SETTLE_S = 0.4
WARM_WITHIN_S = 60.0


def missing() -> str:
    """What is not there; empty if all is."""
    if shutil.which("tmux") is None:
        return "tmux"
    return "" if provided("omp")[0] else "OMP (python3 tools/provision.py omp)"


class OmpOnTmux:
    def __init__(self, mode: str) -> None:
        self._mode = mode
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            folder = Path(tempfile.mkdtemp(prefix="attention-"))
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            self.model = stack.enter_context(ScriptedModel())
            resident = self._mode in ("resident", "reflex")
            self.world = World(folder, TmuxHost(), self.model, omp_folder(), resident=resident)
            stack.callback(self.world.stop)
            self.world.start()
            try:
                self._connect()
                self._begin()
            except (AssertionError, TimeoutError) as error:
                raise AssertionError(f"{error}\n{self.world.report()}") from error
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def keep_busy(self) -> None:
        steps = [touch("step") for _ in range(BUSY_STEPS)]
        self.left.prompt(f"go {self.model.play('busy', *steps, Say('NEVER'))}")
        assert until(lambda: len(self.model.asked("busy")) > 4), "the agent is busy"

    def switch(self) -> Switch | None:
        seen, pressed = len(self.left.look().events), now_ms()
        self.world.host.press_focus(self.other.pane)
        if not until(self._paused):
            return None
        time.sleep(SETTLE_S)
        look = self.left.look()
        # Both clocks run alike; the coarse one is cut off, so the greatest difference is nearest to the truth.
        origin = max(event.at - event.fine for event in look.events)
        events = [(event.what, origin + event.fine - pressed) for event in look.events[seen:]]
        after = [(what, at_ms) for what, at_ms in events if at_ms > 0]
        gate_ms = next(at_ms for what, at_ms in after if what == "gate-engaged")
        shown_ms = next(at_ms for what, at_ms in after if what == "screen-shown")
        acknowledged = self._acknowledged_ms()
        started = sum(what.startswith("tool_execution_start") for what, _ in after)
        return Switch(gate_ms, shown_ms if acknowledged is None else acknowledged - pressed, started)

    def back(self) -> None:
        asked = len(self.model.asked("busy"))
        self.world.switch(self.left)
        if self.left.look().paused:
            self.left.resume()
        if asked:
            until(lambda: len(self.model.asked("busy")) > asked + 3)
        time.sleep(SETTLE_S)
        self.world.settle()

    def cpu_s(self) -> float:
        pids = [agent.look().pid for agent in (self.left, self.other)]
        return (
            own_and_children_s(self._server)
            + (own_and_children_s(self._serve) if self._serve else 0.0)
            + sum(map(children_s, pids))
        )

    # ---

    def _connect(self) -> None:
        world = self.world
        world.set_up(
            hooks=self._mode != "original",
            transport="omp-keys" if self._mode == "original" else "omp-mailbox",
            more=f'\n[reflex]\nmode = "{REFLEX[self._mode]}"\n',
        )
        if self._mode == "original":
            self._connect_original()
        self._serve = world.until_served() if world.resident else 0

    def _connect_original(self) -> None:
        """Its process at each change of the focus, and nobody else whom the agents could wake."""
        for config in self.world.home.rglob("config.json"):
            document: dict[str, Any] = json.loads(config.read_text())
            if "runner" in document:
                config.write_text(json.dumps({**document, "runner": ["true"]}))
        server = self.world.host.server  # type: ignore[attr-defined]
        command = f"{sys.executable} {Path(__file__).with_name('original.py')} tmux {server.socket} C-M-p"
        server.run("set-hook", "-g", "window-pane-changed", f'run-shell -b "{command}"')

    def _begin(self) -> None:
        """Both are warm: the first command of an OMP blocks its loop for two seconds."""
        world = self.world
        self._server = int(world.host.server.run("display-message", "-p", "#{pid}"))  # type: ignore[attr-defined]
        self.left, self.other = world.agent("a"), world.agent("b")
        self._warm(self.other)
        assert until(self._paused), "the one that was left is paused"
        world.switch(self.left)
        time.sleep(SETTLE_S)
        self.left.resume()
        self._warm(self.left)
        until(lambda: self.other.look().paused)
        time.sleep(SETTLE_S)

    def _warm(self, agent: Agent) -> None:
        name = f"warm-{agent.name}"
        script = self.model.play(name, touch("warm"), touch("warm2"), Say("WARM"))
        agent.prompt(f"go {script}")
        # By the agent itself: a screen costs a process for each look, and may show something else by now.
        assert until(lambda: agent.wrote("warm2") and agent.look().idle, WARM_WITHIN_S, 0.1), (
            f"{agent.name} is warm: it has asked for the steps {self.model.asked(name)}"
        )

    def _paused(self) -> bool:
        """By its status file alone: a look into the process would be in its way."""
        for path in self.world.state.glob(f"sessions/*/agents/*.{self._pid}.json"):
            try:
                status = json.loads(path.read_text())
            except (FileNotFoundError, ValueError):
                continue
            return status["state"] == "paused" and status["shown"] == "overlay"
        return False

    @property
    def _pid(self) -> int:
        if not hasattr(self, "_left_pid"):
            self._left_pid: int = self.left.look().pid
        return self._left_pid

    def _acknowledged_ms(self) -> float | None:
        for path in self.world.state.glob(f"sessions/*/mailbox/*.{self._pid}/ack.json"):
            return float(json.loads(path.read_text())["shown_ms"])
        return None
