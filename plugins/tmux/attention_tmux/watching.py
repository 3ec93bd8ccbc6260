"""Wake-ups from tmux itself: hooks in the running server signal a channel on which a client of ours waits.

A control-mode client would be told of every change too. But tmux dies, with all that runs in it, when the focus moves
while such a client says who it is (seen with 3.3a; tmux/tmux pull request 4980 tells it of 3.5a), and when one leaves
before it has (5004): a controller that starts while the person switches panes would take the person's agents down.
"""

from __future__ import annotations

import contextlib
import subprocess
from typing import TYPE_CHECKING, Final

from . import hooks
from .client import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from threading import Event

EVENTS: Final = (
    *hooks.EVENTS,
    "window-linked",
    "window-layout-changed",
    "session-created",
    "session-closed",
)
INDEX: Final = hooks.INDEX + 1
CHANNEL: Final = "attention"
CHANGED: Final = "ATTENTION_CHANGED"
"""Hidden variable of the server: the last event that nobody has heard of yet. The channel alone forgets: of two
signals that nobody waits for, the second takes back the first (tmux 3.3a).
"""
HOOKED: Final = "ATTENTION_HOOKED"
"""Another one: the hooks are there. A watcher that ends takes them away, from another one too."""
LOOK_EVERY_S: Final = 0.5
END_WITHIN_S: Final = 1.0


def follow(command: Sequence[str], wake: Callable[[str], None], stop: Event) -> None:
    """Wake on every change until no tmux answers or `stop` is set: then the hooks are taken out of the server.

    :param command: that of a tmux client, to which the words of a tmux command are added.
    """
    told = _run(command, _hook(), stop)
    if told is not None:
        wake("tmux:watched")  # Of what was before the hooks nobody has told.
    while told is not None:
        told = _run(command, WAIT, stop)
        if told is not None:
            hooked, _, event = told.partition(" ")
            if not hooked:
                _tell(command, _hook())
            wake(f"tmux:{event or 'changed'}")


def _hook() -> list[str]:
    hooks = [
        ["set-hook", "-g", f"{event}[{INDEX}]", " ; ".join(map(quote, _tells(event)))] for event in EVENTS
    ]
    return _sequence([*hooks, ["set-environment", "-gh", HOOKED, "1"]])


def unhook() -> list[str]:
    """Words of a command sequence that takes all of it out of the server, and has whoever waits look."""
    hooks = [["set-hook", "-gu", f"{event}[{INDEX}]"] for event in EVENTS]
    variables = [["set-environment", "-gu", name] for name in (HOOKED, CHANGED)]
    return _sequence([*hooks, *variables, ["wait-for", "-S", CHANNEL]])


def _tells(event: str) -> list[list[str]]:
    return [["set-environment", "-gh", CHANGED, event], ["wait-for", "-S", CHANNEL]]


WAIT: Final = (
    *("if-shell", "-F", f"#{{||:#{{{CHANGED}}},#{{?{HOOKED},0,1}}}}", "", f"wait-for {CHANNEL}", ";"),
    *("display-message", "-p", f"#{{{HOOKED}}} #{{{CHANGED}}}", ";"),
    *("set-environment", "-gu", CHANGED),
)
"""Returns at once where something has happened since the last one, or the hooks are gone; prints what. tmux 3.3a
knows no `#{!:}`.
"""


def _sequence(commands: Sequence[Sequence[str]]) -> list[str]:
    return [word for command in commands for word in (*command, ";")][:-1]


def _run(command: Sequence[str], words: Sequence[str], stop: Event) -> str | None:
    """What tmux printed; None if it failed, or if there is no more to wait for."""
    process = subprocess.Popen(
        [*command, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    with process:
        while not stop.is_set():
            with contextlib.suppress(subprocess.TimeoutExpired):
                output, _ = process.communicate(timeout=LOOK_EVERY_S)
                return output.removesuffix("\n") if process.returncode == 0 else None
        _tell(command, unhook())
        _end(process)
    return None


def _end(process: subprocess.Popen[str]) -> None:
    """It has been told to leave by itself: tmux keeps a client that is killed on the list of those who wait."""
    try:
        process.communicate(timeout=END_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()


def _tell(command: Sequence[str], words: Sequence[str]) -> None:
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(
            [*command, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=END_WITHIN_S,
            check=False,
        )
