"""Ask whether the agent in this pane may go on: what an agent's own hook runs, as `attention gate --print` shows it.

`python -I -S thin_gate.py event=E wait=SECONDS code=N unknown=open|closed in=HOST,PANE-VARIABLE,ADDRESS-VARIABLE[,PATTERN]… --
COMMAND…` exits with 0 as soon as it may, with N and a reason if it may not within the time. Outside of every host it exits with
0. When nobody answers it becomes COMMAND, which judges by itself. `host=H address=A pane=P` name a pane instead of `in`.
"""

import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING or __name__ != "__main__":
    from . import thin_client as client
else:
    sys.dont_write_bytecode = True
    sys.path.insert(0, __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1])
    import thin_client as client

SLICE_S = 5.0
"""A long wait is asked in pieces, so that a controller that has been stopped meanwhile is noticed."""
PAUSE_S = 0.1
"""Between two pieces: also a controller that does not wait must not be asked without end."""


class Outside:
    """The controller and the clock, as it meets them. A simulation has others."""

    exchange = staticmethod(client.exchange)
    monotonic = staticmethod(time.monotonic)
    sleep = staticmethod(time.sleep)


REAL = Outside()


def main(arguments: list[str], state: str) -> int:
    cut = arguments.index("--")
    words = [word.split("=", 1) for word in arguments[:cut]]
    options = {name: value for name, value in words if name != "in"}
    seats = found_seats([value for name, value in words if name == "in"], options)
    end = time.monotonic() + float(options["wait"])
    try:
        answer, reason = ask_all(state, seats, client.raw(options["event"]), end) if seats else ("run", "")
    except client.Unanswered:
        left_s = round(max(0.0, end - time.monotonic()), 1)
        return client.become([*arguments[cut + 1 :], "--wait", str(left_s)])
    code, sentence = told(answer, reason, options["unknown"] == "closed", int(options["code"]))
    client.show(2, client.raw(sentence))
    return code


def found_seats(places: list[str], options: dict[str, str]) -> list[tuple[bytes, bytes, bytes]]:
    """`(host, address, pane)` of each host that we are in: of a multiplexer inside another one, both."""
    if "pane" in options:
        return [(client.raw(options["host"]), client.raw(options["address"]), client.raw(options["pane"]))]
    return [seat for seat in map(seat_in, places) if all(seat)]


def seat_in(place: str) -> tuple[bytes, bytes, bytes]:
    host, pane, address, *pattern = place.split(",", 3)
    where = client.variable(address)
    if where and pattern:
        import re

        match = re.match(client.raw(pattern[0]), where)
        where = match[1] if match else b""
    return client.raw(host), where, client.variable(pane)


def ask_all(
    state: str,
    seats: list[tuple[bytes, bytes, bytes]],
    event: bytes,
    end: float,
    outside: Outside = REAL,
) -> tuple[str, str]:
    """Raises Unanswered."""
    return together([ask(state, seat, event, end, outside) for seat in seats])


def together(answers: list[tuple[str, str]]) -> tuple[str, str]:
    """Whoever has a pane in several hosts may go on if one says so, and none that it must pause."""
    for word in ("pause", "run"):
        for answer in answers:
            if answer[0] == word:
                return answer
    return answers[0]


def ask(
    state: str,
    seat: tuple[bytes, bytes, bytes],
    event: bytes,
    end: float,
    outside: Outside = REAL,
) -> tuple[str, str]:
    """`run`, `unknown`, or `pause` when the time is over; and the reason. Raises Unanswered."""
    host, address, pane = seat
    fields = [("host", host), ("address", address), ("pane", pane), ("question", b"1"), ("event", event)]
    while True:
        wait_s = max(0.0, min(SLICE_S, end - outside.monotonic()))
        wait = ("wait", b"%d" % (wait_s * 1000))
        bound_s = client.BOUND_S + wait_s
        lines, code = outside.exchange(state, "ask", [*fields, wait], bound_s, bound_s)
        answer, reason = answer_in(lines)
        if code or answer not in ("run", "pause", "unknown"):
            raise client.Unanswered
        if answer != "pause" or outside.monotonic() + PAUSE_S >= end:
            return answer, reason
        outside.sleep(PAUSE_S)


def answer_in(lines: list[bytes]) -> tuple[str, str]:
    for line in lines:
        word, answer, *rest = [*line.split(b" "), b""]
        if word == b"answer":
            reason = next((one[7:] for one in rest if one[:7] == b"reason="), b"")
            return answer.decode(), unquoted(reason)
    return "", ""


def unquoted(value: bytes) -> str:
    first, *rest = value.split(b"%")
    return (first + b"".join([bytes.fromhex(part[:2].decode()) + part[2:] for part in rest])).decode(
        errors="replace"
    )


def told(answer: str, reason: str, closed: bool, code: int) -> tuple[int, str]:
    """The exit code, and a sentence for stderr."""
    if answer == "run":
        return 0, ""
    if answer == "pause":
        return code, f"attention: this agent may not go on now: {reason}\n"
    why = f"nobody can tell whether this agent may go on: {reason}\n"
    return (code, f"attention: {why}") if closed else (0, f"attention: allowed, since {why}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], client.folder_of(__file__)))
