"""The server process as clients see it: it listens, and has a thread for each connection."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from .connection import serve
from .errors import ApiError
from .transport import listen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .app import App
    from .faults import Faults
    from .transport import Connection


class Server:
    """Listens from the start, until it is stopped by its owner, a client or a fault."""

    def __init__(self, app: App, faults: Faults, path: Path) -> None:
        self.app = app
        self.faults = faults
        self.stopping = threading.Event()
        self._after: dict[str, list[Callable[[], object]]] = {}
        self._lock = threading.Lock()
        self._connections: dict[threading.Thread, Connection] = {}
        self._listener = listen(path)
        self._stopped = threading.Event()
        self._stopper: threading.Thread | None = None
        app.silent = False
        self._thread = threading.Thread(target=self._accept, name="simulated-herdr-accept", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close the address and every connection. Safe to call twice, and from several threads."""
        with self._lock:
            first = not self.stopping.is_set()
            self.stopping.set()
        if not first:
            self._stopped.wait()
            return
        self.app.silent = True
        self._listener.close()
        self._thread.join()
        with self._lock:
            left = list(self._connections.items())
        for thread, connection in left:
            if thread is not threading.current_thread():
                thread.join(0.2)
            if thread.is_alive():
                connection.close()  # It is stuck in a write to a client that does not read.
                thread.join()
        self._stopped.set()

    def after(self, method: str, step: Callable[[], object]) -> None:
        """Run a step once, when the next reply to this method is made up
        and not yet sent: what the client reads is then out of date.
        """
        with self._lock:
            self._after.setdefault(method, []).append(step)

    def afterwards(self, method: str) -> None:
        with self._lock:
            steps = self._after.pop(method, [])
        for step in steps:
            step()

    def stop_soon(self) -> None:
        """For a connection's own thread, which cannot wait for itself."""
        with self._lock:
            if self._stopper is None:
                self._stopper = threading.Thread(target=self.stop, name="simulated-herdr-stop", daemon=True)
                self._stopper.start()

    def _accept(self) -> None:
        while (connection := self._listener.accept()) is not None:
            thread = threading.Thread(
                target=self._serve, args=(connection,), name="simulated-herdr-client", daemon=True
            )
            with self._lock:
                self._connections[thread] = connection
            thread.start()

    def _serve(self, connection: Connection) -> None:
        try:
            with contextlib.suppress(OSError, ApiError):  # The client has left, or the server stops.
                serve(self, connection)
        finally:
            connection.close()
            with self._lock:
                self._connections.pop(threading.current_thread(), None)
