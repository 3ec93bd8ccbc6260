"""A simulated Herdr in this process: what tests and the demo hold in their hands."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import panes
from .app import App
from .clock import Clock, SystemClock
from .faults import Fault, Faults
from .server import Server
from .stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType


class SimulatedHerdr(Stage):
    """One server. Use it as a context manager, or call `start` and `close`.

    `folder` stands for Herdr's config folder (a temporary one if not given); `session` names a session, as
    `herdr --session` does; `socket` overrides where it listens, `state` where its state folder is. `first_pane`
    makes the workspace `w1` with the pane `w1:p1`, as a fresh Herdr does. What can be done on it is in `Stage`.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        session: str | None = None,
        socket: Path | None = None,
        state: Path | None = None,
        first_pane: bool = True,
        clock: Clock | None = None,
        seed: int = 0,
        startup_grace_s: float = 3.0,
    ) -> None:
        self._temporary = None if folder else Path(tempfile.mkdtemp(prefix="herdr-"))
        self.config_dir = folder or self._temporary or Path()
        place = self.config_dir / "sessions" / session if session else self.config_dir
        self.socket_path = socket or place / "herdr.sock"
        self.state_dir = state or self.config_dir / "state"
        self.faults = Faults()
        self._first_pane = first_pane
        where = (str(self.socket_path), self.config_dir, self.state_dir, session)
        super().__init__(App(clock or SystemClock(), *where, seed))
        self._app.startup_grace_s = startup_grace_s
        self._server: Server | None = None
        self._begun = False

    def __enter__(self) -> SimulatedHerdr:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        """Listen, and run the startup hooks. The first start tells of the first pane's focus before them;
        later ones tell nothing. A server that a client or a fault has stopped is first taken down in full.
        """
        if self._server is not None:
            self.stop()
        self._server = Server(self._app, self.faults, self.socket_path)
        if not self._begun:
            self._begun = True
            self._app.loop.start()
            if self._first_pane:
                self._app.loop.call(lambda: panes.create_workspace(self._app, tell=False))
        self._app.loop.call(self._app.run_startup_hooks)

    def stop(self, *, keep_programs: bool = False) -> None:
        """Stop the server: the address is gone, connections end. Programs end too, unless it is a live
        handoff.
        """
        if self._server is not None:
            self._server.stop()
            self._server = None
        if not keep_programs:
            self._end_programs()
        self._app.loop.call(lambda: self._begin_anew(keep_programs))

    def restart(self, *, handoff: bool = False) -> None:
        """Pane ids stay. Programs are gone, unless it is a live handoff. Events and the plugin log are
        forgotten, startup hooks run again.
        """
        self.stop(keep_programs=handoff)
        self.start()

    def close(self) -> None:
        """End everything that was started, hooks too."""
        self._app.silent = True
        if self._server is not None:
            self._server.stop()
        self._end_programs()
        self._app.hooks.kill()
        self._app.hooks.wait_idle()
        if self._begun:
            self._app.loop.stop()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

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
        """The main loop stands still: `ping` is answered, nothing else. Only requests over the socket may be
        made inside.
        """
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

    def _end_programs(self) -> None:
        for program in self._programs:
            program.hang_up()
        for program in self._programs:
            program.end()
        self._programs.clear()

    def _begin_anew(self, keep_programs: bool) -> None:
        if not keep_programs:
            self._app.state.restore()
        self._app.forget()
