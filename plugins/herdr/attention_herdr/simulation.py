"""The stage of the demo, as `attention verify --simulated` uses it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, Final

from attention_framework import HostUnavailable

from .client import HerdrClient
from .demo.cast import Sabotage
from .demo.stage import Stage
from .focus import TRIAL_S, HerdrFocus
from .trial import HerdrTrial

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from attention_framework import Trial

CALL_MS: Final = 250
CALLS: Final = 400
"""More than a run takes, for a prompt."""
LEAKY: Final = "leaky-agent"
OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {LEAKY: ("--leaky",), "deaf-agent": ("--deaf",)}
"""What a broken agent is started with."""


class HerdrSimulation:
    """A simulated Herdr, the real controller as `attention setup` arranges it, and simulated agents."""

    sabotages: ClassVar[Sequence[str]] = (LEAKY, "deaf-agent", "typed-pause")

    def __init__(self, sabotage: str) -> None:
        self._agents = OPTIONS.get(sabotage, ())
        self._stage = EmptyStage(Sabotage.TYPED_PAUSE if sabotage == "typed-pause" else Sabotage.NONE)
        self._folders: dict[str, Path] = {}

    def __enter__(self) -> HerdrSimulation:
        self._stage.__enter__()
        self.config, self.state = self._stage.config, self._stage.state
        return self

    def __exit__(self, *how: Any) -> None:
        self._stage.__exit__(*how)

    def trial(self) -> Trial:
        from attention_framework import Session, real_effects

        herdr = self._stage.herdr
        client = HerdrClient(herdr.address, real_effects(), TRIAL_S)
        return SimulatedTrial(Session(HerdrFocus.name, herdr.address), client, self)

    def start(self, pane: str, folder: Path, environment: Mapping[str, str]) -> None:
        self._folders[pane] = folder
        runner = json.dumps([*self._stage.attention(), "reconcile"])
        waking = ("--state", str(self.state), "--runner", runner, "--record", str(folder))
        work = ("--call-ms", str(CALL_MS), "--calls-per-prompt", str(CALLS))
        self._stage.herdr.start_agent(
            pane, *waking, *work, "--title", folder.name, *self._agents, environment=environment
        )

    def calls(self, pane: str) -> Sequence[tuple[float, float | None]]:
        path = self._folders[pane] / "work.jsonl"
        began: dict[int, float] = {}
        ended: dict[int, float] = {}
        for line in path.read_bytes().splitlines() if path.exists() else ():
            entry = json.loads(line)
            (began if entry["step"] == "start" else ended)[entry["call"]] = entry["at_ms"]
        return [(at_ms, ended.get(call)) for call, at_ms in began.items()]


class EmptyStage(Stage):
    """Without the demo's actors."""

    def enter_actors(self, root: Path) -> None:
        if not self.herdr.wait_hooks():
            raise HostUnavailable("the startup hook of the simulated Herdr does not end")


class SimulatedTrial(HerdrTrial):
    """The real methods of a simulated Herdr; only a shell that could start a program it has none."""

    def __init__(self, session: Any, client: HerdrClient, simulation: HerdrSimulation) -> None:
        super().__init__(session, client)
        self._simulation = simulation

    def start(self, pane: str, command: str, folder: Path, environment: Mapping[str, str]) -> None:
        self._simulation.start(pane, folder, environment)
