"""Wake the resident controller: what a host's hook runs, as `python -I -S thin_client.py host=H address=A trigger=T -- COMMAND…`.

`attention setup` puts this file into the state folder, where it finds the controller. It prints what the cycle decided, and
exits with its code. When nobody answers it becomes COMMAND, which does the same without a controller. `address-from=VARIABLE`
takes the address from the environment; with `answer=no` the cycle is not waited for.

Most of what this costs is the start of the interpreter, then reading this file. So it does no more than it must, and imports
what is loaded anyway and `_socket`, which the module `socket` wraps at three times the price.
"""

import _socket
import sys
import time

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

BOUND_S = 3.0
"""For the whole answer: a controller that hangs must not hang the host's hooks."""
HEARD_S = 1.0
"""For connecting, and again for the first line, `heard`: one that was stopped does not say it."""
MOST_BYTES = 1 << 20
BARE = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~/:"


class Unanswered(Exception):
    """Nobody answered, not in time, or not to the end."""


def main(arguments: list[str], state: str) -> int:
    cut = arguments.index("--")
    try:
        return wake(state, arguments[:cut])
    except Unanswered:
        return become(arguments[cut + 1 :])


def wake(state: str, words: list[str]) -> int:
    lines, code = exchange(state, "wake", [given(*word.split("=", 1)) for word in words], BOUND_S, HEARD_S)
    show(1, b"".join(line[4:] + b"\n" for line in lines if line[:4] == b"out "))
    show(2, b"".join(line[4:] + b"\n" for line in lines if line[:4] == b"err "))
    return code


def given(name: str, value: str) -> tuple[str, bytes]:
    if name != "address-from":
        return name, raw(value)
    if address := variable(value):
        return "address", address
    raise Unanswered  # The command says what is missing.


def exchange(
    state: str, verb: str, fields: list[tuple[str, bytes]], bound_s: float, heard_s: float
) -> tuple[list[bytes], int]:
    """The lines of the answer without the last, and the code that the last one tells. Raises Unanswered, also where nothing
    comes within `heard_s`.
    """
    end = time.monotonic() + bound_s
    try:
        family, address, token = located(state)
        words = [verb, *(name + "=" + quoted(value) for name, value in fields + token)]
        connection = _socket.socket(family, _socket.SOCK_STREAM)
        connection.settimeout(heard_s)
        connection.connect(address)
        connection.sendall(" ".join(words).encode() + b"\n")
        lines = received(connection, end)
        connection.close()
        return lines[:-1], int(lines[-1][4:])
    except (OSError, ValueError, AttributeError) as error:
        raise Unanswered from error


def located(state: str) -> tuple[int, bytes | tuple[str, int], list[tuple[str, bytes]]]:
    """Family and address of the controller's socket, and the token that it wants to see."""
    with open(state + "/serve.addr", "rb") as file:
        kind, where = file.read().rstrip(b"\r\n").split(b" ", 1)
    if kind == b"unix":
        return _socket.AF_UNIX, where, []  # type: ignore[attr-defined,unused-ignore]
    local, port, token = where.split(b" ")
    return _socket.AF_INET, (local.decode(), int(port)), [("token", token)]


def received(connection: _socket.socket, end: float) -> list[bytes]:
    """The lines of a whole answer. Raises ValueError for one that was cut off, is too late or too long."""
    content = b""
    while chunk := connection.recv(65536):
        content += chunk
        lines = content.split(b"\n")
        if not lines.pop() and lines[-1][:4] == b"end ":
            return lines
        left = end - time.monotonic()
        if left <= 0 or len(content) > MOST_BYTES:
            break
        connection.settimeout(left)
    raise ValueError


def quoted(value: bytes) -> str:
    return "".join([chr(byte) if byte in BARE else "%%%02X" % byte for byte in value])  # noqa: UP031  (quick to compile)


def raw(text: str) -> bytes:
    return text.encode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())


def variable(name: str) -> bytes:
    if sys.platform == "win32":
        return raw(system.environ.get(name, ""))
    return system.environ.get(raw(name), b"")


def show(stream: int, content: bytes) -> None:
    try:
        while content:
            content = content[system.write(stream, content) :]
    except OSError:  # A reader that has gone, or no stream at all, is no reason to fail.
        pass


def become(command: list[str]) -> int:
    try:
        if sys.platform != "win32":
            system.execv(command[0], command)
        return run(command)
    except OSError as error:
        show(2, raw(f"attention: no controller answers, and {command[0]} cannot be started: {error}\n"))
        return 1


def run(command: list[str]) -> int:
    """Windows has no exec that the parent waits for. A child without a console window inherits only the streams
    that it is given.
    """
    import subprocess

    streams = [
        number if stream else subprocess.DEVNULL
        for number, stream in enumerate((sys.stdin, sys.stdout, sys.stderr))
    ]
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return subprocess.call(
        command, stdin=streams[0], stdout=streams[1], stderr=streams[2], creationflags=flags
    )


def folder_of(file: str) -> str:
    return file[: max(file.rfind("/"), file.rfind("\\") if sys.platform == "win32" else -1)]


if __name__ == "__main__":
    # Nothing is buffered, and nothing is left to clear away: the interpreter's own end would be a tenth of the time.
    system._exit(main(sys.argv[1:], folder_of(__file__)))  # type: ignore[attr-defined,unused-ignore]
