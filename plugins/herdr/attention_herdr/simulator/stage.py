"""What can be done on a simulated Herdr: panes, programs, the person's keys, and looking at all of it."""

from __future__ import annotations

import random
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from . import agents, keys, moving, panes, shapes
from .clock import SystemClock
from .methods import answer
from .params import checked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .app import App
    from .hub import Event
    from .programs import Program
    from .state import Pane

T = TypeVar("T")
AGENT = "attention_herdr.simulator.agent"


class Stage:
    """All methods may be called from any thread, and return when what they did has been told to hooks and
    subscribers. A pane is named by its id of today or an earlier one.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._programs: list[Program] = []

    # --- panes and programs

    def add_workspace(
        self, cwd: str | Path | None = None, label: str | None = None, *, focus: bool = False
    ) -> str:
        """The id of its first pane."""
        return self._do(lambda: panes.create_workspace(self._app, _text(cwd), label, focus=focus).id)

    def add_tab(self, workspace: str = "w1", cwd: str | Path | None = None, *, focus: bool = False) -> str:
        """The id of its first pane."""
        return self._do(
            lambda: (
                panes.create_tab(self._app, self._app.state.workspace(workspace), _text(cwd), focus=focus).id
            )
        )

    def split(
        self, pane: str, direction: str = "right", cwd: str | Path | None = None, *, focus: bool = False
    ) -> str:
        """The id of the new pane."""
        return self._do(
            lambda: panes.split(self._app, self._pane(pane), direction, 0.5, _text(cwd), focus=focus).id
        )

    def run(
        self,
        pane: str,
        argv: Sequence[str],
        *,
        kind: str | None = None,
        environment: Mapping[str, str] | None = None,
        closes_pane: bool = False,
    ) -> int:
        """Start a program in a pane; its pid. With a `kind` it is an agent
        of that kind. `closes_pane`: the pane goes when it ends.
        """

        def start() -> int:
            place = self._pane(pane)
            program = agents.run(self._app, place, argv, kind, environment or {}, closes_pane=closes_pane)
            self._programs.append(program)
            return program.pid

        return self._do(start)

    def start_agent(
        self, pane: str, *options: str, kind: str = "omp", environment: Mapping[str, str] | None = None
    ) -> int:
        """Start the simulated agent (`python -m attention_herdr.simulator.agent OPTIONS`) in a pane; its pid."""
        root = str(Path(__file__).parents[2])
        search = {"PYTHONPATH": root, **(environment or {})}
        return self.run(pane, [sys.executable, "-m", AGENT, *options], kind=kind, environment=search)

    def kill(self, pane: str) -> None:
        """End a pane's program as `kill -9` does, and wait until the server has noticed."""
        program = self._do(lambda: self._pane(pane).program)
        if program is not None:
            program.kill()
            self._do(lambda: None)

    def close_pane(self, pane: str) -> None:
        self._do(lambda: panes.close_pane(self._app, self._pane(pane)))

    def move_pane(self, pane: str, workspace: str | None = None, *, focus: bool = False) -> str:
        """To a new tab of a workspace, or to a new workspace; the id that it has now."""
        target: dict[str, object] = {"type": "new_workspace"}
        if workspace:
            target = {"type": "new_tab", "workspace_id": workspace}

        def move() -> str:
            place = self._pane(pane)
            moving.move(self._app, place, target, focus=focus)
            return place.id

        return self._do(move)

    # --- the person

    def focus(self, pane: str) -> None:
        self._do(lambda: self._focus(pane))

    def focus_in_one_pass(self, *order: str) -> None:
        """Several changes that the server takes in together: it tells the last one alone."""
        self._app.loop.one_pass([partial(self._focus, pane) for pane in order])

    def storm(self, switches: int, seed: int = 0, among: Sequence[str] | None = None) -> list[str]:
        """Many changes of focus, each told; the panes in the order
        in which they had it. Never the same pane twice in a row.
        """
        dice, visited = random.Random(seed), [self.focused or ""]
        for _ in range(switches):
            choice = [pane for pane in among or self.pane_ids() if pane != visited[-1]]
            if not choice:
                break
            visited.append(dice.choice(choice))
            self.focus(visited[-1])
        return visited[1:]

    def press(self, *names: str) -> None:
        """Keys typed into the focused pane."""
        self._type(b"".join(keys.encode_all(list(names))))

    def type_text(self, text: str) -> None:
        """Text typed into the focused pane."""
        self._type(text.encode())

    def outer_focus(self, focused: bool) -> None:
        """The terminal window around Herdr gains or loses the focus."""
        self._do(lambda: self._app.focus.outer(focused))

    # --- looking

    @property
    def focused(self) -> str | None:
        """The id of the focused pane."""
        pane = self._do(lambda: self._app.state.focused)
        return pane.id if pane else None

    def pane_ids(self) -> list[str]:
        return self._do(lambda: [pane.id for pane in self._app.state.panes()])

    def pane(self, pane: str) -> dict[str, Any]:
        """As `pane.get` shows it."""
        return self._do(lambda: shapes.pane(self._app.state, self._pane(pane)))

    def screen(self, pane: str) -> str:
        return self._do(lambda: self._pane(pane).screen.text())

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """The `result` of a method, without going over the socket. Raises ApiError."""
        return self._do(lambda: answer(self._app, method, checked(method, params, "")))

    def events(self) -> list[Event]:
        """What the ring keeps."""
        return self._app.hub.events()

    @property
    def notifications(self) -> list[dict[str, Any]]:
        return list(self._app.notifications)

    def hook_log(self, plugin: str | None = None) -> list[dict[str, Any]]:
        return self._app.hooks.rows(plugin, 200)

    def wait_hooks(self, bound_s: float = 30.0) -> bool:
        """Wait until no hook runs. False after the bound."""
        return self._app.hooks.wait_idle(bound_s)

    def wait_screen(self, pane: str, seen: Callable[[str], bool], bound_s: float = 10.0) -> str:
        """Wait until the screen fits. Raises TimeoutError with what is there."""
        clock, pause = SystemClock(), threading.Event()
        end = clock.now_s() + bound_s
        while not seen(text := self.screen(pane)):
            if clock.now_s() > end:
                raise TimeoutError(f"pane {pane} still shows:\n{text}")
            clock.sleep(0.01, pause)
        return text

    def _do(self, step: Callable[[], T]) -> T:
        return self._app.loop.call(step)

    def _pane(self, pane: str) -> Pane:
        return self._app.state.pane(pane)

    def _focus(self, pane: str) -> None:
        panes.focus_pane(self._app, self._pane(pane))

    def _type(self, data: bytes) -> None:
        def send() -> None:
            pane = self._app.state.focused
            if pane is not None and pane.program is not None:
                pane.program.send(data)

        self._do(send)


def _text(path: str | Path | None) -> str | None:
    return None if path is None else str(path)
