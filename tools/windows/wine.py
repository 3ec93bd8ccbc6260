"""Wine, on a scratch prefix of its own, with one server kept alive over a run and ended after it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from provisioning.cache import cache_folder, install_once, say
from provisioning.commands import Unavailable, run
from provisioning.debian import need_program
from provisioning.locking import locked, try_lock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

WINE_ELSEWHERE = "install Wine for 64-bit programs (Debian and Ubuntu: `sudo apt-get install wine wine64`)"
# wine-8 for Debian 12; the prefix is made again when this changes.
PREFIX = "wine-prefix-1"
# wineserver's exit code where one of another run is there, or of a run that was killed.
ALREADY_RUNNING = 2


def need_wine() -> str:
    if sys.platform != "linux":
        raise Unavailable("Wine is used on Linux only; on Windows run the tests themselves")
    return need_program("wine", ("wine", "wine64"), WINE_ELSEWHERE)


def environment(prefix: Path, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    return {
        **base,
        "WINEPREFIX": str(prefix),
        "WINEDEBUG": "-all",
        # Without these Wine offers to download Mono and Gecko, and writes menu entries into the user's own folders.
        "WINEDLLOVERRIDES": "mscoree=d;mshtml=d;winemenubuilder.exe=d",
    }


def provide_prefix() -> Path:
    """A prefix that says it is Windows 10; as Windows 7, which is Wine 8's default, CPython stops at start."""

    def build(scratch: Path) -> None:
        wine = need_wine()
        run([wine, "winecfg", "-v", "win10"], env=environment(scratch), timeout_s=300)
        end_server(scratch)

    return install_once(cache_folder() / "windows" / PREFIX, build)


def end_server(prefix: Path) -> None:
    """End the server of this prefix, and with it whatever still runs there, and wait until it is gone."""
    for option in ("-k", "-w"):
        subprocess.run(["wineserver", option], env=environment(prefix), check=False, timeout=60)


def _start_server(prefix: Path) -> None:
    """Wine's services inherit the streams of the program that starts them: let it be one whose streams nobody waits for."""
    code = _run_quietly(["wineserver", "--persistent"], prefix)
    if code not in (0, ALREADY_RUNNING):
        raise Unavailable(f"wineserver does not start: exit code {code}")
    if code := _run_quietly([need_wine(), "cmd", "/c", "exit"], prefix):
        raise Unavailable(f"Wine runs no program: exit code {code}")


def _run_quietly(command: list[str], prefix: Path) -> int:
    silent = subprocess.DEVNULL
    env = environment(prefix)
    return subprocess.run(
        command, env=env, check=False, timeout=120, stdin=silent, stdout=silent, stderr=silent
    ).returncode


@contextmanager
def server(prefix: Path) -> Iterator[None]:
    """Keep the server of `prefix` alive (a cold start costs 2 s); the last of the runs that share it ends it."""
    with locked(prefix.parent / f"{prefix.name}.use", shared=True, waiting_for="it is closing Wine") as file:
        _start_server(prefix)
        try:
            yield
        finally:
            # Only the last holder can turn its shared lock into the exclusive one.
            if try_lock(file):
                end_server(prefix)
            else:
                say("another run is using Wine: its server stays")
