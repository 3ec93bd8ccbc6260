"""`attention break-run` as a process, with a scripted Stretchly as another one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_stretchly.testing import ScriptedStretchly

from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Iterator

BOUND_S = 60.0
WINDOWS = sys.platform == "win32"
NOBODY = 65534
elsewhere = pytest.mark.skipif(
    WINDOWS, reason="takes Wine half a minute for its processes, and has a sibling that runs there"
)


class Driver:
    """Starts drivers with a state folder and settings of their own."""

    def __init__(self, folder: Path, stretchly: ScriptedStretchly) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.stretchly = stretchly
        self.config = folder / "attention.toml"
        self.processes: list[subprocess.Popen[str]] = []
        self.set("start_within_s = 20")

    def set(self, *lines: str) -> None:
        known = ['plugins = ["stretchly"]', "[strategy.stretchly]", f"log = '{self.stretchly.log}'"]
        self.config.write_text("\n".join([*known, *lines]) + "\n", encoding="utf-8")

    def command(self, *words: str, launch: list[str] | None = None) -> list[str]:
        attention = ["attention_framework", "--state", str(self.state), "--config", str(self.config)]
        return [*attention, "break-run", *words, "--launch", *(launch or self.stretchly.command)]

    def start(self, *words: str, launch: list[str] | None = None) -> subprocess.Popen[str]:
        return self.spawn([sys.executable, "-m", *self.command(*words, launch=launch)])

    def spawn(self, command: list[str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            command,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.processes.append(process)
        return process

    def run(self, *words: str, launch: list[str] | None = None) -> tuple[int, str]:
        return ended(self.start(*words, launch=launch))

    def holds(self) -> list[dict[str, object]]:
        return [json.loads(path.read_bytes()) for path in (self.state / "holds").glob("[!.]*.json")]

    def logged(self) -> str:
        return (self.state / "attention.log").read_text(encoding="utf-8")

    def kill(self) -> None:
        for process in self.processes:
            process.kill()
            process.communicate(timeout=BOUND_S)


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("ATTENTION_")}


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code and the one line that a scheduler shows, from whichever stream."""
    output, errors = process.communicate(timeout=BOUND_S)
    lines = (output + errors).splitlines()
    assert len(lines) == 1, lines
    return process.returncode, lines[0].removeprefix("attention: ")


@pytest.fixture
def stretchly(tmp_path: Path) -> Iterator[ScriptedStretchly]:
    with ScriptedStretchly(tmp_path / "stretchly", speed=20) as made:
        yield made


@pytest.fixture
def driver(tmp_path: Path, stretchly: ScriptedStretchly) -> Iterator[Driver]:
    made = Driver(tmp_path, stretchly)
    yield made
    made.kill()


def until_shown(driver: Driver, kind: str = "mini") -> None:
    def is_shown() -> bool:
        assert all(process.poll() is None for process in driver.processes), "it has ended"
        said = [line.lower() for line in driver.stretchly.lines()]
        return f"starting {kind} break" in said and bool(driver.holds())

    until(is_shown, BOUND_S, f"a {kind} break that is shown and held")


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        pytest.param((1, 5), "mini", marks=elsewhere),
        pytest.param((1, 5), "long", marks=elsewhere),
        pytest.param((1, 10), "mini", marks=elsewhere),
        pytest.param((1, 10), "long", marks=elsewhere),
        ((1, 22), "mini"),
        pytest.param((1, 22), "long", marks=elsewhere),
    ],
)
def test_the_agents_are_held_until_the_break_is_finished(
    driver: Driver, stretchly: ScriptedStretchly, version: tuple[int, int], kind: str
) -> None:
    stretchly.change(speed=100, version=version, mini_ms=60_000)
    stretchly.start()

    code, line = driver.run(kind)

    assert (code, line.partition(" (run")[0]) == (0, f"{kind} break: finished")
    assert driver.holds() == []
    assert line in driver.logged()
    changes = [json.loads(line) for line in (driver.state / "journal.jsonl").read_text().splitlines()]
    assert [(each["change"], each["source"]) for each in changes if each["type"] == "hold"] == [
        ("taken", f"attention break-run ({kind})"),
        ("released", f"attention break-run ({kind})"),
    ]


@elsewhere
def test_what_a_break_leaves_in_the_state_folder_is_in_the_way_of_no_removal(
    driver: Driver, stretchly: ScriptedStretchly
) -> None:
    stretchly.change(speed=100)
    stretchly.start()
    assert driver.run("mini")[0] == 0
    given = ["--state", str(driver.state), "--config", str(driver.config)]
    done = subprocess.run(
        [sys.executable, "-m", "attention_framework", *given, "uninstall", "--purge", "--yes"],
        env={**environment(), "HOME": str(driver.folder)},
        capture_output=True,
        text=True,
        timeout=BOUND_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not driver.state.exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("control", "skip"), "finished"),
        pytest.param(("control", "run_out"), "finished", marks=elsewhere),
        (("control", "postpone"), "postponed"),
        pytest.param(("pause",), "finished", marks=elsewhere),
        pytest.param(("reset",), "the breaks were reset", marks=elsewhere),
        pytest.param(("mini",), "another break was asked for in its place", marks=elsewhere),
        pytest.param(("long", "-w", "20m"), "another break was asked for in its place", marks=elsewhere),
    ],
)
def test_the_hold_ends_when_the_person_ends_the_break(
    driver: Driver, stretchly: ScriptedStretchly, words: tuple[str, ...], sentence: str
) -> None:
    stretchly.change(speed=1, starts_ms=0)
    stretchly.start()
    process = driver.start("long")
    until_shown(driver, "long")

    stretchly.call(*words)

    code, line = ended(process)
    assert (code, line.partition(" (run")[0]) == (0, f"long break: {sentence}")
    assert driver.holds() == []


@pytest.mark.parametrize("how", ["kill", pytest.param("quit", marks=elsewhere)])
def test_where_stretchly_is_gone_the_hold_ends_at_the_latest_moment(
    driver: Driver, stretchly: ScriptedStretchly, how: str
) -> None:
    stretchly.change(speed=1, starts_ms=0)
    stretchly.start()
    seconds = "20" if WINDOWS else "6"  # Enough for it to be shown before, on a machine that is busy.
    process = driver.start("mini", "--at-most", seconds)
    until_shown(driver)

    getattr(stretchly, how)()

    code, line = ended(process)
    assert code == 0
    assert f"held for the whole {seconds} s" in line
    assert driver.holds() == []


@elsewhere
def test_where_stretchly_is_gone_and_comes_back_the_break_is_over(
    driver: Driver, stretchly: ScriptedStretchly
) -> None:
    stretchly.change(speed=1, starts_ms=0)
    stretchly.start()
    process = driver.start("long")
    until_shown(driver, "long")

    stretchly.kill()
    stretchly.start()

    code, line = ended(process)
    assert (code, "Stretchly was ended" in line) == (0, True)


def test_a_stretchly_that_does_not_run_is_started_and_asked_again_and_stays(
    driver: Driver, stretchly: ScriptedStretchly
) -> None:
    code, line = driver.run("mini")

    assert (code, line.partition(" (run")[0]) == (0, "mini break: finished")
    assert stretchly.pid is not None
    assert stretchly.lines()[0] == "initializing..."


def test_a_program_that_is_not_there(driver: Driver) -> None:
    code, line = driver.run("mini", launch=[str(driver.folder / "nowhere" / "stretchly")])

    assert code == 1
    assert "could not be called" in line
    assert driver.holds() == []
    assert line in driver.logged()


def test_a_program_that_is_nowhere_to_be_found(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from attention_stretchly.driver import program

    from attention_framework.__main__ import main

    monkeypatch.setattr(program, "find_program", lambda environment: None)

    assert main(["--state", str(driver.state), "--config", str(driver.config), "break-run", "mini"]) == 1

    assert "Stretchly was not found" in driver.logged()
    assert not (driver.state / "holds").exists()


def test_a_program_that_fails(driver: Driver) -> None:
    code, line = driver.run("mini", launch=[sys.executable, "-c", "raise SystemExit(3)"])

    assert code == 1
    assert "exit code 3" in line


@pytest.mark.parametrize("logged", [True, pytest.param(False, marks=elsewhere)])
def test_a_program_that_hangs_is_not_waited_for(
    driver: Driver, stretchly: ScriptedStretchly, logged: bool
) -> None:
    driver.set("start_within_s = 1")
    if logged:
        stretchly.start()
        stretchly.quit()
    stretchly.change(hangs=True)

    code, line = driver.run("mini", "--at-most", "30" if logged else "2")

    assert code == 1
    assert ("began no such break within 1 s" if logged else "there is no log of Stretchly") in line
    assert driver.holds() == []


@elsewhere
@pytest.mark.parametrize("how", ["loads", "silent"])
def test_a_break_that_never_starts(driver: Driver, stretchly: ScriptedStretchly, how: str) -> None:
    driver.set(f"start_within_s = {6 if how == 'loads' else 1}")
    stretchly.start()
    stretchly.quit()
    stretchly.change(**{how: how != "loads"})
    stretchly.start()

    code, line = driver.run("mini")

    assert code == 1
    assert ("has shown no window" if how == "loads" else "name the log") in line
    assert driver.holds() == []


def test_noise_and_a_log_of_a_gigabyte(driver: Driver, stretchly: ScriptedStretchly) -> None:
    """Most of it a hole. The noise has no line end: what Stretchly writes next does not begin a line."""
    stretchly.change(speed=20, log_full=4 << 30)
    stretchly.log.parent.mkdir(parents=True)
    with stretchly.log.open("wb") as file:
        file.write(os.urandom(100_000))
        file.truncate(1 << 30)
        file.seek(0, os.SEEK_END)
        file.write(bytes(range(256)) * 400 + b"starting Mini break")
    stretchly.start()

    code, line = driver.run("mini")

    assert (code, line.partition(" (run")[0]) == (0, "mini break: finished")


def test_a_full_log_is_moved_away_in_the_break(driver: Driver, stretchly: ScriptedStretchly) -> None:
    """With another handle open on it, as a virus scanner's or an editor's: on Windows it is cropped then."""
    stretchly.change(speed=1, starts_ms=0, log_full=900)
    stretchly.start()
    process = driver.start("long")
    until_shown(driver, "long")
    handle = os.open(stretchly.log, os.O_RDONLY)
    try:
        for _ in range(4):
            stretchly.call("resume")
        stretchly.skip()
        assert ended(process)[0] == 0
    finally:
        os.close(handle)
    assert stretchly.log.with_name("main.old.log").exists() is not WINDOWS
    assert driver.holds() == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("mini", "mini"),
        pytest.param("mini", "long", marks=elsewhere),
        pytest.param("long", "mini", marks=elsewhere),
    ],
)
def test_two_drivers_at_once_let_go_each_of_its_own(
    driver: Driver, stretchly: ScriptedStretchly, first: str, second: str
) -> None:
    stretchly.change(speed=30, mini_ms=60_000)
    stretchly.start()

    both = [driver.start(first), driver.start(second)]
    results = [ended(process) for process in both]

    assert 0 in [code for code, _ in results], results
    if first == second:
        assert [code for code, _ in results] == [0, 0], results
    assert driver.holds() == []


@elsewhere
def test_the_end_of_one_driver_leaves_the_hold_of_the_other(
    driver: Driver, stretchly: ScriptedStretchly
) -> None:
    stretchly.change(speed=1, starts_ms=0)
    stretchly.start()
    longer = driver.start("long", "--run-id", "long: at/50")
    until_shown(driver, "long")

    code, _ = driver.run("mini", "--run-id", "long: at/50")
    assert code == 1
    code, _ = driver.run("mini", launch=[sys.executable, "-c", "raise SystemExit(3)"])
    assert code == 1
    assert [hold["run"] for hold in driver.holds()] == ["long: at/50"]

    stretchly.skip()
    assert ended(longer)[0] == 0


@pytest.mark.skipif(WINDOWS, reason="sends POSIX signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_driver_that_is_stopped_lets_go_and_leaves_stretchly_alone(
    driver: Driver, stretchly: ScriptedStretchly, name: str
) -> None:
    if signal.getsignal(getattr(signal, name)) is signal.SIG_IGN:
        pytest.skip(f"{name} is ignored by whoever runs the tests, and so by what they start: nohup?")
    stretchly.change(speed=1)
    process = driver.start("mini")  # Stretchly is its child.
    until(lambda: driver.holds() and stretchly.pid, BOUND_S, "a hold and a Stretchly")

    process.send_signal(getattr(signal, name))

    code, line = ended(process)
    assert code == 128 + getattr(signal, name)
    assert "stopped by signal" in line
    assert driver.holds() == []
    assert stretchly.pid is not None
    assert line in driver.logged()


@pytest.mark.skipif(not WINDOWS, reason="a signal that only Windows has")
def test_a_driver_that_is_interrupted_by_ctrl_break_lets_go(
    driver: Driver, stretchly: ScriptedStretchly, tmp_path: Path
) -> None:
    """Raised within the process: nobody can send it to one that has no console."""
    stretchly.change(speed=1, starts_ms=0)
    stretchly.start()
    word = tmp_path / "now"
    script = (
        "import pathlib, _thread, signal, sys, threading, time\n"
        "def wait():\n"
        f"    while not pathlib.Path({str(word)!r}).exists(): time.sleep(0.05)\n"
        "    _thread.interrupt_main(signal.SIGBREAK)\n"
        "threading.Thread(target=wait, daemon=True).start()\n"
        "from attention_framework.__main__ import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    process = driver.spawn([sys.executable, "-c", script, *driver.command("mini")[1:]])
    until_shown(driver)

    word.touch()

    code, line = ended(process)
    assert code == 128 + signal.SIGBREAK  # type: ignore[attr-defined]
    assert "stopped by signal" in line
    assert driver.holds() == []


def test_a_driver_that_is_killed_leaves_a_hold_with_its_deadline(
    driver: Driver, stretchly: ScriptedStretchly
) -> None:
    stretchly.change(speed=1, starts_ms=0)
    stretchly.start()
    process = driver.start("mini", "--at-most", "60")
    until_shown(driver)

    process.kill()
    process.communicate(timeout=BOUND_S)

    [hold] = driver.holds()
    assert int(str(hold["deadline_ms"])) - int(str(hold["started_ms"])) == 60_000


@pytest.mark.skipif(WINDOWS, reason="Windows has no limit for the size of files")
def test_where_no_file_can_be_written_the_break_takes_place_all_the_same(
    driver: Driver, stretchly: ScriptedStretchly
) -> None:
    stretchly.change(speed=1, starts_ms=0, version=(1, 5))  # Whose second process writes nothing.
    stretchly.start()
    (driver.state / "README").parent.mkdir(mode=0o700)
    (driver.state / "README").write_text("")
    limited = (
        "import resource, signal, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "from attention_framework.__main__ import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, *driver.command("mini")[1:]],
        env=environment() | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=BOUND_S,
        check=False,
    )

    assert done.returncode == 1
    assert "the agents could not be paused" in done.stderr
    assert "Traceback" not in done.stderr
    until(lambda: "starting Mini Break" in stretchly.lines(), BOUND_S, "a break all the same")
    assert driver.holds() == []


@pytest.mark.skipif(WINDOWS or os.geteuid() != 0, reason="becomes another user, which only root can")
def test_a_log_that_may_not_be_read(driver: Driver, stretchly: ScriptedStretchly) -> None:
    from attention_stretchly.driver.logs import FollowedLogs
    from attention_stretchly.values import Kind

    stretchly.log.parent.mkdir(parents=True)
    stretchly.log.write_bytes(b"")
    stretchly.log.chmod(0o600)
    logs = FollowedLogs([stretchly.log], Kind.MINI)
    os.seteuid(NOBODY)
    try:
        logs.set_out()
    finally:
        os.seteuid(0)

    assert not logs.readable
    assert "Permission denied" in logs.problem


@pytest.mark.skipif(not WINDOWS, reason="pythonw is Windows' Python without a console")
def test_under_pythonw_what_became_of_it_is_in_the_log(
    driver: Driver, stretchly: ScriptedStretchly, tmp_path: Path
) -> None:
    stretchly.start()
    seen = tmp_path / "streams.txt"
    script = (
        "import sys, pathlib\n"
        f"pathlib.Path({str(seen)!r}).write_text(repr((sys.stdin, sys.stdout, sys.stderr)))\n"
        "from attention_framework.__main__ import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    program = Path(sys.executable).with_name("pythonw.exe")

    def run(*words: str, launch: list[str] | None = None) -> int:
        # Task Scheduler gives none; without this the test's own would be inherited.
        nothing = subprocess.STARTUPINFO(dwFlags=subprocess.STARTF_USESTDHANDLES)  # type: ignore[attr-defined]
        command = [str(program), "-c", script, *driver.command(*words, launch=launch)[1:]]
        process = subprocess.Popen(command, env=environment(), startupinfo=nothing)
        return process.wait(BOUND_S)

    assert run("mini") == 0
    assert seen.read_text() == "(None, None, None)"
    assert "mini break: finished" in driver.logged()
    assert run("mini", launch=["nowhere.exe"]) == 1
    assert "could not be called: nowhere.exe" in driver.logged()


def test_what_makes_no_sense_is_in_the_log_too(driver: Driver) -> None:
    code, line = driver.run("mini", "--run-id", "focus")

    assert code == 1
    assert "cannot be the id of a hold" in line
    assert line in driver.logged()
    assert driver.holds() == []
