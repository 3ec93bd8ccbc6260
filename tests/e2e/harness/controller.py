"""A stand-in for the resident controller: it speaks the line protocol, and the test decides what it says."""

from __future__ import annotations

import contextlib
import json
import os
import socketserver
import threading
import time
from typing import TYPE_CHECKING, Self
from urllib.parse import unquote

from attention_framework import real_effects

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

RENEW_EVERY_S = 2.0
LEASE_MS = 15_000
GIVE_UP_S = 30.0


class StandIn:
    """Gives the lease, and answers every question with what `verdict` makes of it; None: it stays silent."""

    def __init__(self, state: Path, verdict: Callable[[dict[str, str]], str | None], **lease: object) -> None:
        self._state = state
        self._lease = {
            "v": 1,
            "mode": "brake",
            "away": "ignore",
            "fail": "open",
            "ask_ms": 2_000,  # For a machine that is slow; a test that waits for it says less.
            **lease,
        }
        self.verdict = verdict
        self.asked: list[dict[str, str]] = []
        self.woken: list[dict[str, str]] = []
        self.accepts_wakes = False
        """Else the agent has to wake the real controller, which runs once."""
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        path = self._state / "serve.sock"
        handler = type("Handler", (_Handler,), {"stand_in": self})
        self._server = _Server(str(path), handler)
        self._threads = [
            threading.Thread(target=self._server.serve_forever, args=(0.05,), name="stand-in"),
            threading.Thread(target=self._renew, name="lease"),
        ]
        for thread in self._threads:
            thread.start()
        own = real_effects().processes.own()  # Who finds it dead would start a real one.
        started = {"ticks": own.ticks, "ms": own.started_ms}
        self.write("serve.json", json.dumps({"v": 1, "pid": own.pid, "started": started}))
        self.write("serve.addr", f"unix {path}\n")
        self.renew()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._server.shutdown()
        for thread in self._threads:
            thread.join()
        self._server.server_close()
        for name in ("serve.addr", "serve.json", "serve.sock", "reflex.json"):
            (self._state / name).unlink(missing_ok=True)

    def renew(self, **changed: object) -> None:
        self._lease |= changed
        until = {"until_ms": int(time.time() * 1000) + LEASE_MS}
        self.write("reflex.json", json.dumps(self._lease | until))

    def write(self, name: str, text: str) -> None:
        """By rename, from a name of its own: the lease is renewed by two threads."""
        temporary = self._state / f".{name}.{threading.get_ident()}"
        temporary.write_text(text)
        temporary.chmod(0o600)
        temporary.replace(self._state / name)

    def _renew(self) -> None:
        while not self._ended.wait(RENEW_EVERY_S):
            self.renew()

    def answer(self, verb: str, values: dict[str, str]) -> list[str]:
        if verb == "wake":
            self.woken.append(values)
            return (
                ["end 0"] if self.accepts_wakes else []
            )  # Without an end: who asks does it without a controller.
        if verb != "ask":
            return [f'json {{"pid": {os.getpid()}}}', "end 0"]
        self.asked.append(values)
        verdict = self.verdict(values)
        if verdict is None:
            self._ended.wait(GIVE_UP_S)
            return []
        return [f"answer {verdict} question={values['question']} reason=as%20the%20test%20says", "end 0"]


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


class _Handler(socketserver.StreamRequestHandler):
    stand_in: StandIn

    def handle(self) -> None:
        words = self.rfile.readline().decode().split()
        if not words:
            return
        values = {name: unquote(value) for name, _, value in (word.partition("=") for word in words[1:])}
        lines = self.stand_in.answer(words[0], values)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write("".join(f"{line}\n" for line in lines).encode())
