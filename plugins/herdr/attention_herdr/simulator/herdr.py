"""A simulated Herdr in this process: what tests and the demo hold in their hands."""

from __future__ import annotations

import contextlib
import random
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import agents, keys, panes, shapes
from .app import App
from .clock import Clock, SystemClock
from .faults import Fault, Faults
from .methods import answer
from .server import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import TracebackType

    from .hub import Event

AGENT = "attention_herdr.simulator.agent"


class SimulatedHerdr:
    """One server. Use it as a context manager, or call `start` and `close`.

    `folder` stands for Herdr's config folder (a temporary one if not given); `session` names a session, as `herdr --session` does;
    `socket` overrides where it listens. `first_pane` makes the workspace `w1` with the pane `w1:p1`, as a fresh Herdr does.
    All methods may be called from any thread, and return when what they did has been told to hooks and subscribers.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        session: str | None = None,
        socket: Path | None = None,
        first_pane: bool = True,
        clock: Clock | None = None,
        seed: int = 0,
        startup_grace_s: float = 3.0,
    ) -> None:
        self._temporary = None if folder else Path(tempfile.mkdtemp(prefix="herdr-"))
        self.config_dir = folder or self._temporary or Path()
        place = self.config_dir / "sessions" / session if session else self.config_dir
        self.socket_path = socket or place / "herdr.sock"
        self.state_dir = self.config_dir / "state"
        self.faults = Faults()
        self._first_pane = first_pane
        self._app = App(clock or SystemClock(), str(self.socket_path), self.config_dir, self.state_dir, session, seed)
        self._app.startup_grace_s = startup_grace_s
        self._server: Server | None = None
        self._programs: list[agents.Program] = []
        self._begun = False

    def __enter__(self) -> SimulatedHerdr:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # --- the server's life

    @property
    def address(self) -> str:
        """What HERDR_SOCKET_PATH says."""
        return str(self.socket_path)

    @property
    def running(self) -> bool:
        return self._server is not None and not self._server.stopping.is_set()

    def start(self) -> None:
        """Listen, and run the startup hooks. The first start tells of the first pane's focus before them; later ones tell nothing."""
        self._server = Server(self._app, self.faults, self.socket_path)
        if not self._begun:
            self._begun = True
            self._app.loop.start()
            if self._first_pane:
                self._app.loop.call(lambda: panes.create_workspace(self._app, tell=False))
        self._app.loop.call(self._app.run_startup_hooks)

    def stop(self, *, keep_programs: bool = False) -> None:
        """Stop the server: the address is gone, connections end. Programs end too, unless it is a live handoff."""
        if self._server is not None:
            self._server.stop()
            self._server = None
        if not keep_programs:
            self._end_programs()
        self._app.loop.call(lambda: self._begin_anew(keep_programs))

    def restart(self, *, handoff: bool = False) -> None:
        """Pane ids stay. Programs are gone, unless it is a live handoff. Events and the plugin log are forgotten, startup hooks run again."""
        self.stop(keep_programs=handoff)
        self.start()

    def close(self) -> None:
        """End everything that was started, hooks too."""
        if self._server is not None:
            self._server.stop()
        self._end_programs()
        self._app.hooks.kill()
        self._app.hooks.wait_idle()
        if self._begun:
            self._app.loop.stop()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    # --- panes and programs; a pane is named by its id of today or an earlier one

    def add_workspace(self, cwd: str | Path | None = None, label: str | None = None, *, focus: bool = False) -> str:
        """The id of its first pane."""
        return self._do(lambda: panes.create_workspace(self._app, _text(cwd), label, focus=focus).id)

    def add_tab(self, workspace: str = "w1", cwd: str | Path | None = None, *, focus: bool = False) -> str:
        """The id of its first pane."""
        return self._do(lambda: panes.create_tab(self._app, self._app.state.workspace(workspace), _text(cwd), focus=focus).id)

    def split(self, pane: str, direction: str = "right", cwd: str | Path | None = None, *, focus: bool = False) -> str:
        """The id of the new pane."""
        return self._do(lambda: panes.split(self._app, self._app.state.pane(pane), direction, 0.5, _text(cwd), focus=focus).id)

    def run(
        self, pane: str, argv: Sequence[str], *, kind: str | None = None, environment: Mapping[str, str] | None = None, closes_pane: bool = False
    ) -> int:
        """Start a program in a pane; its pid. With a `kind` it is an agent of that kind. `closes_pane`: the pane goes when it ends."""

        def start() -> int:
            place = self._app.state.pane(pane)
            program = agents.run(self._app, place, argv, kind, environment or {}, closes_pane=closes_pane)
            self._programs.append(program)
            return program.pid

        return self._do(start)

    def start_agent(self, pane: str, *options: str, kind: str = "omp", environment: Mapping[str, str] | None = None) -> int:
        """Start the simulated agent (`python -m attention_herdr.simulator.agent OPTIONS`) in a pane; its pid."""
        root = str(Path(__file__).parents[2])
        search = {"PYTHONPATH": root, **(environment or {})}
        return self.run(pane, [sys.executable, "-m", AGENT, *options], kind=kind, environment=search)

    def kill(self, pane: str) -> None:
        """End a pane's program as `kill -9` does, and wait until the server has noticed."""
        program = self._do(lambda: self._app.state.pane(pane).program)
        if program is not None:
            program.kill()
            self._do(lambda: None)

    def close_pane(self, pane: str) -> None:
        self._do(lambda: panes.close_pane(self._app, self._app.state.pane(pane)))

    def move_pane(self, pane: str, workspace: str | None = None, *, focus: bool = False) -> str:
        """To a new tab of a workspace, or to a new workspace; the id that it has now."""
        target = {"type": "new_tab", "workspace_id": workspace} if workspace else {"type": "new_workspace"}

        def move() -> str:
            place = self._app.state.pane(pane)
            panes.move(self._app, place, target, focus=focus)
            return place.id

        return self._do(move)

    # --- the person

    def focus(self, pane: str) -> None:
        self._do(lambda: panes.focus_pane(self._app, self._app.state.pane(pane)))

    def focus_in_one_pass(self, *order: str) -> None:
        """Several changes that the server takes in together: it tells the last one alone."""
        self._app.loop.one_pass([lambda pane=pane: panes.focus_pane(self._app, self._app.state.pane(pane)) for pane in order])

    def storm(self, switches: int, seed: int = 0, among: Sequence[str] | None = None) -> list[str]:
        """Many changes of focus, each told; the panes in the order in which they had it. Never the same pane twice in a row."""
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
        return self._do(lambda: shapes.pane(self._app.state, self._app.state.pane(pane)))

    def screen(self, pane: str) -> str:
        return self._do(lambda: self._app.state.pane(pane).screen.text())

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """The `result` of a method, without going over the socket. Raises ApiError."""
        from .params import checked

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

    # --- trouble

    def fault(self, method: str, kind: str, **options: Any) -> None:
        """Order a fault (see `Fault`) for the next reply to a method, `*` for any."""
        self.faults.add(method, Fault(kind, **options))  # type: ignore[arg-type]

    def after(self, method: str, step: Callable[[], object]) -> None:
        """Do something when the next reply to a method has been made up and not yet sent."""
        assert self._server is not None
        self._server.after(method, step)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """The main loop stands still: `ping` is answered, nothing else. Only requests over the socket may be made inside."""
        reached, go_on = threading.Event(), threading.Event()

        def hold() -> None:
            reached.set()
            go_on.wait()

        self._app.loop.post(hold)
        reached.wait()
        try:
            yield
        finally:
            go_on.set()

    def _do(self, step: Callable[[], Any]) -> Any:
        return self._app.loop.call(step)

    def _type(self, data: bytes) -> None:
        def send() -> None:
            pane = self._app.state.focused
            if pane is not None and pane.program is not None:
                pane.program.send(data)

        self._do(send)

    def _end_programs(self) -> None:
        for program in self._programs:
            program.hang_up()
        for program in self._programs:
            program.end()
        self._programs.clear()

    def _begin_anew(self, keep_programs: bool) -> None:
        if not keep_programs:
            self._app.state.restore_ids()
        self._app.forget()


def _text(path: str | Path | None) -> str | None:
    return None if path is None else str(path)
