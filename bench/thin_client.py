"""How long a hook takes with the resident controller: the thin client's whole process, beside an interpreter that does nothing;
and an agent's gate, thin and as `attention gate`, which is a whole start with every plugin.

    python bench/thin_client.py [--rounds 200]

All are started in turn in one run, because the machine's speed varies. The controller is a socket that answers at once.
"""

from __future__ import annotations

import argparse
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from attention_framework.client import installing

if TYPE_CHECKING:
    from collections.abc import Sequence

PYTHON = (sys.executable, "-I", "-S")
ASKED = b"answer run question=1 reason=it%20has%20the%20focus\nend 0\n"
ANSWER = b"out pause-sent pane=w1:p1 policy=focused transport=omp-mailbox\nend 0\n"
FIELDS = ("host=herdr", "address=/run/herdr.sock", "trigger=pane.focused")
SEAT = ("host=herdr", "address=/run/herdr.sock", "pane=w1:p1")
GATE = ("event=tool", "wait=1", "code=2", "unknown=closed")
WHOLE = (
    *("--event", "tool", "--wait", "1", "--code", "2", "--closed"),
    *("--host", "herdr", "--address", "/run/herdr.sock", "--pane", "w1:p1"),
)
GOAL = 1.25


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=200, metavar="N")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="attention-") as folder:
        state = Path(folder)
        for name in (installing.CLIENT, installing.GATE):
            (state / name).write_bytes(installing.source(name))
        serve(state)
        commands = {
            "an interpreter": [*PYTHON, "-c", "pass"],
            "the thin client": [*PYTHON, str(state / installing.CLIENT), *FIELDS, "--", "none"],
            "the thin gate": [*PYTHON, str(state / installing.GATE), *GATE, *SEAT, "--", "none"],
            "attention gate": [
                sys.executable,
                "-I",
                "-m",
                "attention_framework",
                "gate",
                "--state",
                folder,
                *WHOLE,
            ],
        }
        took = measure(commands, rounds)
    show(took)
    ratio = statistics.median(took["the thin client"]) / statistics.median(took["an interpreter"])
    print(f"\nratio of the medians {ratio:.2f}, goal at most {GOAL}")
    return 0 if ratio <= GOAL else 1


def serve(state: Path) -> None:
    """A Unix socket, or on Windows a port of 127.0.0.1."""
    unix = hasattr(socket, "AF_UNIX")
    listening = socket.socket(socket.AF_UNIX if unix else socket.AF_INET, socket.SOCK_STREAM)
    listening.bind(str(state / "serve.sock") if unix else ("127.0.0.1", 0))
    listening.listen(64)
    where = f"unix {state / 'serve.sock'}" if unix else f"tcp 127.0.0.1 {listening.getsockname()[1]} token"
    (state / "serve.addr").write_text(where + "\n", encoding="utf-8")
    threading.Thread(target=answer, args=(listening,), daemon=True).start()


def answer(listening: socket.socket) -> None:
    while True:
        connection, _ = listening.accept()
        with connection:
            asked = connection.recv(8192)
            connection.sendall(ASKED if b"question=" in asked else ANSWER)


def measure(commands: dict[str, Sequence[str]], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each process, by name; all of them in each round."""
    took: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            began = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            took[name].append((time.perf_counter() - began) * 1000)
    return took


def show(took: dict[str, list[float]]) -> None:
    print(f"{'':18}{'median':>10}{'min':>10}{'p90':>10}   ms")
    for name, values in took.items():
        p90 = statistics.quantiles(values, n=10)[-1]
        print(f"{name:18}{statistics.median(values):10.2f}{min(values):10.2f}{p90:10.2f}")


if __name__ == "__main__":
    sys.exit(main())
