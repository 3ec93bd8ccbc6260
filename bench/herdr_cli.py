"""A small command line over Herdr's socket, in the place of the `herdr` program where there is none.

    HERDR_SOCKET_PATH=… python -I -S herdr_cli.py pane list | pane read PANE | pane send-keys PANE KEY…

An interpreter starts more slowly than Herdr's own compiled program; it loads only what a request needs.
"""

from __future__ import annotations

import json
import os
import socket
import sys


def main(words: list[str]) -> int:
    verb, *rest = words[1:]
    if verb == "list":
        print(json.dumps(ask("pane.list", {})))
    elif verb == "read":
        print(ask("pane.read", {"pane_id": rest[0], "source": "visible"})["read"]["text"])
    else:
        ask("pane.send_keys", {"pane_id": rest[0], "keys": rest[1:]})
    return 0


def ask(method: str, params: dict[str, object]) -> dict[str, object]:
    """The bytes are ready before the connection is there: Herdr answers late ones late."""
    line = json.dumps({"id": "bench", "method": method, "params": params}).encode() + b"\n"
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ["HERDR_SOCKET_PATH"])
        connection.sendall(line)
        with connection.makefile("rb") as stream:
            result: dict[str, object] = json.loads(stream.readline())["result"]
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
