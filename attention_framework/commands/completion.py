"""`attention completion SHELL`: the script that lets a shell complete commands, options and panes."""

from __future__ import annotations

import argparse
import shlex
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..app import App

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "attention"
FILES = ("FILE", "FOLDER", "LOG")


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "completion",
        help=summary,
        description='Print a script for your shell. For now: eval "$(attention completion bash)"; for always, see '
        "the documentation of the commands.",
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    parser.set_defaults(run=run, looks=True)


def run(arguments: argparse.Namespace, app: App) -> int:
    from argcomplete.shell_integration import shellcode

    # Without bash's own defaults, which are names of files wherever there is no answer.
    print(shellcode([PROGRAM], shell=arguments.shell, complete_arguments=["-o", "nospace"]))
    return 0


def words_before(environment: Mapping[str, str]) -> list[str]:
    """The words of the line before the one that is being typed, without the program."""
    line = environment.get("COMP_LINE", "")[: int(environment.get("COMP_POINT") or 0)]
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = list(lexer)
    except ValueError:  # An open quote: what follows it is the word that is being typed.
        return words_before(
            {"COMP_LINE": line[: max(line.rfind("'"), line.rfind('"'))], "COMP_POINT": "9999"}
        )
    return words[1:] if line[-1:].isspace() else words[1:-1]


def asking(config: str | None, state: str | None) -> App:
    """A question leaves nothing behind."""
    from ..app import App

    app = App(config, state)
    app.look_only()
    return app


def answer(parser: argparse.ArgumentParser, app: App) -> None:
    """Say how the line may go on, and end the process."""
    import argcomplete

    teach(parser, app)
    argcomplete.autocomplete(parser, always_complete_options="long")


def teach(parser: argparse.ArgumentParser, app: App) -> None:
    """Give every argument what completes it: values that are known, files where it names one, or nothing."""
    known = {"PANE": panes, "ID": runs, "PROGRAM": programs, "HOST": hosts}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                teach(below, app)
        elif action.choices is None and action.nargs != 0 and action.metavar not in FILES:
            completer = partial(_matching, known.get(str(action.metavar), nothing), app)
            action.completer = completer  # type: ignore[attr-defined]


def _matching(ask: Callable[[App], Iterable[str]], app: App, prefix: str, **_: Any) -> list[str]:
    """Whatever goes wrong, the person is in the middle of a line."""
    try:
        return [name for name in dict.fromkeys(ask(app)) if name.startswith(prefix)]
    except Exception:
        return []


def panes(app: App) -> Iterable[str]:
    """Of agents that have said hello: their files are read, no host is asked."""
    from ..state.hellos import live_hellos

    return [hello.pane for hello in live_hellos(app.state.root, app.effects, _silent)]


def runs(app: App) -> Iterable[str]:
    return [hold.run for hold in app.holds.all() if hold.kind == "break"]


def programs(app: App) -> Iterable[str]:
    return app.installers


def hosts(app: App) -> Iterable[str]:
    return app.configuration.settings.focus.sources


def nothing(app: App) -> Iterable[str]:
    """Times and numbers are the person's to know."""
    return ()


def _silent(sentence: str) -> None:
    """The line is the person's."""
