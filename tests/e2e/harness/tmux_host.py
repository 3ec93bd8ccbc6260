"""A real tmux with a real client on a pty."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from attention_tmux.testing import Person, TmuxServer

from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CONFIGURATION = """\
set -s focus-events on
set -s escape-time 10
# What is typed fast would count as pasted, and bind no keys.
set -g assume-paste-time 0
set -g default-shell /bin/sh
# Not a login shell, which would set a PATH of its own.
set -g default-command /bin/sh
"""


class TmuxHost:
    """All panes are in one window. `Alt+n` selects the n-th pane, as many people bind it."""

    name = "tmux"
    plugin = "tmux"

    def __init__(self) -> None:
        if shutil.which("tmux") is None:
            pytest.skip("needs tmux: python3 tools/provision.py tmux")
        self._keys: dict[str, bytes] = {}

    def start(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._configuration = folder / "home/.tmux.conf"
        self._configuration.write_text(CONFIGURATION)
        sockets = folder / f"tmux-{os.getuid()}"
        sockets.mkdir(mode=0o700)
        self._folder = folder
        self.server = TmuxServer(
            sockets / "default", {**environment, **self.environment()}, self._configuration
        )
        self._first = self.server.new_session("work", columns=200, rows=50)
        self._bind(self._first)
        self._person = Person(self.server, "work", columns=200, rows=50)

    def stop(self) -> None:
        try:
            self._person.leave()
        finally:
            self.server.stop()

    def environment(self) -> Mapping[str, str]:
        return {"TMUX_TMPDIR": str(self._folder)}

    def first_pane(self) -> str:
        return self._first

    def open(self) -> str:
        pane = self.server.run("split-window", "-t", "work", "-P", "-F", "#{pane_id}").strip()
        self.server.run("select-layout", "-t", "work", "tiled")
        self._bind(pane)
        return pane

    def close(self, pane: str) -> None:
        self.server.run("kill-pane", "-t", pane)

    def focus(self, pane: str) -> None:
        self.press_focus(pane)
        until(lambda: self.focused() == pane, what=f"{pane} has the focus")

    def press_focus(self, pane: str) -> None:
        self._person.press(self._keys[pane])

    def focused(self) -> str | None:
        clients = [
            row.split()
            for row in self.server.run("list-clients", "-F", "#{client_control_mode} #{pane_id}").splitlines()
        ]
        return next((pane for control, pane in clients if control == "0"), None)

    def type(self, data: bytes) -> None:
        self._person.press(data)

    def screen(self, pane: str) -> str:
        return self.server.screen(pane)

    def _bind(self, pane: str) -> None:
        number = len(self._keys) + 1
        self._keys[pane] = f"\x1b{number}".encode()
        self.server.run("bind-key", "-n", f"M-{number}", "select-pane", "-t", pane)
