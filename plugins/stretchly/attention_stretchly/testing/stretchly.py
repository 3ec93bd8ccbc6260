"""A program that acts like Stretchly: it has the same command line, runs only once at a time, and writes the same log.

    python -m attention_stretchly.testing.stretchly FOLDER [COMMAND [OPTION...]]

FOLDER has the files that Stretchly keeps in the user's settings folder (`logs/main.log`), and `script.json` with a `Script`.
COMMAND is one of Stretchly's: mini, long, reset, pause, resume, toggle. As with the real program, the first process stays, and
ignores its command; a later one passes its command to the first, and ends with 0, whatever the command was. The command
`control` with skip, postpone or quit does what a person does in the window; `control run_out` lets the time of the break be
over.
"""

from __future__ import annotations

import json
import os
import re
import select
import socket
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attention_framework import real_effects

from ..values import Kind
from .electron_log import LogAppender
from .script import CONTROL, INSTANCE, load_script, log_of
from .shown import Shown

if TYPE_CHECKING:
    from collections.abc import Sequence

LOCK: Final = "instance.lock"
LOOKS_EVERY_S: Final = 0.01
ANSWERS_WITHIN_S: Final = 10.0
KNOWN: Final = (
    "help",
    "version",
    "logs",
    "reset",
    "pause",
    "resume",
    "toggle",
    "mini",
    "long",
    "preferences",
)
_FOLLOWED_SINCE: Final = (1, 9)
"""The first version that logs what a second process passes to the first."""


def main(arguments: Sequence[str]) -> int:
    folder, *words = arguments
    return Program(Path(folder)).run(words)


class Program:
    """One process of the program: the first one, which stays, or one that passes its words to the first and ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._script = script = load_script(folder)
        self._log = LogAppender(log_of(folder), script.version, script.newline, script.log_full)
        self._paused = False

    def run(self, words: Sequence[str]) -> int:
        while self._script.hangs:
            time.sleep(1)
        lock = real_effects().files.try_lock(self._folder / LOCK)
        if lock is None:
            self._hand_over(words)
            return 0
        try:
            self._stay()
        finally:
            (self._folder / INSTANCE).unlink(missing_ok=True)
            lock.release()
        return 0

    def _hand_over(self, words: Sequence[str]) -> None:
        command = words[0] if words else ""
        if command not in (CONTROL, ""):
            if command not in KNOWN:
                self._say(f"Stretchly 2: command '{command}' is not supported", "error")
                return
            if self._script.version >= _FOLLOWED_SINCE:
                self._say(f"Stretchly 2: forwarding command '{command}' to the main instance")
        with socket.create_connection(("127.0.0.1", self._port()), ANSWERS_WITHIN_S) as connection:
            connection.sendall(json.dumps(list(words)).encode() + b"\n")
            connection.recv(1)  # Waits until the first process closes the connection.

    def _port(self) -> int:
        """The port of the first process. Waits for it: that process has the lock some time before it can be reached."""
        end = time.monotonic() + ANSWERS_WITHIN_S
        while True:
            try:
                return int(json.loads((self._folder / INSTANCE).read_text(encoding="utf-8"))["port"])
            except (FileNotFoundError, PermissionError, ValueError):
                if time.monotonic() > end:
                    raise
                time.sleep(LOOKS_EVERY_S)

    def _stay(self) -> None:
        time.sleep(self._script.starts_ms / 1000 / self._script.speed)
        shown = Shown(self._script, self._log, lambda: time.monotonic() * 1000)
        with socket.create_server(("127.0.0.1", 0)) as server:
            shown.start_app()
            found = {"port": server.getsockname()[1], "pid": os.getpid()}
            real_effects().files.write(self._folder / INSTANCE, json.dumps(found).encode())
            while not shown.over:
                self._serve(server, shown)
                shown.tick()

    def _serve(self, server: socket.socket, shown: Shown) -> None:
        due_ms = shown.next_ms
        left_s = 1.0 if due_ms is None else max(0.0, due_ms / 1000 - time.monotonic())
        if not select.select([server], [], [], min(left_s, 1.0))[0]:
            return
        connection, _ = server.accept()
        with connection:
            connection.settimeout(ANSWERS_WITHIN_S)
            with connection.makefile("rb") as lines:
                self._take(json.loads(lines.readline()), shown)

    def _take(self, words: list[str], shown: Shown) -> None:
        if not words:
            return
        command, *options = words
        if command == CONTROL:
            acts = {
                "skip": shown.skip,
                "run_out": shown.run_out,
                "postpone": shown.postpone,
                "quit": shown.quit,
            }
            acts[options[0]]()
            return
        if self._script.version >= _FOLLOWED_SINCE:
            self._say(f"arguments received from second instance: {','.join(words)}")
        self._requested(command)
        match command:
            case "mini" | "long":
                shown.skip_to(Kind(command), _wait_ms(options))
            case "reset":
                shown.reset()
            case "pause":
                self._paused = True
                shown.pause()
            case "resume":
                self._paused = False
                shown.resume()
            case "toggle":
                self._paused = not self._paused
                (shown.pause if self._paused else shown.resume)()

    def _requested(self, command: str) -> None:
        reset = "resetting breaks" if self._script.version >= (1, 10) else "reseting breaks"
        texts = {
            "reset": reset,
            "pause": "pause Breaks",
            "resume": "resume Breaks",
            "toggle": "toggle Breaks",
        }
        texts |= {kind.value: f"skip to {self._log.writer.name_of(kind)}" for kind in Kind}
        if command in texts:
            self._say(f"{texts[command]} (requested by second instance)")

    def _say(self, text: str, level: str = "info") -> None:
        if not self._script.silent:
            self._log.say(text, level)


def _wait_ms(options: Sequence[str]) -> float:
    """Milliseconds of the option `-w 20m`, `--wait 1h5m` or `-w 20` (a plain number is minutes); 0 without the option."""
    for flag, value in pairwise(options):
        if flag in ("-w", "--wait"):
            hours, minutes = (re.search(rf"(\d+){unit}", value) for unit in "hm")
            plain = int(value) if value.isdigit() else 0
            return 60_000.0 * (60 * int(hours[1] if hours else 0) + int(minutes[1] if minutes else 0) + plain)
    return 0.0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
