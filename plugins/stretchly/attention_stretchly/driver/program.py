"""How Stretchly is called on this machine.

Borrowed facts: where the installers of Stretchly put the program, that Flatpak and Snap export a command, and
that only the Windows installer of 1.22 and later enters it in the PATH. Schedulers give programs a shorter
PATH than terminals have, so the usual folders are looked at as well. The portable program and an AppImage
elsewhere can only be named by the person.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..polling import home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

APP_ID: Final = "net.hovancik.Stretchly"
_LINUX: Final = (
    "/usr/bin/stretchly",
    "/usr/local/bin/stretchly",
    "/opt/Stretchly/stretchly",
    "/snap/bin/stretchly",
    f"/var/lib/flatpak/exports/bin/{APP_ID}",
)
_BUNDLE: Final = "Applications/Stretchly.app/Contents/MacOS/Stretchly"


def find_program(
    environment: Mapping[str, str],
    platform: str = sys.platform,
    is_there: Callable[[str], bool] = os.path.lexists,
) -> str | None:
    """The path of the program; None if it is in none of the usual places.

    `is_there` does not follow links: those to programs of the Microsoft Store lead nowhere.
    """
    on_path = shutil.which("stretchly", path=environment.get("PATH", ""))
    return on_path or next(
        (str(path) for path in usual_places(environment, platform) if is_there(str(path))), None
    )


def named_program(words: Sequence[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """As a person names it, `~/` for the home folder. Not as a Path, which would make of `./stretchly` the one on
    the PATH.
    """
    first, *others = words
    return (home(environment) + first[1:] if first.startswith("~/") else first, *others)


def usual_places(environment: Mapping[str, str], platform: str = sys.platform) -> Iterator[Path]:
    """Those of one system, the likeliest first."""
    user = home(environment)
    if platform == "win32":
        for variable, below in (
            ("LOCALAPPDATA", "Programs/Stretchly"),
            ("PROGRAMFILES", "Stretchly"),
            ("LOCALAPPDATA", "Microsoft/WindowsApps"),
        ):
            if folder := environment.get(variable):
                yield Path(folder) / below / "Stretchly.exe"
    elif platform == "darwin":
        yield Path("/") / _BUNDLE
        if user:
            yield Path(user) / _BUNDLE
    else:
        yield from map(Path, _LINUX)
        if user:
            yield Path(user) / ".local/share/flatpak/exports/bin" / APP_ID
            for folder in ("Applications", ".local/bin"):
                yield from sorted((Path(user) / folder).glob("[Ss]tretchly*.AppImage"))
