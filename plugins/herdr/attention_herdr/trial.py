"""A workspace of its own in a running Herdr, for `attention verify`."""

from __future__ import annotations

import shlex
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from attention_framework import HostUnavailable, PaneGone

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
        self._panes: list[str] = []
        self._before = self._focused()

    def open(self, command: str, folder: Path, environment: Mapping[str, str]) -> str:
        pane = self._new_pane(str(folder), dict(environment))
        self._panes.append(pane)
        self.start(pane, command, folder, environment)
        self.focus(pane)
        return pane

    def start(self, pane: str, command: str, folder: Path, environment: Mapping[str, str]) -> None:
        """Type the command into the shell of the pane, which has its folder and environment. A shell that goes elsewhere at
        its start is brought back; on Windows cmd and PowerShell have no way to say so in common.
        """
        back = "" if sys.platform == "win32" else f"cd {shlex.quote(str(folder))} && "
        self.type(pane, f"{back}{command}\r")

    def focus(self, pane: str) -> None:
        self._client.call("pane.focus", {"pane_id": pane})

    def type(self, pane: str, text: str) -> None:
        self._client.call("pane.send_text", {"pane_id": pane, "text": text})

    def close(self) -> None:
        """Pane by pane: with the last one the workspace goes, and nothing asks for confirmation. Then the focus goes back to
        where the person was. Raises HostUnavailable for the first that Herdr has not closed, when the others are.
        """
        panes, self._panes = self._panes, []
        failed = [error for error in map(self._close, reversed(panes)) if error is not None]
        if panes and self._before is not None:
            with suppress(PaneGone):
                self.focus(self._before)
        if failed:
            raise failed[0]

    def _close(self, pane: str) -> HostUnavailable | None:
        try:
            self._client.call("pane.close", {"pane_id": pane})
        except PaneGone:
            return None
        except HostUnavailable as error:
            return error
        return None

    def _new_pane(self, cwd: str, env: dict[str, str]) -> str:
        common = {"cwd": cwd, "env": env, "focus": True}
        if not self._panes:
            return _text(
                self._client.call("workspace.create", {"label": LABEL, **common}), "root_pane", "pane_id"
            )
        split = {"target_pane_id": self._panes[0], "direction": "right"}
        return _text(self._client.call("pane.split", {**split, **common}), "pane", "pane_id")

    def _focused(self) -> str | None:
        found = self._client.call("session.snapshot").get("snapshot") or {}
        return found.get("focused_pane_id")


def _text(result: dict[str, Any], part: str, name: str) -> str:
    found = (result.get(part) or {}).get(name)
    if not isinstance(found, str):
        raise HostUnavailable(f"Herdr's answer does not say the {name} of the new {part}")
    return found
