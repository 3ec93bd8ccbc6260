"""Where Herdr's sessions listen (facts read in 0.8.2: `session.rs`, `config/io.rs`, `ipc.rs`).

On Windows the path is the name of a pipe, and a marker file lies at it.
Neither that file nor a socket is proof that a server lives.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attention_framework import canonical_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attention_framework import Effects

WINDOWS = sys.platform == "win32"
VARIABLE: Final = "HERDR_SOCKET_PATH"
FOLDERS: Final = ("herdr", "herdr-dev")
"""The folder's name below the user's configuration, and the one that debug builds of Herdr use."""
SOCKET: Final = "herdr.sock"
DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True)
class Address:
    """A place where a session may listen."""

    path: str
    name: str = ""


def candidates(effects: Effects, windows: bool = WINDOWS) -> list[Address]:
    """Each place once, by its canonical form. The one that the environment
    names comes first, under the name that its place gives it.
    """
    known = {canonical_address(found.path): found for found in _below_config(effects, windows)}
    own = effects.environment.get(VARIABLE, "")
    if own:
        key = canonical_address(own)
        named = known.pop(key, Address(own))
        known = {key: Address(own, named.name), **known}
    return list(known.values())


def config_folder(environment: Mapping[str, str], windows: bool = WINDOWS) -> str | None:
    """The user's configuration folder in which Herdr has its own; None where the environment names none."""
    if windows:
        return _users(environment, "XDG_CONFIG_HOME", "APPDATA", r"AppData\Roaming")
    return _users(environment, "XDG_CONFIG_HOME", None, ".config")


def state_folder(environment: Mapping[str, str], windows: bool = WINDOWS) -> str | None:
    """The user's folder of states, in which Herdr has its own; None where the environment names none."""
    if windows:
        return _users(environment, "XDG_STATE_HOME", "LOCALAPPDATA", r"AppData\Local")
    return _users(environment, "XDG_STATE_HOME", None, ".local/state")


def _users(environment: Mapping[str, str], xdg: str, windows: str | None, below_home: str) -> str | None:
    """:param windows: the variable that names it there, where the one of XDG does not."""
    for name in filter(None, (xdg, windows)):
        if environment.get(name):
            return environment[name]
    home, separator = ("HOME", "/") if windows is None else ("USERPROFILE", "\\")
    return f"{environment[home]}{separator}{below_home}" if environment.get(home) else None


def _below_config(effects: Effects, windows: bool) -> Iterator[Address]:
    base, separator = config_folder(effects.environment, windows), "\\" if windows else "/"
    if base is None:
        return
    for folder in FOLDERS:
        herdr = separator.join((base.rstrip(separator), folder))
        yield Address(separator.join((herdr, SOCKET)), DEFAULT)
        sessions = separator.join((herdr, "sessions"))
        for name in effects.files.names(Path(sessions)):
            yield Address(separator.join((sessions, name, SOCKET)), name)
