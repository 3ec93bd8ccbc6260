"""Options that installers add to `setup` and `uninstall`, each for its own program."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import Expected, WrongUsage
from ..kinds import HasOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..app import App
    from ..kinds import Installer, Option

CHOSEN = "of_installers"


def add(parser: argparse.ArgumentParser, app: App, remove: bool) -> None:
    """A group in the help for every program that has options. Wrong settings must not take the help away: the
    command itself reports them.
    """
    parser.set_defaults(**{CHOSEN: {}})
    try:
        installers = list(app.installers.values())
    except Expected as error:
        app.warn(str(error))
        return
    for installer in installers:
        if isinstance(installer, HasOptions):
            try:
                _add_group(parser, installer.name, installer.options(remove))
            except Exception as error:
                app.warn(f"the options of {installer.name} are left out: {type(error).__name__}: {error}")


def take(arguments: argparse.Namespace, installers: Sequence[Installer], remove: bool) -> list[Installer]:
    """The installers as their options want them. Raises WrongUsage for an option of a program that was not named,
    since who leaves the names out means what is found, not what is asked for.
    """
    chosen: dict[str, dict[str, Any]] = getattr(arguments, CHOSEN, {})
    for program, options in chosen.items():
        if program not in arguments.programs:
            flags, command = " and ".join(options), "uninstall" if remove else "setup"
            raise WrongUsage(
                f"{flags} {'is an option' if len(options) == 1 else 'are options'} of {program}, which is not "
                f"named here. Name it: attention {command} {program} {next(iter(options))} ..."
            )
    return [_with_options(installer, chosen.get(installer.name, {})) for installer in installers]


def _with_options(installer: Installer, chosen: dict[str, Any]) -> Installer:
    return installer.with_options(chosen) if chosen and isinstance(installer, HasOptions) else installer


def _add_group(parser: argparse.ArgumentParser, program: str, options: Sequence[Option]) -> None:
    if not options:
        return
    group = parser.add_argument_group(program)
    for option in options:
        given: dict[str, Any] = {"nargs": 0} if option.read is None else {"type": _type(option.read)}
        group.add_argument(
            option.flag,
            action=_Choose,
            dest=CHOSEN,
            default=argparse.SUPPRESS,
            metavar=option.metavar,
            help=option.help.replace("%", "%%"),
            program=program,
            **given,
        )


class _Choose(argparse.Action):
    """Keeps flag and value under the program's name."""

    def __init__(self, option_strings: Sequence[str], dest: str, program: str, **kwargs: Any) -> None:
        super().__init__(option_strings, dest, **kwargs)
        self._program = program

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        chosen = {program: dict(options) for program, options in getattr(namespace, CHOSEN, {}).items()}
        value = True if self.nargs == 0 else values
        chosen.setdefault(self._program, {})[self.option_strings[0]] = value
        setattr(namespace, CHOSEN, chosen)


def _type(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """argparse keeps the sentence of its own error only."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return convert
