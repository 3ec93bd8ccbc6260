"""What a hook runs, as a process of its own, against a real socket."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from attention_framework.client import installing, thin_client

if TYPE_CHECKING:
    from pathlib import Path

WITHIN_S = 60
WAKE = ("host=herdr", "address=/run/a b%/herdr.sock", "trigger=pane.focused")
STARTED_ANYWAY = {
    *("__main__", "_abc", "_codecs", "_frozen_importlib", "_frozen_importlib_external", "_imp", "_io", "_signal"),
    *("_thread", "_warnings", "_weakref", "abc", "builtins", "codecs", "encodings", "encodings.aliases"),
    *("encodings.utf_8", "io", "marshal", "posix", "nt", "winreg", "sys", "time", "zipimport", "_winapi"),
    "zlib",  # Of a Python whose library is a zip file.
    *("encodings.cp1252", "_codecs_cp", "encodings.cp437", "encodings.mbcs"),
}  # fmt: skip
"""What `python -I -S` loads by itself, on one system or another."""
OURS = {"_socket"}


def fields(request: str) -> tuple[str, dict[str, str]]:
    verb, *words = request.split(" ")
    return verb, {name: unquote(value) for name, _, value in (word.partition("=") for word in words)}


def test_it_prints_what_was_decided_and_exits_with_the_code_of_the_cycle(server: Any, hook: Any) -> None:
    server.answer = lambda request: "out paused pane=a é\nerr failed: x\nout coalesced\nend 1\n"
    done = hook.run(*WAKE)
    assert (done.returncode, done.stdout, done.stderr) == (1, "paused pane=a é\ncoalesced\n", "failed: x\n")


def test_the_request_is_one_line_with_encoded_values(server: Any, hook: Any) -> None:
    hook.run(*WAKE, "answer=no")
    verb, found = fields(server.requests[0])
    token = {"token": found.pop("token")} if server.tcp else {}
    assert token == ({"token": "0badcafe"} if server.tcp else {})
    assert (verb, found) == ("wake", {**dict(word.split("=", 1) for word in WAKE), "answer": "no"})


def test_the_address_may_come_from_the_environment(server: Any, hook: Any) -> None:
    found = {"HERDR_SOCKET_PATH": "/run/hömé/herdr.sock"}
    hook.run("host=herdr", "address-from=HERDR_SOCKET_PATH", "trigger=t", environment=found)
    assert fields(server.requests[0])[1]["address"] == "/run/hömé/herdr.sock"


def test_without_the_variable_the_command_says_what_is_missing(server: Any, hook: Any) -> None:
    done = hook.run("host=herdr", "address-from=HERDR_SOCKET_PATH", "trigger=t", environment={})
    assert (done.stdout, done.returncode, server.requests) == ("one-shot\n", 7, [])


def test_a_long_answer_in_many_pieces_arrives_whole(server: Any, hook: Any) -> None:
    lines = [f"paused pane=w{number}" for number in range(20_000)]
    server.answer = lambda request: "".join(f"out {line}\n" for line in lines) + "end 0\n"
    done = hook.run(*WAKE)
    assert (done.returncode, done.stdout.splitlines()) == (0, lines)


@pytest.mark.parametrize(
    "answer",
    [None, "", "out half", "out one\nout end 0\n", "out one\nend 0", "end of it\n", "x" * (2 << 20)],
    ids=["closed", "empty", "half a line", "no end", "half an end", "no code", "endless"],
)
def test_an_answer_without_its_end_is_none(server: Any, hook: Any, answer: str | None) -> None:
    server.answer = lambda request: answer
    done = hook.run(*WAKE)
    assert (done.stdout, done.returncode) == ("one-shot\n", 7), "and nothing of it is printed"


def test_a_controller_that_was_stopped_is_given_up(server: Any, hook: Any) -> None:
    server.answer = server.hold()
    assert hook.run(*WAKE).stdout == "one-shot\n"
    assert len(server.requests) == 1


def test_one_that_says_nothing_at_once_is_given_up_however_long_it_may_take(server: Any, hook: Any) -> None:
    content = hook.path.read_text().replace(f"BOUND_S = {thin_client.BOUND_S}", "BOUND_S = 6000.0")
    hook.path.write_text(content)
    server.answer = server.hold()
    assert hook.run(*WAKE).stdout == "one-shot\n"


def test_one_that_has_heard_is_waited_for() -> None:
    pieces, waits_s = [b"heard\n", b"out late\nend 0\n"], list[float]()
    connection: Any = SimpleNamespace(recv=lambda size: pieces.pop(0), settimeout=waits_s.append)
    lines = thin_client.received(connection, time.monotonic() + WITHIN_S)
    assert lines == [b"heard", b"out late", b"end 0"]
    assert waits_s[0] > WITHIN_S / 2


@pytest.fixture
def alone(state: Path) -> Any:
    return SimpleNamespace(state=state, path=state / installing.CLIENT)


@pytest.mark.parametrize(
    "content", [None, b"", b"unix /nowhere/serve.sock\n", b"tcp 127.0.0.1 1 t\n", b"pipe x\n"]
)
def test_without_a_controller_it_becomes_the_command(alone: Any, content: bytes | None) -> None:
    if content is not None:
        (alone.state / "serve.addr").write_bytes(content)
    code = "import sys; print(sys.argv[1:]); sys.exit(9)"
    fallback = [sys.executable, "-c", code, "a b", 'say "x"', "--", ""]
    done = run([sys.executable, "-I", "-S", str(alone.path), *WAKE, "--", *fallback])
    assert (done.stdout.strip(), done.returncode) == (str(["a b", 'say "x"', "--", ""]), 9)


def test_a_command_that_is_gone_is_named(alone: Any) -> None:
    done = run([sys.executable, "-I", "-S", str(alone.path), *WAKE, "--", "/gone/python"])
    assert done.returncode == 1
    assert "/gone/python cannot be started" in done.stderr


def test_a_reader_that_has_gone_changes_nothing(server: Any, hook: Any) -> None:
    server.answer = lambda request: "out x\nend 0\n"
    reader, writer = os.pipe()
    os.close(reader)
    try:
        command = [sys.executable, "-I", "-S", str(hook.path), *WAKE, "--", sys.executable]
        assert subprocess.run(command, stdout=writer, timeout=60, check=False).returncode == 0
    finally:
        os.close(writer)


def test_windows_way_of_becoming_the_command_returns_its_code() -> None:
    """Its process is a child there, which inherits the streams."""
    assert thin_client.run([sys.executable, "-I", "-S", "-c", "raise SystemExit(5)"]) == 5


def test_it_loads_nothing_but_what_is_loaded_anyway_and_the_socket(server: Any, hook: Any) -> None:
    """From the interpreter itself: it names each module as it loads it."""
    command = [sys.executable, "-X", "importtime", "-I", "-S", str(hook.path), *WAKE, "--", "none"]
    done = run(command)
    assert done.returncode == 0, done.stderr
    named = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "import time:" in line}
    assert named - STARTED_ANYWAY - {"imported package"} == OURS


def test_it_knows_the_folder_that_it_lies_in() -> None:
    assert thin_client.folder_of("/a b/c.d/thin_client.py") == "/a b/c.d"


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", timeout=60, stdin=subprocess.DEVNULL, check=False
    )
