"""A model that plays a script: the part of the OpenAI API that OMP uses, on a port of its own.

A prompt that contains `[[name]]` plays the script of that name, one step for each
answer of the model. Which step is next is read from the conversation that the request
carries, so agents, subagents and repeated requests do not get into each other's way.
"""

from __future__ import annotations

import json
import re
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

HOLD_AT_MOST_S = 60.0
CHUNK = 24


@dataclass(frozen=True, slots=True)
class Say:
    """An answer in words. With `after` it ends only once that event is set, though its first word comes at once."""

    text: str
    after: threading.Event | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool."""

    tool: str
    arguments: Mapping[str, Any]


Step: TypeAlias = "Say | Call | Sequence[Call]"


@dataclass(frozen=True, slots=True)
class Request:
    """One request for an answer, as it arrived."""

    script: str
    step: int
    at: float
    """time.monotonic()"""


@dataclass(slots=True)
class Scripts:
    """What is played, and what was asked for."""

    steps: dict[str, Sequence[Step]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_step(self, body: Mapping[str, Any]) -> Step:
        messages: Sequence[Mapping[str, Any]] = body["messages"]
        if not body.get("tools"):  # A side call of OMP, for the title of a subagent for instance.
            return Say("a title")
        script, first = _script(messages)
        step = sum(message.get("role") == "assistant" for message in messages[first + 1 :])
        with self.lock:
            self.requests.append(Request(script, step, time.monotonic()))
        steps = self.steps.get(script)
        return steps[min(step, len(steps) - 1)] if steps else Say(f"(there is no script {script!r})")


class ScriptedModel:
    """The server. `play` a script, then look at `asked`."""

    def __init__(self) -> None:
        self.scripts = Scripts()
        handler = type("Handler", (_Handler,), {"scripts": self.scripts})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="model")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def play(self, script: str, *steps: Step) -> str:
        """What a prompt has to contain for it."""
        self.scripts.steps[script] = steps
        return f"[[{script}]]"

    def asked(self, script: str) -> list[int]:
        """The steps that were asked for so far."""
        with self.scripts.lock:
            return [request.step for request in self.scripts.requests if request.script == script]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    scripts: Scripts

    def do_GET(self) -> None:
        self._send(
            "application/json",
            json.dumps({"object": "list", "data": [{"id": "fake-1", "object": "model"}]}).encode(),
        )

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        step = self.scripts.next_step(body)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for chunk in _chunks(step, body.get("model", "fake-1")):
                self.wfile.write(b"data: " + chunk + b"\n\n")
                self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            pass  # The agent has aborted the request.

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the requests are kept."""

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _script(messages: Sequence[Mapping[str, Any]]) -> tuple[str, int]:
    """The script that the last prompt names, and where that prompt stands."""
    found = ("none", -1)
    for index, message in enumerate(messages):
        names = re.findall(r"\[\[([\w-]+)\]\]", _text(message)) if message.get("role") == "user" else []
        if names:
            found = (names[-1], index)
    return found


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _chunks(step: Step, model: str) -> Iterator[bytes]:
    base = {
        "id": f"chatcmpl-{time.monotonic_ns()}",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": model,
    }

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
        return json.dumps(
            {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        ).encode()

    yield chunk({"role": "assistant", "content": ""})
    if isinstance(step, Say):
        first, _, rest = step.text.partition(" ")
        yield chunk({"content": first})
        if step.after is not None:
            step.after.wait(HOLD_AT_MOST_S)
        yield chunk({"content": f" {rest}"})
        yield chunk({}, "stop")
    else:
        calls = [step] if isinstance(step, Call) else step
        yield from map(chunk, _call_deltas(calls))
        yield chunk({}, "tool_calls")
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    yield json.dumps({**base, "choices": [], "usage": usage}).encode()
    yield b"[DONE]"


def _call_deltas(calls: Sequence[Call]) -> Iterator[Mapping[str, Any]]:
    """Arguments come in pieces, as those of a real model do."""
    for index, call in enumerate(calls):
        name = {"name": call.tool, "arguments": ""}
        yield {
            "tool_calls": [
                {"index": index, "id": f"call_{time.monotonic_ns()}", "type": "function", "function": name}
            ]
        }
        arguments = json.dumps(call.arguments)
        for start in range(0, len(arguments), CHUNK):
            yield {
                "tool_calls": [{"index": index, "function": {"arguments": arguments[start : start + CHUNK]}}]
            }
