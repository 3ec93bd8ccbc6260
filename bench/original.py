"""The first algorithm, as a yardstick: a process for each event that lists the panes, reads the screens of those without the
focus, lists again, and presses the pause key, each through the host's command line.

    python original.py tmux SOCKET KEY
    python original.py herdr ADDRESS KEY

No lock, no mailbox, no acknowledgement, nobody who stays. The host runs it at each change of the focus.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

PAUSED = "P A U S E D"
AGENTS = ("omp", "node", "bun")
HERDR = (sys.executable, "-I", "-S", str(Path(__file__).with_name("herdr_cli.py")))


def main(host: str, address: str, key: str) -> int:
    listed = tmux_panes if host == "tmux" else herdr_panes
    run = tmux if host == "tmux" else herdr
    background = [pane for pane, focused in listed(address) if not focused]
    running = [pane for pane in background if PAUSED not in run(address, *screen(host, pane))]
    still = {pane for pane, focused in listed(address) if not focused}
    for pane in running:
        if pane in still:
            run(address, *press(host, pane, key))
    return 0


def tmux_panes(address: str) -> list[tuple[str, bool]]:
    rows = tmux(address, "list-panes", "-a", "-F", "#{pane_id} #{pane_active} #{pane_current_command}")
    found = [row.split(" ", 2) for row in rows.splitlines()]
    return [(pane, active == "1") for pane, active, command in found if command in AGENTS]


def herdr_panes(address: str) -> list[tuple[str, bool]]:
    panes = json.loads(herdr(address, "pane", "list"))["panes"]
    return [(pane["pane_id"], pane["focused"]) for pane in panes if pane.get("agent")]


def screen(host: str, pane: str) -> tuple[str, ...]:
    return ("capture-pane", "-p", "-t", pane) if host == "tmux" else ("pane", "read", pane)


def press(host: str, pane: str, key: str) -> tuple[str, ...]:
    return ("send-keys", "-t", pane, key) if host == "tmux" else ("pane", "send-keys", pane, key)


def tmux(address: str, *words: str) -> str:
    return output("tmux", "-u", "-S", address, *words)


def herdr(address: str, *words: str) -> str:
    return output(*HERDR, *words, address=address)


def output(*command: str, address: str = "") -> str:
    environment = {**os.environ, "HERDR_SOCKET_PATH": address} if address else None
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
