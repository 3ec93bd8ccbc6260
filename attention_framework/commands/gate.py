"""`attention gate`: what the hook of an agent runs before it does something: returns when the agent may go on."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from ..errors import WrongUsage

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..app import App
    from ..seats import Seat

WAIT_S = 50.0
"""Agents give their hooks a minute, as a rule."""


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "gate",
        help=summary,
        description=(
            "For the hooks of agents, such as one before each tool call. Exits 0 as soon as the agent in this pane may "
            "go on. If it may not within the time, exits with another code and gives the reason on stderr. Outside of "
            "every host, and where nobody can tell, the agent may go on. Put the command that --print shows into the "
            "agent's settings: it asks the resident controller, and starts much faster than this program."
        ),
    )
    parser.add_argument(
        "--event", metavar="TEXT", default="hook", help="what the agent is about to do, such as tool"
    )
    parser.add_argument(
        "--wait",
        metavar="SECONDS",
        type=float,
        default=WAIT_S,
        help="how long to wait at most (default 50; 0 asks once)",
    )
    parser.add_argument(
        "--code", metavar="N", type=int, default=1,
        help="exit code if it may not (default 1; some agents take 2 for `do not do it`)",
    )  # fmt: skip
    parser.add_argument(
        "--closed", action="store_true", help="where nobody can tell, the agent may not go on"
    )
    parser.add_argument(
        "--host", metavar="HOST", help="ask for another pane than this one, with --address and --pane"
    )
    parser.add_argument("--address", metavar="ADDRESS", help="address of the session")
    parser.add_argument("--pane", metavar="PANE", help="id of the pane")
    parser.add_argument(
        "--print",
        action="store_true",
        dest="show",
        help="print a command for the hook that is quick to start",
    )
    parser.set_defaults(run=run, looks=True)  # Where there is no state folder.


def run(arguments: argparse.Namespace, app: App) -> int:
    if not (0 <= arguments.wait < 86_400 and 0 < arguments.code < 256):
        raise WrongUsage("--wait is from 0 to 86400 seconds, --code from 1 to 255")
    app.write_where_it_is()
    if arguments.show:
        print(hook_command(arguments, app))
        return 0
    from ..client.thin_gate import told
    from ..gate import wait_at

    seats = _seats(arguments, app)
    if not seats:
        return 0
    answer, reason = wait_at(app, seats, arguments.event, arguments.wait)
    code, sentence = told(answer, reason, arguments.closed, arguments.code)
    print(sentence, end="", file=sys.stderr)
    return code


def _seats(arguments: argparse.Namespace, app: App) -> list[Seat]:
    """The pane that was named, else every one that we are in. Without the settings, none: then nobody is held up."""
    from ..errors import Expected
    from ..model import Session
    from ..seats import Seat, own_seats

    named = (arguments.host, arguments.address, arguments.pane)
    if all(named):
        return [Seat(Session(arguments.host, arguments.address), arguments.pane)]
    if any(named):
        raise WrongUsage("--host, --address and --pane go together")
    try:
        hosts = app.context.hosts
    except Expected as error:
        app.report(f"the agent is not held up: {error}")
        return []
    return own_seats(hosts, app.effects.environment)


def hook_command(arguments: argparse.Namespace, app: App) -> str:
    """For the settings of an agent, ready to paste."""
    from ..client.installing import GATE

    context = app.context
    options = ["--event", arguments.event, "--wait", f"{arguments.wait:g}", "--code", str(arguments.code)]
    alone = [*context.command, "gate", *options, *(["--closed"] if arguments.closed else [])]
    gate = app.state.root / GATE
    if not app.effects.files.exists(gate):
        app.report(
            "this works, and starts a whole Python for each call: "
            "run `attention setup`, which writes a quick client, and print it again"
        )
        return joined(alone)
    words = [f"event={arguments.event}", f"wait={arguments.wait:g}", f"code={arguments.code}"]
    words.append(f"unknown={'closed' if arguments.closed else 'open'}")
    for host in context.hosts:
        pattern = [host.address_pattern] if host.address_pattern else []
        words.append(f"in={','.join([host.host, host.pane, host.address, *pattern])}")
    return joined([context.command[0], "-I", "-S", str(gate), *words, "--", *alone])


def joined(words: Sequence[str]) -> str:
    if sys.platform != "win32":
        return shlex.join(words)
    from subprocess import list2cmdline

    return list2cmdline(words)
