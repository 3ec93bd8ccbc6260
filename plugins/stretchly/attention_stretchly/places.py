"""Where Stretchly keeps its log and its settings, for each way in which it can be installed.

Facts from elsewhere: Stretchly's source for its installers, its documentation for the Microsoft Store, and the folders that
Flatpak and Snap give to every program. All places are tried on every system: those of other systems do not exist there. The
portable program keeps its files in its own folder, which cannot be guessed: the person names the log with the setting `log`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .polling import home, named_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .files import LogFiles

_STORE: Final = "Packages/33881JanHovancik.stretchly_24fg4m0zq65je/LocalCache/Roaming"


@dataclass(frozen=True, slots=True)
class Place:
    """The files of one installation of Stretchly. They may not exist."""

    log: Path
    """`main.log`."""
    config: Path
    """`config.json`, Stretchly's settings."""


def places(environment: Mapping[str, str], log: str | None = None) -> list[Place]:
    """All places where Stretchly's files may be. If the person has named a log (`log`), only the place of that one."""
    if log:
        named = named_path(log, environment)
        return [Place(named, named.parent.parent / "config.json")]
    return list(dict.fromkeys(_known(environment, home(environment))))


def newest(candidates: list[Place], files: LogFiles) -> Place | None:
    """The place whose log was changed last; None if no log exists. Raises OSError if a log cannot be looked at."""
    found = [(mark[2], place) for place in candidates if (mark := files.mark(place.log)) is not None]
    return max(found, key=lambda each: each[0])[1] if found else None


def _known(environment: Mapping[str, str], user: str) -> Iterator[Place]:
    for variable, below in (("APPDATA", ""), ("LOCALAPPDATA", _STORE), ("XDG_CONFIG_HOME", "")):
        if folder := environment.get(variable):
            yield _usual(Path(folder) / below)
    if user:
        for below in (
            ".config",
            ".var/app/net.hovancik.Stretchly/config",
            "snap/stretchly/current/.config",
        ):
            yield _usual(Path(user) / below)
        library = Path(user) / "Library"
        yield Place(
            library / "Logs/Stretchly/main.log", library / "Application Support/Stretchly/config.json"
        )


def _usual(folder: Path) -> Place:
    return Place(folder / "Stretchly/logs/main.log", folder / "Stretchly/config.json")
