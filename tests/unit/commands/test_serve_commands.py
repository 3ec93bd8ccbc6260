"""The commands that talk to a resident controller, and those that do without one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import HostEnvironment, __version__
from attention_framework.commands import stop as stop_command
from attention_framework.serve.address import Address
from attention_framework.serve.detaching import FAILED, own_environment
from attention_framework.serve.protocol import Request, parse_request
from attention_framework.testing.memory import DETACHED_PID
from attention_framework.words.local_time import local_time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .conftest import Shell

PATH = "/run/serve.sock"
STARTED_MS = 1_796_008_500_000
STATUS = {
    "v": 1,
    "pid": 4712,
    "version": __version__,
    "started_ms": STARTED_MS,
    "address": f"unix {PATH}",
    "sessions": [{"address": "/run/fake.sock", "watch": "following", "watch_problem": None, "error": None}],
    "breaks": [],
    "settings": {"problem": None},
    "given_up": {},
}


SINCE = f"since {local_time(STARTED_MS, '%H:%M:%S')}"
AGAIN = f"tried again at {local_time(STARTED_MS + 60_000, '%H:%M:%S')}"
EVERY = {"back_off_s": 2.0, "since_ms": STARTED_MS}
TIMES = {"back_off_s": 60.0, "since_ms": STARTED_MS, "again_ms": STARTED_MS + 60_000, "error": None}


class Server:
    """Answers what the test says, by verb."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.asked: list[Request] = []
        self.answers: dict[str, list[str]] = {"status": [f"json {json.dumps(STATUS)}", "end 0"]}
        self.start()

    def start(self) -> None:
        state = self.shell.app.state
        self.shell.memory.files.write(state.serve_address, Address(path=PATH).content)
        self.shell.memory.sockets.servers[PATH] = self.answer

    def answer(self, line: bytes) -> bytes:
        request = parse_request(line)
        self.asked.append(request)
        return "".join(f"{one}\n" for one in self.answers.get(request.verb, [])).encode()

    @property
    def wakes(self) -> list[dict[str, str]]:
        return [dict(request.values) for request in self.asked if request.verb == "wake"]


@pytest.fixture
def server(shell: Shell) -> Server:
    server = Server(shell)
    server.answers["wake"] = ["sessions 1", "out pause-sent pane=w1:p1", "err a warning", "end 0"]
    return server


@pytest.mark.parametrize(
    ("words", "trigger"),
    [
        (("break-start", "--run-id", "b-1"), "break b-1 begins"),
        (("break-end", "--run-id", "b-1"), "break b-1 ends"),
        (("pause", "front"), None),
        (("resume", "back"), "resume"),
        (("allow", "back"), "allow"),
    ],
)
def test_where_a_controller_runs_it_has_the_cycle_and_its_decisions_are_printed(
    shell: Shell, server: Server, words: Sequence[str], trigger: str | None
) -> None:
    result = shell.run(*words)
    assert "pause-sent pane=w1:p1" in result.out
    assert "a warning" in result.err
    (wake,) = server.wakes
    assert trigger is None or wake["trigger"] == trigger
    assert list(shell.app.journal.read()) == [] or all(
        entry["type"] == "hold" for entry in shell.app.journal.read()
    )


def test_its_failure_is_theirs(shell: Shell, server: Server) -> None:
    server.answers["wake"] = ["sessions 1", "err failed: no answer", "end 1"]
    result = shell.run("break-start", "--run-id", "b-1")
    assert (result.code, result.err) == (1, "failed: no answer\n")


def test_without_a_session_pause_says_what_it_means(shell: Shell, server: Server) -> None:
    server.answers["wake"] = ["sessions 0", "end 0"]
    assert "no session is running; agents that start now" in shell.run("pause", "--all").out


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param([], id="it dies"),
        pytest.param(["out half an answer"], id="it dies in the middle"),
        pytest.param(["err attention: host 'fake' is not selected", "end 2"], id="it has other settings"),
    ],
)
def test_where_it_cannot_they_do_it_alone_and_say_nothing_twice(
    shell: Shell, server: Server, answer: list[str]
) -> None:
    server.answers["wake"] = answer
    result = shell.run("pause", "--all")
    assert result.code == 0
    assert "pause-sent pane=w1:p1 policy=holds" in result.out
    assert "half an answer" not in result.out
    shell.look()
    assert shell.paused == {"w1:p1", "w1:p2"}


def test_an_address_that_nobody_listens_at_is_as_good_as_none(shell: Shell, server: Server) -> None:
    del shell.memory.sockets.servers[PATH]
    assert "pause-sent" in shell.run("pause", "--all").out


def controller_line(shell: Shell) -> str:
    (line,) = [line for line in shell.run("status").lines if line.startswith("controller: ")]
    return line


class TestStatus:
    def test_it_says_who_is_resident(self, shell: Shell, server: Server) -> None:
        last = controller_line(shell)
        assert last.startswith("controller: resident, pid 4712 since ")
        assert last.endswith(", 1 session")

    @pytest.mark.parametrize(
        ("changed", "told"),
        [
            (
                {"version": "0.0.1"},
                ["version of the controller: it is of before an upgrade (0.0.1)", __version__],
            ),
            ({"settings": {"problem": "line 3"}}, ["settings of the controller: ", "wrong: line 3"]),
            (
                {"sessions": [{"address": "/a", "watch": "backing off", "watch_problem": "odd", **TIMES}]},
                ["session /a: it is not watched", "noticed late: odd", SINCE, AGAIN],
            ),
            (
                {"sessions": [{"address": "/a", "watch": "following", "error": "no answer"}]},
                ["session /a: its last cycle failed: no answer"],
            ),
            (
                {"breaks": [{"name": "bell", "state": "backing off", "problem": "no log", **TIMES}]},
                ["break source bell: it is not followed", "noticed late: no log", SINCE, AGAIN],
            ),
            (
                {"breaks": [{"name": "bell", "state": "gives no answer", "problem": "odd", **EVERY}]},
                ["break source bell: it does not say", "odd", SINCE, "again every 2 s"],
            ),
            (
                {"hosts": [{"name": "fake", "state": "gives no answer", "problem": "odd", **EVERY}]},
                ["host fake: it does not say which sessions run: odd", SINCE, "again every 2 s"],
            ),
            ({"given_up": {"tmux": "gave no answer"}}, ["tmux: gave no answer"]),
            ({"left_out": {"bell": "it needs settings"}}, ["bell: it is left out: it needs settings"]),
            (
                {
                    "hosts": [
                        {"name": "fake", "state": "gives no answer", "problem": "odd", "since_ms": 10**30}
                    ]
                },
                ["host fake: ", "odd; since a time beyond the calendar"],
            ),
        ],
    )
    def test_it_says_what_is_wrong_there_since_when_and_what_mends_it(
        self, shell: Shell, server: Server, changed: dict[str, Any], told: list[str]
    ) -> None:
        server.answers["status"] = [f"json {json.dumps({**STATUS, **changed})}", "end 0"]
        lines = shell.run("status").lines
        at = lines.index(controller_line(shell))
        message, mend = lines[at + 1 : at + 3]
        assert all(part in message for part in told)
        assert mend.startswith("    to mend it: ")
        [problem] = json.loads(shell.run("status", "--json").out)["controller"]["problems"]
        assert problem == f"{message.strip()}. To mend it: {mend.strip().removeprefix('to mend it: ')}"
        [check] = [
            check
            for check in json.loads(shell.run("doctor", "--json").out)["checks"]
            if f"{check['name']}: {check['message']}" == message.strip()
        ]
        assert (check["level"], check["mend"]) == ("warning", mend.strip().removeprefix("to mend it: "))

    def test_of_one_that_is_stopped_it_does_not_say_that_none_is_there(self, shell: Shell) -> None:
        state = shell.app.state
        lock = shell.memory.process().files.try_lock(state.serve_lock)
        assert lock is not None
        silent = f"controller: one holds {state.serve_lock} and does not answer at {state.serve_address}"
        assert controller_line(shell) == silent
        lock.release()
        assert controller_line(shell).startswith("controller: none is resident")

    @pytest.mark.parametrize("odd", [None, [], "x", 5])
    @pytest.mark.parametrize("key", ["left_out", "given_up", "hosts", "sessions", "breaks", "settings"])
    def test_a_status_of_another_form_is_none(
        self, shell: Shell, server: Server, key: str, odd: object
    ) -> None:
        server.answers["status"] = [f"json {json.dumps({**STATUS, key: odd})}", "end 0"]
        assert shell.run("status").code == 0

    def test_one_that_hangs_and_says_nothing_for_that_reason_is_named_once(
        self, shell: Shell, server: Server
    ) -> None:
        silent = {"name": "bell", "state": "gives no answer", "problem": "gave no answer within 5 s", **EVERY}
        status = {**STATUS, "breaks": [silent], "given_up": {"bell": "gave no answer within 5 s"}}
        server.answers["status"] = [f"json {json.dumps(status)}", "end 0"]
        assert len(json.loads(shell.run("status", "--json").out)["controller"]["problems"]) == 1

    def test_programs_get_it_too(self, shell: Shell, server: Server) -> None:
        found = json.loads(shell.run("status", "--json").out)["controller"]
        assert found == {"pid": 4712, "started_ms": STATUS["started_ms"], "sessions": 1, "problems": []}

    @pytest.mark.parametrize("content", ["{", "[]", "{}", '{"pid": "x"}'])
    def test_what_it_does_not_understand_is_none(self, shell: Shell, server: Server, content: str) -> None:
        server.answers["status"] = [f"json {content}", "end 0"]
        assert controller_line(shell).startswith("controller: none")


class TestDoctor:
    def test_the_controller_is_asked_once(self, shell: Shell, server: Server) -> None:
        shell.configuration.settings.breaks.sources = ["timer"]
        shell.run("doctor")
        assert [request.verb for request in server.asked] == ["status"]

    def line(self, shell: Shell) -> list[str]:
        return [line for line in shell.run("doctor").lines if "controller: " in line]

    def test_one_that_runs_is_well(self, shell: Shell, server: Server) -> None:
        (line,) = self.line(shell)
        assert line.startswith("  ok    controller: resident, pid 4712")

    def test_the_address_of_a_killed_one_is_named(self, shell: Shell, server: Server) -> None:
        del shell.memory.sockets.servers[PATH]
        (line,) = self.line(shell)
        assert line == f"  warn  controller: {shell.app.state.serve_address} is of one that was killed"

    def test_one_that_hangs_is_a_failure(self, shell: Shell, server: Server) -> None:
        del shell.memory.sockets.servers[PATH]
        lock = shell.memory.process().files.try_lock(shell.app.state.serve_lock)
        assert lock is not None
        (line,) = self.line(shell)
        assert line.startswith(
            f"  FAIL  controller: one holds {shell.app.state.serve_lock} and does not answer"
        )

    def test_a_second_one_is_a_failure(self, shell: Shell, server: Server) -> None:
        shell.memory.files.write(shell.app.state.serve_description, b'{"v": 1, "pid": 9}')
        assert any("are there two?" in line for line in self.line(shell))


class TestStop:
    def test_it_waits_until_the_controller_is_over(self, shell: Shell, server: Server) -> None:
        lock = shell.memory.process().files.try_lock(shell.app.state.serve_lock)
        assert lock is not None
        server.answers["stop"] = ["end 0"]
        slept: list[float] = []

        def release(duration: float) -> None:
            slept.append(duration)
            if len(slept) == 3:
                lock.release()

        shell.memory.clock.on_sleep.append(release)
        result = shell.run("stop")
        assert (result.code, result.out) == (0, "stopped\n")
        assert len(slept) == 3

    def test_one_that_takes_the_free_place_meanwhile_is_stopped_too(
        self, shell: Shell, server: Server
    ) -> None:
        """A start in the background takes a second, and the person may say stop within it."""
        lock = shell.memory.process().files.try_lock(shell.app.state.serve_lock)
        assert lock is not None
        server.answers["stop"] = ["end 0"]
        locks = [lock]

        def first_ends_and_another_comes(duration: float) -> None:
            asked = [request.verb for request in server.asked].count("stop")
            if asked == 1:
                return
            locks.pop().release()
            if asked == 2:
                other = shell.memory.process().files.try_lock(shell.app.state.serve_lock)
                assert other is not None
                locks.append(other)

        shell.memory.clock.on_sleep.append(first_ends_and_another_comes)
        result = shell.run("stop")
        assert (result.code, result.out) == (0, "stopped\n")
        assert locks == []

    def test_one_that_has_the_place_and_does_not_listen_yet_is_waited_for(self, shell: Shell) -> None:
        """Or does not listen any more: somebody else has stopped it."""
        lock = shell.memory.process().files.try_lock(shell.app.state.serve_lock)
        assert lock is not None
        slept: list[float] = []

        def listen_and_end(duration: float) -> None:
            slept.append(duration)
            if len(slept) == 3:
                Server(shell).answers["stop"] = ["end 0"]
            if len(slept) == 5:
                lock.release()

        shell.memory.clock.on_sleep.append(listen_and_end)
        result = shell.run("stop")
        assert (result.code, result.out, result.err) == (0, "stopped\n", "")
        assert len(slept) == 5

    def test_without_one_there_is_nothing_to_stop(self, shell: Shell) -> None:
        assert shell.run("stop").out == "no controller runs\n"

    @pytest.mark.parametrize("answer", [[], ["end 0"]])
    def test_one_that_does_not_end_is_an_error(self, shell: Shell, server: Server, answer: list[str]) -> None:
        lock = shell.memory.process().files.try_lock(shell.app.state.serve_lock)
        assert lock is not None
        server.answers["stop"] = answer
        result = shell.run("stop")
        assert result.code == 1
        assert "the controller" in result.err
        assert stop_command.ENDS_WITHIN_MS > 0


class TestServe:
    def test_a_second_one_says_who_runs(self, shell: Shell, server: Server) -> None:
        lock = shell.memory.process().files.try_lock(shell.app.state.serve_lock)
        assert lock is not None
        result = shell.run("serve")
        assert (result.code, result.out) == (1, "")
        assert f"runs already (pid 4712) with the state folder {shell.app.state.root}" in result.err

    def test_in_the_background_a_second_one_is_no_error(self, shell: Shell, server: Server) -> None:
        assert shell.run("serve", "--detach").lines == ["runs already: pid 4712"]
        assert shell.memory.processes.detached == []

    def test_in_the_background_it_is_started_with_everybodys_environment(self, shell: Shell) -> None:
        shell.memory.environment.update(FAKE_PANE="w1:p1", FAKE_ADDRESS="/x", FAKE_MORE="1", HOME="/home/me")
        given: list[Any] = []

        def started(command: Sequence[str]) -> None:
            given.append(tuple(command))
            Server(shell)

        shell.memory.processes.on_detached = started
        result = shell.run("serve", "--detach")
        assert result.lines == [f"started: pid 4712, listening at unix {PATH}"]
        assert given == [(*shell.context.command, "serve")]

    def test_where_another_one_serves_it_is_told_once_ours_has_ended(self, shell: Shell) -> None:
        processes, looks = shell.memory.processes, []
        processes.detached_ended = False
        processes.on_detached = lambda command: Server(shell).answers.update(
            status=[f"json {json.dumps({**STATUS, 'pid': 99})}", "end 0"]
        )

        def look(duration: float) -> None:
            looks.append(duration)
            processes.detached_ended = len(looks) == 3

        shell.memory.clock.on_sleep.append(look)
        assert shell.run("serve", "--detach").lines == [f"started: pid 99, listening at unix {PATH}"]
        assert len(looks) == 3

    def test_one_behind_a_launcher_is_ours(self, shell: Shell) -> None:
        processes = shell.memory.processes
        processes.detached_ended = False
        processes.start(99, parent=DETACHED_PID)
        shell.memory.clock.on_sleep.append(lambda ms: pytest.fail("it waits for another one"))
        processes.on_detached = lambda command: Server(shell).answers.update(
            status=[f"json {json.dumps({**STATUS, 'pid': 99})}", "end 0"]
        )
        assert shell.run("serve", "--detach").lines == [f"started: pid 99, listening at unix {PATH}"]

    def failing(self, shell: Shell, what: Callable[[], object]) -> str:
        shell.memory.processes.on_detached = lambda command: what()
        result = shell.run("serve", "--detach")
        assert result.code == 1
        return result.err

    def test_what_kept_it_from_starting_is_shown(self, shell: Shell) -> None:
        log = shell.app.state.log
        shell.memory.files.append(log, f"before: {FAILED}an old problem\n".encode())
        line = f"12:00 ERROR serve: {FAILED}no room\n".encode()
        assert "could not start: no room" in self.failing(shell, lambda: shell.memory.files.append(log, line))

    def test_one_that_never_answers_is_given_up(self, shell: Shell) -> None:
        assert "does not answer within 20 s" in self.failing(shell, lambda: None)


def test_what_names_a_pane_or_a_session_is_left_out_of_the_environment() -> None:
    hosts = [
        HostEnvironment("herdr", "HERDR_PANE_ID", "HERDR_SOCKET_PATH"),
        HostEnvironment("tmux", "TMUX_PANE", "TMUX"),
    ]
    environment = {
        "HERDR_PANE_ID": "1", "HERDR_SOCKET_PATH": "2", "HERDR_PLUGIN_EVENT": "3", "TMUX": "4", "TMUX_PANE": "5",
        "TMUX_TMPDIR": "6", "HOME": "7", "ATTENTION_LOG__LEVEL": "8",
    }  # fmt: skip
    assert own_environment(environment, hosts) == {
        "TMUX_TMPDIR": "6",
        "HOME": "7",
        "ATTENTION_LOG__LEVEL": "8",
    }
