"""What the simulator's tests share: a server, a client
that looks at raw bytes, event streams, and bounded waiting.
"""

from __future__ import annotations

import json
import queue
import socket
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import SimulatedHerdr
from attention_herdr.simulator.client import call, exchange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

BOUND_S = 30.0


def _until(fits: Callable[[], Any], bound_s: float = BOUND_S) -> Any:
    end = time.monotonic() + bound_s
    while not (value := fits()):
        if time.monotonic() > end:
            raise TimeoutError(f"still not so after {bound_s} s")
        time.sleep(0.005)
    return value


@pytest.fixture
def until() -> Callable[..., Any]:
    """Wait until a function returns something true, and return it."""
    return _until


class Stream:
    """A subscription: the lines that come in, one by one."""

    def __init__(self, address: str, *types: str, entries: list[dict[str, str]] | None = None) -> None:
        subscriptions = entries or [{"type": name} for name in types]
        line = json.dumps(
            {"id": "s", "method": "events.subscribe", "params": {"subscriptions": subscriptions}}
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        if sys.platform == "win32":
            self._file: Any = open("\\\\.\\pipe\\" + address, "r+b", buffering=0)  # noqa: SIM115
        else:
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.socket.connect(address)
            self._file = self.socket.makefile("rwb", buffering=0)
        self._file.write(line.encode() + b"\n")
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def raw(self) -> bytes:
        """The next line; empty at the end of the stream."""
        return self._lines.get(timeout=BOUND_S)

    def next(self) -> dict[str, Any]:
        line = self.raw()
        assert line, "the stream has ended"
        found: dict[str, Any] = json.loads(line)
        return found

    def nothing_more(self) -> bool:
        return self._lines.empty()

    def write(self, data: bytes) -> None:
        self._file.write(data)

    def close(self) -> None:
        """Wait for the end, which the server makes."""
        self._thread.join(BOUND_S)
        self._file.close()
        if sys.platform != "win32":
            self.socket.close()

    def _read(self) -> None:
        held = b""
        try:
            while data := self._file.read(65536):
                held += data
                *lines, held = held.split(b"\n")
                for line in lines:
                    self._lines.put(line)
        except OSError:
            pass
        self._lines.put(b"")


@pytest.fixture
def streams() -> Iterator[list[Stream]]:
    opened: list[Stream] = []
    yield opened
    for stream in opened:
        stream.close()


@pytest.fixture
def herdr(streams: list[Stream]) -> Iterator[SimulatedHerdr]:
    """A server with the pane w1:p1. It ends before the streams do."""
    with SimulatedHerdr() as server:
        yield server


@pytest.fixture
def open_stream(streams: list[Stream]) -> Callable[..., Stream]:
    """Subscribe at an address. The server there has to end within the test."""

    def start(address: str, *types: str, entries: list[dict[str, str]] | None = None) -> Stream:
        stream = Stream(address, *types, entries=entries)
        streams.append(stream)
        return stream

    return start


@pytest.fixture
def subscribe(herdr: SimulatedHerdr, open_stream: Callable[..., Stream]) -> Callable[..., Stream]:
    return partial(open_stream, herdr.address)


@pytest.fixture
def ask(herdr: SimulatedHerdr) -> Callable[..., dict[str, Any]]:
    """A request over the socket: `ask(method, **params)` gives the result."""
    return lambda method, **params: call(herdr.address, method, **params)


@pytest.fixture
def raw(herdr: SimulatedHerdr) -> Callable[[bytes], bytes]:
    """Bytes in, bytes out."""
    return lambda line: exchange(herdr.address, line)


ECHO = """
import os, sys
out = sys.stdout.buffer
out.write(b"\\x1b[?1004h\\x1b]0;echo\\x07ready\\n")
out.flush()
while data := os.read(0, 65536):
    out.write(data.hex().encode() + b"\\n")
    out.flush()
"""


@pytest.fixture
def echo(herdr: SimulatedHerdr) -> Callable[..., str]:
    """Start a program in a pane that asks for focus reports
    and draws the bytes that it gets, in hex; returns the pane.
    """

    def start(pane: str = "w1:p1", kind: str | None = None, **options: Any) -> str:
        herdr.run(pane, [sys.executable, "-c", ECHO], kind=kind, **options)
        herdr.wait_screen(pane, lambda text: "ready" in text)
        return pane

    return start


@pytest.fixture
def got(herdr: SimulatedHerdr) -> Callable[[str], bytes]:
    """All bytes that the echo in a pane has got."""

    def read(pane: str) -> bytes:
        return bytes.fromhex("".join(line for line in herdr.screen(pane).split() if line != "ready"))

    return read


WRITE_ENVIRONMENT = """
import json, os, pathlib, sys
told = {name: value for name, value in os.environ.items() if name.startswith("HERDR_")}
place = pathlib.Path(os.environ["HERDR_PLUGIN_STATE_DIR"])
file = place / f"{os.environ.get('HERDR_PLUGIN_EVENT', 'action')}-{os.getpid()}.json"
part = file.with_suffix(".part")
part.write_text(json.dumps({"environment": told, "cwd": os.getcwd()}), encoding="utf-8")
part.replace(file)
print("told")
"""


class Probe:
    """A plugin whose hooks write down what they are told."""

    def __init__(self, herdr: SimulatedHerdr, root: Path, body: str) -> None:
        self.herdr = herdr
        self.root = root
        root.mkdir(parents=True)
        (root / "hook.py").write_text(WRITE_ENVIRONMENT, encoding="utf-8")
        (root / "herdr-plugin.toml").write_text(body, encoding="utf-8")

    def told(self, event: str) -> list[dict[str, Any]]:
        """What the hooks of an event were told, once all have run."""
        assert self.herdr.wait_hooks()
        folder = self.herdr.state_dir / "plugins" / "probe"
        return [
            json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob(f"{event}-*.json"))
        ]


def _manifest(events: list[str], startup: bool) -> str:
    command = json.dumps([sys.executable, "hook.py"])
    lines = ['id = "probe"', 'name = "Probe"', 'version = "0.1.0"', 'min_herdr_version = "0.8.2"']
    lines += ['platforms = ["linux", "macos", "windows"]']
    lines += ["[[startup]]", f"command = {command}"] if startup else []
    lines += [
        "[[actions]]",
        'id = "toggle"',
        'title = "Toggle"',
        'contexts = ["global", "pane"]',
        f"command = {command}",
    ]
    for event in events:
        lines += ["[[events]]", f"on = {json.dumps(event)}", f"command = {command}"]
    return "\n".join(lines)


@pytest.fixture
def probe(herdr: SimulatedHerdr, tmp_path: Path) -> Callable[..., Probe]:
    def link(*events: str, startup: bool = False) -> Probe:
        plugin = Probe(herdr, tmp_path / "probe", _manifest(list(events), startup))
        herdr.call("plugin.link", path=str(plugin.root))
        return plugin

    return link
