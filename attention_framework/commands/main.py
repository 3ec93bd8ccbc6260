"""From the command line to a command, and from an error to a message and an exit code."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from .. import __version__
from . import CORE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from ..app import App

COMPLETING = {"_ARGCOMPLETE", "COMP_LINE"}
"""A shell asks how a line may go on (`attention completion`)."""
MISSING = "the following arguments are required: "
"""How argparse begins to say so, in every version."""
DONE, COULD_NOT, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
OF_THE_MACHINE = (
    *(errno.EACCES, errno.EPERM, errno.EROFS),
    *(errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOLCK, errno.ENOSPC),
    *(errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR),
    *(errno.EIO, errno.ESTALE, errno.ETIMEDOUT),
)
"""What keeps a file from being written or read without anybody having made a mistake in this program: it may
not be, there is no room, the name is taken by something else, the disk or the network fails.
"""


def run(arguments: Sequence[str], app: App | None = None) -> int:
    """Exit codes: 0 done, 1 could not, 2 wrong usage or settings, 130 interrupted.

    `app` replaces the one that the options would make.
    """
    from ..app import App

    _make_streams_safe()
    if os.environ.keys() >= COMPLETING:
        return _complete()
    try:
        options, rest = _global_options(arguments)
        app = app or App(options.config, options.state)
        app.look_only()
        parser = _parser(rest, app)
        parsed, unknown = parser.parse_known_args(rest)
        if unknown:
            _refuse(unknown, parser, rest)
        if not getattr(parsed, "looks", False):
            app.write()
        code = int(parsed.run(parsed, app))
        sys.stdout.flush()  # A reader that has gone, or a full disk, shows here, not when the interpreter ends.
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if _reader_has_gone(error):
            _let_go_of_output()
            return COULD_NOT
        return _explain(error, arguments)


def _complete() -> int:
    """Ends the process once it has answered."""
    from . import completion

    try:
        options, rest = _global_options(completion.words_before(os.environ))
    except SystemExit:  # The value of a global option is what is being typed.
        options, rest = _global_options(())
    try:
        app = completion.asking(options.config, options.state)
        completion.answer(_parser(rest, app), app)
    except Exception:  # The shell hears nothing, and the person goes on typing.
        return COULD_NOT
    return DONE


class Parser(argparse.ArgumentParser):
    """Takes options as they are written, and so do the parsers of its commands: `--purg` is no `--purge`."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{**given, "allow_abbrev": False})

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """argparse's own, which every version calls for a word out of `choices`, with what was probably meant."""
        if action.choices is None or value in action.choices:
            return
        from ..nearest import did_you_mean

        known = [str(choice) for choice in action.choices]
        meant = did_you_mean(str(value), known)
        raise argparse.ArgumentError(action, f"there is no {value!r}{meant} (known: {', '.join(known)})")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """argparse's own, which names the Python type."""
        if action.type in (int, float):
            try:
                return action.type(arg_string)
            except ValueError:
                kind = "whole number" if action.type is int else "number"
                raise argparse.ArgumentError(action, f"{arg_string!r} is no {kind}") from None
        return super()._get_value(action, arg_string)

    def error(self, message: str) -> NoReturn:
        """Where a word out of some is missing, say which they are."""
        if message.startswith(MISSING):
            names = message.removeprefix(MISSING).split(", ")
            message += "".join(
                f"; {_name(action)} is {', '.join(map(str, action.choices))}"
                for action in self._actions
                if action.choices and _name(action) in names
            )
        super().error(message)


def _name(action: argparse.Action) -> str:
    return str(action.metavar or "/".join(action.option_strings) or action.dest)


def _global_options(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """`--config` and `--state` may stand before or after the command."""
    parser = Parser(prog="attention", add_help=False)
    _add_global_options(parser)
    return parser.parse_known_args(list(arguments))


def _add_global_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", metavar="FILE", help="settings file (else $ATTENTION_CONFIG, else the user's)"
    )
    parser.add_argument(
        "--state", metavar="FOLDER", help="state folder (else $ATTENTION_STATE, else the user's)"
    )


def _parser(arguments: Sequence[str], app: App) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = Parser(
        prog="attention",
        description="Coding agents that follow your attention.",
        epilog="To see what it does: attention demo. To begin: attention setup. Of one command: attention COMMAND --help.",
    )
    parser.add_argument("--version", action="version", version=f"attention {__version__}")
    _add_global_options(parser)
    subcommands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    asked = next((word for word in arguments if not word.startswith("-")), None)
    if asked in CORE:
        add_options = getattr(_add_core(subcommands, asked), "add_plugin_options", None)
        if add_options is not None:
            add_options(subcommands.choices[asked], app)
        return parser
    for name in CORE:
        _add_core(subcommands, name)
    app.add_plugin_commands(subcommands)
    if asked is not None and asked not in subcommands.choices:
        parser.error(_no_such_command(asked, list(subcommands.choices), app))
    return parser


def _refuse(unknown: Sequence[str], parser: argparse.ArgumentParser, arguments: Sequence[str]) -> NoReturn:
    """By the command that was asked for, which knows its options."""
    from ..nearest import did_you_mean

    for word in arguments:
        below = next((it for it in parser._actions if isinstance(it, argparse._SubParsersAction)), None)
        parser = below.choices.get(word, parser) if below else parser
    option = unknown[0].partition("=")[0]
    if not option.startswith("-"):
        parser.error(f"{option!r} is one argument too many")
    known = [name for name in parser._option_string_actions if name.startswith("--")]
    parser.error(f"there is no option {option}{did_you_mean(option, known, str)}")


def _no_such_command(asked: str, known: Sequence[str], app: App) -> str:
    from ..nearest import did_you_mean

    meant = did_you_mean(asked, known)
    others = app.plugins_not_enabled()
    more = f". Plugins that are not enabled may have others: {', '.join(others)}" if others else ""
    return f"there is no command {asked!r}{meant} (known: {', '.join(known)}){more}"


def _add_core(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], name: str) -> ModuleType:
    module = import_module(f".{name.replace('-', '_')}", __package__)
    module.add_parser(subcommands, CORE[name])
    return module


def _explain(error: Exception, arguments: Sequence[str]) -> int:
    """An expected error is one message; an unexpected one leaves a report that can be pasted into a bug."""
    from ..errors import Expected, describe_os_error, write_report

    if isinstance(error, Expected):
        print(f"attention: {error}", file=sys.stderr)
        return error.exit_code
    if isinstance(error, OSError) and error.errno in OF_THE_MACHINE:
        print(f"attention: {describe_os_error(error)}", file=sys.stderr)
        if error.filename is None:  # Every file of ours is named: it is our output that could not be written.
            _let_go_of_output()
        return COULD_NOT
    report = write_report(error, arguments)
    where = f"The report is in {report}" if report else "No report could be written"
    print(
        f"attention: this should not have happened: {type(error).__name__}: {error}\n{where}; please attach it to a bug report.",
        file=sys.stderr,
    )
    return COULD_NOT


def _make_streams_safe() -> None:
    """Under pythonw there are no streams; elsewhere a character
    that the terminal's encoding lacks is no reason to fail.
    """
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  (lives as long as the process)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _reader_has_gone(error: Exception) -> bool:
    """Windows says of a pipe without a reader that its argument is invalid."""
    if sys.platform == "win32" and isinstance(error, OSError):
        return error.errno == errno.EINVAL and error.filename is None
    return isinstance(error, BrokenPipeError)


def _let_go_of_output() -> None:
    """The reader of our output has gone; keep the interpreter from complaining about it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
