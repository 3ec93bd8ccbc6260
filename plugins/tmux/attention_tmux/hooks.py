"""The tmux hooks that have a cycle run, as a file of ours that the person's configuration sources."""

from __future__ import annotations

import glob
import hashlib
import shlex
from typing import TYPE_CHECKING, Final

from .client import quote

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from attention_framework import ThinClient

EVENTS: Final = (
    "window-pane-changed",
    "session-window-changed",
    "client-session-changed",
    "client-attached",
    "client-detached",
    "window-unlinked",
)
"""One or two of these fire on tmux 3.3a, however the focus moves (keys, mouse, commands; split, swap, rotate,
break, join; a pane, window or session that ends). `after-select-pane` and its like miss last-pane, rotate-window
and kill-window. Only `swap-window` of the current window fires nothing: the next event finds the change."""
INDEX: Final = 7190
"""Hooks are arrays: ours stand at an index that nobody else uses, so that the person's own stay."""
ADDRESS: Final = "#{q:socket_path},#{pid}"
DIGEST_OPTION: Final = "@attention_hooks"
"""Says which version of the file a running server has loaded."""


def render(command: Sequence[str], client: ThinClient) -> bytes:
    """The file, for the command that starts `attention` from anywhere.

    A server that reads it starts the controller, as one without panes of other hosts has nobody else to do it.
    """
    hooks = "\n".join(
        f"set-hook -g {_array_name(event)} {{ run-shell -b {_run(command, client, event)} }}"
        for event in EVENTS
    )
    serve = f"run-shell -b {_quietly(_fixed([*command, 'serve', '--detach']))}"
    digest = quote([hashlib.sha256((hooks + serve).encode()).hexdigest()[:16]])
    return (
        "# Written by `attention setup tmux`: a change of the focus wakes the controller, which this file starts.\n"
        "# `attention uninstall tmux` takes it back. Changes made here are lost.\n"
        f"{hooks}\n{serve}\nset-option -g {DIGEST_OPTION} {digest}\n"
    ).encode()


def source_line(path: Path) -> str:
    """For the person's configuration. With `-q` a file that is gone is no error."""
    return f"source-file -q {quote([source_pattern(path)])}"


def source_pattern(path: Path) -> str:
    """tmux takes the path for a pattern, in which a backslash takes the meaning from what follows."""
    return glob.escape(str(path).replace("\\", "\\\\"))


def load(path: Path) -> list[str]:
    return ["source-file", source_pattern(path)]


def unload() -> list[str]:
    """Words of a command sequence that takes the hooks out of a running server."""
    words = [word for event in EVENTS for word in ("set-hook", "-gu", _array_name(event), ";")]
    return [*words, "set-option", "-gqu", DIGEST_OPTION]


LOADED: Final = (
    "display-message",
    "-p",
    f"#{{{DIGEST_OPTION}}}",
    ";",
    "show-hooks",
    "-g",
    ";",
    "show-hooks",
    "-gw",
)
"""Asks a running server what it has loaded: the digest in the first line, then all hooks."""


def is_loaded(answer: str, rendered: bytes) -> bool:
    """Whether a server has all hooks of this very file.

    A later `set-hook -g` without an index empties a hook's array.
    """
    digest, _, hooks = answer.partition("\n")
    same = bool(digest) and digest.encode() in rendered.splitlines()[-1]
    return same and all(_array_name(event) in hooks for event in EVENTS)


def is_any_loaded(answer: str) -> bool:
    digest, _, hooks = answer.partition("\n")
    return bool(digest) or f"[{INDEX}]" in hooks


def _array_name(event: str) -> str:
    return f"{event}[{INDEX}]"


def _run(command: Sequence[str], client: ThinClient, event: str) -> str:
    """tmux expands formats in it, then hands it to a shell."""
    trigger = f"tmux:{event}"
    one_shot = [*command, "reconcile", "--host", "tmux", "--trigger", trigger, "--revive"]
    words = [*client.hook(("host=tmux", f"trigger={trigger}"), one_shot)]
    cut = words.index("--")
    woken, alone = _fixed(words[:cut]), _fixed(words[cut:])
    return _quietly(f"{woken} address={ADDRESS} {alone} --address {ADDRESS}")


def _fixed(words: Sequence[str]) -> str:
    return shlex.join(words).replace("#", "##")


def _quietly(text: str) -> str:
    """What it prints would cover the pane, so it prints nothing."""
    return quote([f"{text} >/dev/null 2>&1 || true"])
