"""Calls of tools whose course the test decides."""

from __future__ import annotations

from .model_server import Call


def touch(name: str) -> Call:
    return Call("bash", {"command": f"touch {name}"})


def waiting(name: str) -> Call:
    """Leaves `<name>.started`, waits for `<name>.go`, then leaves `<name>.done`."""
    wait = f"for i in $(seq 6000); do [ -e {name}.go ] && break; sleep 0.05; done"
    return Call("bash", {"command": f"touch {name}.started; {wait}; touch {name}.done"})


def write(name: str) -> Call:
    """Waits for the commands of the same answer that stand before it."""
    return Call("write", {"path": name, "content": "written\n"})


def ask(question: str, *options: str) -> Call:
    labels = [{"label": option} for option in options]
    return Call("ask", {"questions": [{"id": "q1", "question": question, "options": labels}]})


def subagent(task: str) -> Call:
    return Call("task", {"context": "none", "tasks": [{"task": task, "name": "Sub1"}]})


def finish() -> Call:
    """How a subagent hands over its result."""
    return Call("yield", {"data": {"result": "done"}})
