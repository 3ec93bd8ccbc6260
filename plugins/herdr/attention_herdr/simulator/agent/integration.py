"""What Herdr's own integration does for OMP: tells the conversation
and whether it works, one connection for each report.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from typing import Any

from ..client import Failed, call

SOURCE = "herdr:omp"
TRIES = 2


class Integration:
    """Reports in order, from a thread of its own, so that a Herdr that hangs does not hold the agent."""

    def __init__(self, address: str, pane: str, agent: str) -> None:
        self._address = address
        self._about = {"pane_id": pane, "source": SOURCE, "agent": agent}
        self._reports: queue.Queue[tuple[str, dict[str, Any]] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="reports", daemon=True)
        self._thread.start()

    def conversation(self, path: str) -> None:
        self._put("pane.report_agent_session", session_start_source="startup", agent_session_path=path)

    def state(self, state: str, path: str) -> None:
        self._put("pane.report_agent", state=state, agent_session_path=path)

    def _put(self, method: str, **more: Any) -> None:
        self._reports.put((method, {**self._about, **more, "seq": time.time_ns() // 1000}))

    def _run(self) -> None:
        while (report := self._reports.get()) is not None:
            method, params = report
            for _ in range(TRIES):
                with contextlib.suppress(OSError, ValueError, Failed):
                    call(self._address, method, within_s=1.5, **params)
                    break
