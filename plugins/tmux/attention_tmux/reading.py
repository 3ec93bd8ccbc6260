"""What is asked of a tmux server in one go, and how its answer is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SEPARATOR: Final = "\x1f"
_ESCAPED: Final = "\\037"
"""How a tmux prints the separator that does not pass control characters on."""


def _text(variable: str) -> str:
    """A value that may hold anything, without what would break the line."""
    return f"#{{s/[\n\x1f]/ /:{variable}}}"


PANES: Final = "P #{pid} #{pane_id} #{pane_pid} #{pane_dead} #{pane_tty} " + SEPARATOR.join(
    map(_text, ("window_name", "pane_title", "pane_current_path"))
)
CLIENTS: Final = "C #{client_control_mode} #{client_flags} #{pane_id}"
QUESTION: Final = ("list-panes", "-a", "-F", PANES, ";", "list-clients", "-F", CLIENTS)
"""One command sequence, so that panes and clients are of the same moment."""
FOCUS_QUESTION: Final = ("display-message", "-p", "#{pid}", ";", "list-clients", "-F", CLIENTS)


@dataclass(frozen=True, slots=True)
class PaneRow:
    """One pane as tmux lists it."""

    id: str
    pid: int
    dead: bool
    tty: str
    window: str
    title: str
    cwd: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer of a server."""

    server: str
    panes: tuple[PaneRow, ...]
    focused: frozenset[str] | None
    """The active pane of each person's client.

    None without such a client: nobody can be said to look, or not to look.
    """


def parse(output: str) -> Reading:
    """Raises ValueError for an answer that is none."""
    server, panes, focused = "", {}, set()
    for line in lines(output):
        match line.split(" ", 1):
            case ["P", rest]:
                server, row = _pane(rest)
                panes[row.id] = row  # A window that is linked into two sessions is listed twice.
            case ["C", rest]:
                focused |= _looked_at(rest)
            case _:
                raise ValueError(f"an unknown line {line[:80]!r}")
    return Reading(server, tuple(panes.values()), frozenset(focused) or None)


def parse_focus(output: str) -> tuple[str, frozenset[str] | None]:
    """The server's pid, and what `Reading.focused` is. Raises ValueError for an answer that is none."""
    server, *clients = lines(output) or [""]
    focused: set[str] = set()
    for line in clients:
        word, _, rest = line.partition(" ")
        if word != "C":
            raise ValueError(f"an unknown line {line[:80]!r}")
        focused |= _looked_at(rest)
    return server, frozenset(focused) or None


def lines(output: str) -> list[str]:
    """Not by `splitlines`: a path may hold what else that takes for the end of a line, U+2028 for one."""
    return output.removesuffix("\n").split("\n") if output else []


def _pane(rest: str) -> tuple[str, PaneRow]:
    server, pane, pid, dead, tty, texts = rest.split(" ", 5)
    separator = SEPARATOR if SEPARATOR in texts else _ESCAPED
    window, title, cwd = texts.split(separator, 2)
    return server, PaneRow(pane, int(pid), dead == "1", tty, window, title, cwd)


def _looked_at(rest: str) -> set[str]:
    """A control client is a program, and a suspended one shows nothing."""
    control, flags, pane = rest.split(" ", 2)
    return set() if control == "1" or "suspended" in flags.split(",") else {pane}
