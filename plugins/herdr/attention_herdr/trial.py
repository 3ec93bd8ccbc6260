"""A workspace of its own in a running Herdr, for `attention verify`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

from attention_framework import HostUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from attention_framework import Session

    from .client import HerdrClient

LABEL: Final = "attention verify"


class HerdrTrial:
    """The first pane is that of a new workspace, the next one is split from it. Herdr has no method that presses a
    key of its own interface, so the focus is moved by `pane.focus`, and text goes to the pane itself.
    """

    moves = "by the host's own method, not by a key in its interface"
    own_session = False

    def __init__(self, session: Session, client: HerdrClient) -> None:
        self.session = session
        self._client = client
        self._workspace: str | None = None
        self._first = ""
        self._before = self._focused()

    def open(self, command: str, folder: Path, environment: Mapping[str, str]) -> str:
        pane = self._new_pane(str(folder), dict(environment))
        self.start(pane, command, folder, environment)
        self.focus(pane)
        return pane

    def start(self, pane: str, command: str, folder: Path, environment: Mapping[str, str]) -> None:
        """Type the command into the shell of the pane. Its folder and environment are the pane's."""
        self.type(pane, f"cd {shlex.quote(str(folder))} && {command}\r")

    def focus(self, pane: str) -> None:
        self._client.call("pane.focus", {"pane_id": pane})

    def type(self, pane: str, text: str) -> None:
        self._client.call("pane.send_text", {"pane_id": pane, "text": text})

    def close(self) -> None:
        """Panes first: closing a workspace that still has some may ask for confirmation. Then back to where the person was."""
        workspace, self._workspace = self._workspace, None
        if workspace is None:
            return
        try:
            self._client.call("workspace.close", {"workspace_id": workspace})
        finally:
            if self._before is not None:
                self.focus(self._before)

    def _new_pane(self, cwd: str, env: dict[str, str]) -> str:
        common = {"cwd": cwd, "env": env, "focus": True}
        if self._workspace is None:
            made = self._client.call("workspace.create", {"label": LABEL, **common})
            self._workspace = _text(made, "workspace", "workspace_id")
            self._first = _text(made, "root_pane", "pane_id")
            return self._first
        split = {"target_pane_id": self._first, "direction": "right"}
        return _text(self._client.call("pane.split", {**split, **common}), "pane", "pane_id")

    def _focused(self) -> str | None:
        found = self._client.call("session.snapshot").get("snapshot") or {}
        return found.get("focused_pane_id")


def _text(result: dict[str, Any], part: str, name: str) -> str:
    found = (result.get(part) or {}).get(name)
    if not isinstance(found, str):
        raise HostUnavailable(f"Herdr's answer does not say the {name} of the new {part}")
    return found
