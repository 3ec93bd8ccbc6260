"""`attention verify`: the ten steps on the person's own host and agents, and what is guaranteed there."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from ..progress import progress
from ..words.durations import duration_s

if TYPE_CHECKING:
    from ..app import App

DEFAULT_S = 7 * 86_400.0
SWITCHES = 10
REPEAT = 3


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "verify",
        help=summary,
        description=(
            "Start two agents in a disposable place of your own host, leave a draft in one, move the focus between them, slowly, "
            "rapidly and with a tool call in flight, and compare what was promised with what their files, the journal, the "
            "calls and the conversation log say. One step needs a prompt, which costs tokens. Asks before it begins. "
            "Exit 0 only if every step has passed."
        ),
    )
    add = parser.add_argument
    add(
        "--guarantees",
        action="store_true",
        help="only say what is guaranteed now for each agent, and what was measured",
    )
    add(
        "--simulated",
        action="store_true",
        help="on a simulated host with simulated agents: does the check itself work?",
    )
    add(
        "--sabotage",
        metavar="KIND",
        help="with --simulated: break something on purpose, to see the check find it",
    )
    add("--host", metavar="NAME", help="which host (default: the first selected one that can be tried out)")
    add(
        "--agent",
        metavar="KIND",
        help="which kind of agent (default: the first that an enabled plugin announces)",
    )
    add("--agent-command", metavar="COMMAND", help="what starts the agent (default: its program's name)")
    add(
        "--prompt",
        metavar="TEXT",
        help="what keeps the agent busy with calls of ./step (default: a prompt that asks for that)",
    )
    add(
        "--no-prompt",
        action="store_true",
        help="give no agent a prompt: nothing is spent, one step is not checked",
    )
    add("--yes", action="store_true", help="do it without asking, the prompt included")
    add(
        "--switches",
        type=_even,
        default=SWITCHES,
        metavar="N",
        help=f"how often the focus moves rapidly, an even number (default {SWITCHES})",
    )
    add(
        "--repeat",
        type=_positive,
        default=REPEAT,
        metavar="N",
        help=f"how often an agent is left with a tool call in flight (default {REPEAT}); each costs answers of the model",
    )
    add(
        "--watch",
        type=duration_s,
        default=3.0,
        metavar="TIME",
        help="how long to look for new work after the last call has ended (default 3s)",
    )
    add("--report", metavar="FILE", help="where the report for a bug is written (default: a temporary file)")
    add(
        "--since",
        type=duration_s,
        default=DEFAULT_S,
        metavar="TIME",
        help="with --guarantees: measured over the last 12h, 30d, ... (default 7d)",
    )
    add("--json", action="store_true", help="one JSON object, for programs")
    parser.set_defaults(run=run, looks=True)  # With --guarantees.


def _even(text: str) -> int:
    number = int(text)
    if number < 2 or number % 2:
        raise argparse.ArgumentTypeError(f"{text} is no even number from 2 on: the focus has to come back")
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not once")
    return number


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..errors import WrongUsage

    if arguments.sabotage and not arguments.simulated:
        raise WrongUsage("--sabotage breaks something, so it goes with --simulated only")
    if arguments.simulated and (arguments.host or arguments.agent_command):
        raise WrongUsage(
            "--simulated brings a host and agents of its own: leave --host and --agent-command out"
        )
    if arguments.guarantees:
        return _guarantees(arguments, app)
    app.write()
    from ..verifying.trying import try_own, try_simulated

    return try_simulated(arguments, app) if arguments.simulated else try_own(arguments, app)


def _guarantees(arguments: argparse.Namespace, app: App) -> int:
    from ..verifying.guarantees import measure
    from ..verifying.page import measured_lines, standing_lines
    from ..verifying.standings import standings

    with progress("looking at the agents and the journal", quiet=arguments.json):
        found = standings(app)
        measured = measure(app.journal.read(), app.effects.clock.wall_ms() - arguments.since * 1000)
    if arguments.json:
        print(json.dumps(_object(found, measured), ensure_ascii=False))
        return 0
    for name, standing in found:
        for line in standing_lines(name, standing):
            print(line)
    if not found:
        print("no agent runs now, so nothing is guaranteed to any")
    print()
    for line in measured_lines(measured):
        print(line)
    return 0


def _object(found: Any, measured: Any) -> dict[str, Any]:
    from dataclasses import asdict

    from ..verifying.guarantees import BREAKS, PROMISES

    agents = [
        {
            "agent": name,
            "mode": standing.mode,
            "promise": PROMISES[standing.mode],
            "breaks": BREAKS[standing.mode],
            "missing": standing.missing,
        }
        for name, standing in found
    ]
    return {"v": 1, "agents": agents, "measured": asdict(measured)}
