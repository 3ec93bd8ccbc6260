"""Herdr's side: the manifest of a plugin whose hooks have a cycle run (facts read in 0.8.2:
`app/api/plugins/manifest.rs`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from attention_framework import InstallRefused

from .addresses import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attention_framework import ThinClient

PLUGIN_ID: Final = "attention-framework"
FILE: Final = "herdr-plugin.toml"
FOLDER: Final = "herdr-plugin"
"""In the state folder."""
EVENTS: Final = ("pane.agent_detected", "pane.agent_status_changed", "pane.focused", "pane.moved")
"""Sorted, as Herdr lists them. The status counts because the settings leave an agent alone that waits for the
person (`blocked`): when it no longer does, it may have to pause. Badges are tokens, which change no status.
"""
STARTUP: Final = "startup"
ACTIONS: Final = (
    ("toggle-all", "Pause every agent, or resume them", "global", ("pause", "--all", "--toggle")),
    ("toggle", "Pause this agent, or resume it", "pane", ("pause", "--toggle")),
    ("pause", "Pause this agent", "pane", ("pause",)),
    ("resume", "Resume this agent", "pane", ("resume",)),
    ("allow", "Let this agent run in the background", "pane", ("allow",)),
)
"""`(id, title, context, command)`. Herdr names the focused pane to an action in the environment, as a shell in that
pane would have it.
"""
STATUS_PANE: Final = ("status", "--watch")
"""A popup: it has no pane of its own, so showing it changes no focus."""


def render(command: Sequence[str], client: ThinClient, version: str) -> bytes:
    """The manifest. `command` starts `attention` from anywhere.
    Raises InstallRefused for an argument that TOML or Herdr cannot carry.
    """
    return "\n".join(_lines(command, client, version)).encode()


def startup_commands(command: Sequence[str], client: ThinClient) -> list[list[str]]:
    """Two, which Herdr runs side by side: a controller that is there already hears of this server,
    and one that is not looks for servers when it starts.
    """
    return [[*command, "serve", "--detach"], hook_command(command, client, STARTUP)]


def hook_command(command: Sequence[str], client: ThinClient, trigger: str) -> list[str]:
    """What one hook runs. Herdr starts it without a shell,
    and names the right server in the environment, however many run.
    """
    fields = ("host=herdr", f"address-from={VARIABLE}", f"trigger={trigger}")
    one_shot = ("reconcile", "--host", "herdr", "--address-from", VARIABLE, "--trigger", trigger, "--revive")
    return list(client.hook(fields, (*command, *one_shot)))


def _lines(command: Sequence[str], client: ThinClient, version: str) -> Iterator[str]:
    yield "# Written by `attention setup herdr`, removed by `attention uninstall herdr`."
    yield f"id = {quoted(PLUGIN_ID)}"
    yield f"name = {quoted('Attention')}"
    yield f"version = {quoted(version)}"
    yield f"description = {quoted('Only the agent in the focused pane runs, the others pause.')}"
    yield 'min_herdr_version = "0.7.5"'
    yield 'platforms = ["linux", "macos", "windows"]'
    for words in startup_commands(command, client):
        yield ""
        yield "[[startup]]"
        yield f"command = {_array(words)}"
    for event in EVENTS:
        yield ""
        yield "[[events]]"
        yield f"on = {quoted(event)}"
        yield f"command = {_array(hook_command(command, client, event))}"
    for identifier, title, context, arguments in ACTIONS:
        yield ""
        yield "[[actions]]"
        yield f"id = {quoted(identifier)}"
        yield f"title = {quoted(title)}"
        yield f"contexts = [{quoted(context)}]"
        yield f"command = {_array([*command, *arguments])}"
    yield ""
    yield "[[panes]]"
    yield 'id = "status"'
    yield f"title = {quoted('Attention: what each agent does')}"
    yield 'placement = "popup"'
    yield f"command = {_array([*command, *STATUS_PANE])}"
    yield ""


def _array(words: Sequence[str]) -> str:
    return f"[{', '.join(quoted(word) for word in words)}]"


def quoted(text: str) -> str:
    """A TOML basic string. JSON escapes the same characters in the same way, but for DEL (TOML 1.0)."""
    if not text:
        raise InstallRefused("Herdr takes no empty argument in a hook's command")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InstallRefused(
            f"the path {text!r} is no valid UTF-8, so it cannot stand in {FILE}. Use another folder."
        ) from error
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
