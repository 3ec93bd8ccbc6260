"""The stage: a simulated Herdr with agents at work, and the controller connected as `attention setup` connects it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attention_framework import HostUnavailable

from ..manifest import PLUGIN_ID
from ..simulator import SimulatedHerdr
from .cast import CAST, Actor, Sabotage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

SETTINGS: Final = """\
plugins = ["herdr", "omp_keys", "policies"]

[focus]
sources = ["herdr"]

[agents.omp]
transport = ["{transport}"]
"""
PAUSED: Final = "P A U S E D"
LOOK_EVERY_S: Final = 0.05
SETUP_S: Final = 180.0
LEAVE_S: Final = 10.0
FOREIGN: Final = ("ATTENTION_", "HERDR_")
"""Variables of the person's own settings and Herdr, which have no part in this."""


class Stage:
    """Everything lies in one temporary folder, and nothing is left of it."""

    def __init__(self, sabotage: Sabotage = Sabotage.NONE) -> None:
        self.sabotage = sabotage
        self.setup_s = 0.0
        """How long setup took: the measure for this machine."""
        self.actors: list[Actor] = []
        self.switches = 0
        self._cleanup = contextlib.ExitStack()
        self._never = threading.Event()

    def __enter__(self) -> Stage:
        with contextlib.ExitStack() as stack:
            root = Path(tempfile.mkdtemp(prefix="attention-demo-"))
            stack.callback(shutil.rmtree, root, ignore_errors=True)
            stack.enter_context(_without_foreign_variables(root))
            stack.callback(end_children, root)
            self.state, self.config = root / "state", root / "attention.toml"
            transport = "omp-prompt" if self.sabotage is Sabotage.TYPED_PAUSE else "omp-mailbox"
            self.config.write_text(SETTINGS.format(transport=transport), encoding="utf-8")
            # Where Herdr would be if `root` was the user's configuration folder: no other one is found.
            self.herdr = stack.enter_context(SimulatedHerdr(root / "herdr", startup_grace_s=0))
            stack.callback(self._disconnect)
            self.began_ms = _now_ms()
            self._set_up()
            self.enter_actors(root)
            self._cleanup = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cleanup.close()

    # --- what the person does

    def focus(self, *order: Actor) -> None:
        """Go to an agent. Several, one after the other: so quickly that Herdr tells of the last one alone."""
        before, last = self.looked_at(), order[-1]
        self.herdr.focus_in_one_pass(*(actor.pane for actor in order))
        now = _now_ms()
        self.switches += len(order)
        if before is not last:
            before.visits[-1] = (before.visits[-1][0], now)
            last.visits.append((now, None))

    def press_escape(self) -> None:
        self.herdr.press("esc")

    def move(self, actor: Actor) -> None:
        """To a workspace of its own. Its process keeps the old id."""
        actor.pane = self.herdr.move_pane(actor.pane)

    # --- what can be seen

    def looked_at(self) -> Actor:
        return next(actor for actor in self.actors if actor.visits and actor.visits[-1][1] is None)

    def is_paused(self, actor: Actor) -> bool:
        return PAUSED in self.herdr.screen(actor.pane)

    def wait(self, condition: Callable[[], bool], bound_s: float, look: Callable[[], None]) -> bool:
        """Look again and again until the condition holds. False after the bound."""
        end = time.monotonic() + bound_s
        while not condition():
            look()
            if time.monotonic() > end:
                return False
            self.rest()
        look()
        return True

    def rest(self, seconds: float = LOOK_EVERY_S) -> None:
        self._never.wait(seconds)

    def elapsed_s(self) -> float:
        return (_now_ms() - self.began_ms) / 1000

    # ---

    def _set_up(self) -> None:
        if self.sabotage is Sabotage.NO_CONTROLLER:
            return
        began = time.monotonic()
        done = self._run("setup", "herdr", "--yes")
        self.setup_s = time.monotonic() - began
        if done.returncode != 0:
            raise HostUnavailable(f"the demo could not be set up: {(done.stderr or done.stdout).strip()}")

    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.attention(), *words],
            env={**os.environ, "HERDR_SOCKET_PATH": self.herdr.address},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SETUP_S,
            check=False,
        )

    def attention(self) -> list[str]:
        return [
            sys.executable,
            "-m",
            "attention_framework",
            "--config",
            str(self.config),
            "--state",
            str(self.state),
        ]

    def enter_actors(self, root: Path) -> None:
        import json

        panes = ["w1:p1", self.herdr.split("w1:p1"), self.herdr.split("w1:p1", "down")]
        for (name, draft), pane in zip(CAST, panes, strict=True):
            self.actors.append(Actor(name, draft, root / name, pane, pane))
        if self.sabotage is Sabotage.DEAF_AGENT:
            self.actors[-1].options = ("--deaf",)
        silent = self.sabotage is Sabotage.NO_CONTROLLER
        waking = ["--no-runner"] if silent else ["--runner", json.dumps([*self.attention(), "reconcile"])]
        self.actors[0].visits.append((_now_ms(), None))
        for actor in self.actors:
            work = ["--state", str(self.state), "--record", str(actor.folder), "--busy-ms", "-1", *waking]
            self.herdr.start_agent(
                actor.pane, *work, "--draft", actor.draft, "--title", actor.name, *actor.options
            )

    def _disconnect(self) -> None:
        """The end of the agents is no news for the controller."""
        if self.sabotage is not Sabotage.NO_CONTROLLER:
            self.herdr.call("plugin.unlink", plugin_id=PLUGIN_ID)
            self._run("stop")
        self.herdr.wait_hooks(LEAVE_S)


@contextlib.contextmanager
def _without_foreign_variables(root: Path) -> Iterator[None]:
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


def end_children(root: Path) -> None:
    """Controllers that agents have started are nobody's children. They name this folder, end soon by themselves, or are ended."""
    import psutil

    found = []
    for process in psutil.process_iter(["pid", "cmdline"]):
        words = process.info["cmdline"] or []
        if process.pid != os.getpid() and any(str(root) in word for word in words):
            found.append(process)
    _, left = psutil.wait_procs(found, timeout=LEAVE_S)
    for process in left:
        with contextlib.suppress(psutil.Error):
            process.kill()


def _now_ms() -> float:
    return time.time_ns() / 1e6
