"""What Herdr can do to a pane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attention_framework import HostUnavailable, PaneGone

from .keys import herdr_key
from .reading import TOKEN
from .wire import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Badge, Pane, Workspace

    from .client import HerdrClient

SOURCE: Final = "attention-framework"
READ: Final = {"source": "detection"}
"""The bottom of the active screen, wherever the person has scrolled to.
Other sources make Herdr scroll in the agent's own screen.
"""
LONGEST_TTL_MS: Final = 86_400_000


class HerdrControl:
    """Reads, presses and types through `agent.*`, which Herdr refuses
    where the agent is not in the foreground right now.
    """

    def __init__(self, client: HerdrClient) -> None:
        self._client = client

    def read_screen(self, pane: Pane) -> str:
        if pane.agent is None:
            result = self._client.call("pane.read", {"pane_id": pane.id, **READ})
        else:
            result = self._to_agent(pane, "agent.read", READ)
        text = (result.get("read") or {}).get("text")
        if not isinstance(text, str):
            raise HostUnavailable(
                f"agent.read at {self._client.address}: the answer for pane {pane.id} holds no text"
            )
        return text

    def send_keys(self, pane: Pane, keys: Sequence[str]) -> None:
        names = [herdr_key(key) for key in keys]
        try:
            self._to_agent(pane, "agent.send_keys", {"keys": names})
        except Refused as error:
            if error.code == "invalid_key":
                raise ValueError(str(error)) from error
            raise

    def send_prompt(self, pane: Pane, text: str) -> None:
        self._to_agent(pane, "agent.prompt", {"text": text})

    def show_badge(self, pane: Pane, badge: Badge | None) -> None:
        """A metadata token, which runs no hooks as a title or a state label would.
        It ends by itself when nobody renews it.
        """
        self._client.call("pane.report_metadata", {"pane_id": pane.id, **_token(badge)})

    def show_workspace_badge(self, workspace: Workspace, badge: Badge | None) -> None:
        """The same beside a workspace. A Herdr that does not know the method shows nothing there."""
        try:
            self._client.call("workspace.report_metadata", {"workspace_id": workspace.id, **_token(badge)})
        except Refused as error:
            if error.code != "invalid_request":
                raise

    def locate(self, pane_id: str) -> str | None:
        """`pane.*` accepts a pane's earlier ids and answers with the present one."""
        try:
            return _id(self._pane(pane_id))
        except PaneGone:
            return None

    def _to_agent(self, pane: Pane, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Ask, and once more where the pane has been moved meanwhile
        or its agent was briefly not in the foreground.
        """
        try:
            return self._client.call(method, {"target": pane.id, **params})
        except PaneGone:
            fresh = self._pane(pane.id)
            today = _id(fresh)
            if today is None or fresh.get("agent") != pane.agent:
                raise
            return self._client.call(method, {"target": today, **params})

    def _pane(self, pane_id: str) -> dict[str, Any]:
        found = self._client.call("pane.get", {"pane_id": pane_id}).get("pane")
        return found if isinstance(found, dict) else {}


def _token(badge: Badge | None) -> dict[str, Any]:
    """No badge deletes the token."""
    found: dict[str, Any] = {"source": SOURCE, "tokens": {TOKEN: badge.text if badge else None}}
    return {**found, "ttl_ms": min(max(1, badge.ttl_ms), LONGEST_TTL_MS)} if badge else found


def _id(pane: dict[str, Any]) -> str | None:
    found = pane.get("pane_id")
    return found if isinstance(found, str) else None
