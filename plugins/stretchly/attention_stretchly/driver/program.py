"""Finds the program of Stretchly on this machine.

Facts from Stretchly's packaging: where its installers put the program; that Flatpak and Snap provide a command for it; and
that on Windows only the installer of 1.22 and later adds it to the PATH. Schedulers give programs a shorter PATH than
terminals do, so the usual folders are searched too. The portable program, and an AppImage in another folder, cannot be found:
the person has to name them.
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
    """The path of the program, from the PATH or one of the usual folders; None if it is in none of them.

    `is_there` must not follow links: the programs of the Microsoft Store are links whose target does not exist as a file.
    """
    on_path = shutil.which("stretchly", path=environment.get("PATH", ""))
    return on_path or next(
        (str(path) for path in usual_places(environment, platform) if is_there(str(path))), None
    )


def named_program(words: Sequence[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """The command that a person has written: `~/` at the beginning of its first word is replaced by the home folder. The word
    is not made a Path, because that turns `./stretchly` into `stretchly`, which is looked for on the PATH.
    """
    first, *others = words
    return (home(environment) + first[1:] if first.startswith("~/") else first, *others)


def usual_places(environment: Mapping[str, str], platform: str = sys.platform) -> Iterator[Path]:
    """Where the program is usually installed on this platform (as in `sys.platform`), the likeliest place first. Most of these
    files do not exist.
    """
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
