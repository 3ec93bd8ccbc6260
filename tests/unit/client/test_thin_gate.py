"""What an agent's hook runs, as a process of its own, against a real socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from attention_framework.client import thin_gate

if TYPE_CHECKING:
    from collections.abc import Callable

OPTIONS = ("event=tool", "wait=0", "code=2", "unknown=open")
PLACES = ("in=herdr,HERDR_PANE_ID,HERDR_SOCKET_PATH", "in=tmux,TMUX_PANE,TMUX,^(.*),[0-9]+$")
IN_HERDR = {"HERDR_PANE_ID": "w1:p1", "HERDR_SOCKET_PATH": "/run/herdr.sock"}
IN_TMUX = {"TMUX_PANE": "%3", "TMUX": "/tmp/tmux-0/default,77,0"}


def answering(**words: str) -> Callable[[str], str]:
    """By the name of the host."""

    def answer(request: str) -> str:
        host = next(word[5:] for word in request.split(" ") if word.startswith("host="))
        return f"answer {words[host]} question=1 reason=of%20{host}\nend 0\n"

    return answer


def asked(server: Any) -> list[dict[str, str]]:
    found = []
    for request in server.requests:
        verb, *words = request.split(" ")
        assert verb == "ask"
        found.append({name: unquote(value) for name, _, value in (word.partition("=") for word in words)})
        found[-1].pop("token", None)
    return found


def test_an_agent_that_may_go_on_goes_on(server: Any, gate: Any) -> None:
    server.answer = answering(herdr="run")
    done = gate.run(*OPTIONS, *PLACES, environment=IN_HERDR)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    where = {"host": "herdr", "address": "/run/herdr.sock", "pane": "w1:p1"}
    assert asked(server) == [{**where, "question": "1", "event": "tool", "wait": "0"}]


def test_one_that_may_not_is_told_why_when_the_time_is_over(server: Any, gate: Any) -> None:
    server.answer = answering(tmux="pause")
    done = gate.run(*OPTIONS, *PLACES, environment=IN_TMUX)
    assert (done.returncode, done.stderr) == (2, "attention: this agent may not go on now: of tmux\n")
    assert (asked(server)[0]["address"], asked(server)[0]["pane"]) == ("/tmp/tmux-0/default,77", "%3")


def test_it_waits_until_it_may(server: Any, gate: Any) -> None:
    words = iter(["pause", "pause", "run"])
    server.answer = lambda request: f"answer {next(words)} question=1 reason=x\nend 0\n"
    done = gate.run("event=tool", "wait=50", *OPTIONS[2:], *PLACES, environment=IN_HERDR)
    assert done.returncode == 0
    waits = [int(one["wait"]) for one in asked(server)]
    assert len(waits) == 3
    assert max(waits) <= thin_gate.SLICE_S * 1000


def test_outside_of_every_host_it_says_nothing_and_asks_nobody(server: Any, gate: Any) -> None:
    done = gate.run(*OPTIONS, *PLACES, environment={"TMUX_PANE": "%1", "TMUX": "odd"})
    assert (done.returncode, done.stdout, done.stderr, server.requests) == (0, "", "", [])


@pytest.mark.parametrize(
    ("herdr", "tmux", "code"),
    [
        ("run", "run", 0),
        ("run", "pause", 2),
        ("pause", "run", 2),
        ("unknown", "run", 0),
        ("run", "unknown", 0),
    ],
)
def test_in_a_host_inside_of_another_one_both_are_asked(
    server: Any, gate: Any, herdr: str, tmux: str, code: int
) -> None:
    server.answer = answering(herdr=herdr, tmux=tmux)
    done = gate.run(*OPTIONS, *PLACES, environment={**IN_HERDR, **IN_TMUX})
    assert done.returncode == code
    assert "nobody can tell" not in done.stderr


def test_where_nobody_can_tell_it_may_with_a_warning(server: Any, gate: Any) -> None:
    server.answer = answering(herdr="unknown")
    done = gate.run(*OPTIONS, *PLACES, environment=IN_HERDR)
    assert done.returncode == 0
    assert done.stderr.startswith("attention: allowed, since nobody can tell")


def test_where_nobody_can_tell_it_may_not_if_it_was_told_so(server: Any, gate: Any) -> None:
    server.answer = answering(herdr="unknown")
    done = gate.run(*OPTIONS[:3], "unknown=closed", *PLACES, environment=IN_HERDR)
    assert done.returncode == 2
    assert done.stderr.startswith("attention: nobody can tell")


def test_a_pane_can_be_named(server: Any, gate: Any) -> None:
    server.answer = answering(herdr="run")
    gate.run(*OPTIONS, "host=herdr", "address=/run/other.sock", "pane=w2:p1", environment=IN_TMUX)
    assert (asked(server)[0]["address"], asked(server)[0]["pane"]) == ("/run/other.sock", "w2:p1")


@pytest.mark.parametrize(
    "answer", [None, "end 0\n", "answer maybe\nend 0\n", "answer run question=1\nend 1\n"]
)
def test_without_an_answer_it_becomes_the_command_for_the_time_that_is_left(
    server: Any, gate: Any, answer: str | None
) -> None:
    server.answer = lambda request: answer
    done = gate.run("event=tool", "wait=500", *OPTIONS[2:], *PLACES, environment=IN_HERDR)
    word, option, left_s = done.stdout.split()
    assert (word, option, done.returncode) == ("one-shot", "--wait", 7)
    assert 0 < float(left_s) <= 500


def test_a_reason_of_any_text_is_read() -> None:
    assert thin_gate.answer_in([b"answer pause question=1 reason=no%20%C3%A9%FF"]) == ("pause", "no é�")
