"""A real Herdr with a real client on a pty.

Herdr is in no package registry, so this driver runs only where somebody has installed it.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from attention_tmux.testing import Terminal

from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ANSWER_WITHIN_S = 10.0
START_WITHIN_S = 20.0
COLUMNS, ROWS = 200, 50
CONFIGURATION = """\
onboarding = false

[update]
version_check = false
manifest_check = false
"""
"""In a new HOME Herdr greets the person first, and what is clicked or typed goes to the greeting."""


class HerdrHost:
    """All panes are in one tab. The person clicks on the pane that is to have the focus."""

    name = "herdr"
    plugin = "herdr"

    def __init__(self) -> None:
        program = shutil.which("herdr")
        if program is None:
            pytest.skip("needs Herdr (https://herdr.dev), which is not installed")
        self._program: str = program

    def start(self, folder: Path, environment: Mapping[str, str]) -> None:
        """In a HOME of its own Herdr meets no other server, and OMP tells it what it does."""
        self._socket = folder / "home/.config/herdr/herdr.sock"
        self._socket.parent.mkdir(parents=True)
        self._socket.with_name("config.toml").write_text(CONFIGURATION)
        integrate = [self._program, "integration", "install", "omp"]
        subprocess.run(integrate, env=dict(environment), capture_output=True, check=False)
        self._person = Terminal([self._program], environment, COLUMNS, ROWS)
        until(self._shows_a_pane, START_WITHIN_S, what="Herdr shows a pane")
        self._first = str(self.focused())

    def stop(self) -> None:
        try:
            with contextlib.suppress(OSError):  # It may have ended by itself.
                self._ask("server.stop")
        finally:
            self._person.leave()

    def environment(self) -> Mapping[str, str]:
        return {}

    def first_pane(self) -> str:
        return self._first

    def open(self) -> str:
        before = self.focused()
        self._ask("pane.split", target_pane_id=before, direction="right", focus=True)
        until(lambda: self.focused() not in (before, None), what="the new pane has the focus")
        return str(self.focused())

    def close(self, pane: str) -> None:
        self._ask("pane.close", pane_id=pane)

    def focus(self, pane: str) -> None:
        self.press_focus(pane)
        until(lambda: self.focused() == pane, what=f"{pane} has the focus")

    def press_focus(self, pane: str) -> None:
        """A click near the pane's lower left corner; terminals count from 1."""
        areas = [shown for layout in self._snapshot()["layouts"] for shown in layout["panes"]]
        [area] = [shown["rect"] for shown in areas if shown["pane_id"] == pane]
        place = f"{area['x'] + 3};{area['y'] + area['height'] - 1}"
        self._person.press(f"\x1b[<0;{place}M\x1b[<0;{place}m".encode())

    def focused(self) -> str | None:
        found = self._snapshot().get("focused_pane_id")
        return None if found is None else str(found)

    def type(self, data: bytes) -> None:
        self._person.press(data)

    def screen(self, pane: str) -> str:
        return str(self._ask("pane.read", pane_id=pane, source="visible")["read"]["text"])

    def _shows_a_pane(self) -> bool:
        try:
            return self.focused() is not None
        except (OSError, ValueError):  # It is starting: nobody listens, or nobody answers yet.
            return False

    def _snapshot(self) -> dict[str, Any]:
        snapshot: dict[str, Any] = self._ask("session.snapshot")["snapshot"]
        return snapshot

    def _ask(self, method: str, **params: object) -> dict[str, Any]:
        """One request, one connection. The line is ready before it is made: Herdr answers late ones late."""
        line = json.dumps({"id": "e2e", "method": method, "params": params}).encode() + b"\n"
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ANSWER_WITHIN_S)
            connection.connect(str(self._socket))
            connection.sendall(line)
            with connection.makefile("rb") as stream:
                answer: dict[str, Any] = json.loads(stream.readline())
        assert "error" not in answer, f"herdr {method}: {answer['error']}"
        result: dict[str, Any] = answer["result"]
        return result
