"""What `attention setup`, `attention uninstall` and `attention doctor` do for one program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ..errors import Expected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..model import CheckResult


class Installer(Protocol):
    """What `attention setup` and `attention uninstall` can do for one program. It may also have the methods of `HasOptions`
    and `HasAdvice`.
    """

    name: str
    """The name of the program, as it is typed: `attention setup NAME`."""

    def found(self) -> str | None:
        """Look for the program on this machine. Returns a description for people (`Herdr 0.8.2 at …`), or None if it is
        not there.
        """
        ...

    def plan(self, remove: bool) -> Sequence[Step]:
        """The steps that setup would do now, or with `remove` those that uninstall would do. Empty when nothing is left
        to do. Changes nothing. Raises InstallRefused if it meets something that it must not touch.
        """
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one installer on the command line of `setup` or `uninstall`.

    :param flag: as it is typed: `--mini-every`.
    :param help: one line for `--help`; say there also what applies without the option.
    :param read: turns the text that follows the flag into the value. Raises ValueError whose message names the allowed
        forms. None for a switch: no text follows it, and its value is True.
    :param metavar: what `--help` shows in place of that text.
    """

    flag: str
    help: str
    read: Callable[[str], Any] | None = None
    metavar: str = "VALUE"


@runtime_checkable
class HasOptions(Protocol):
    """An installer that has options of its own. The command line accepts them only together with the name of the program:
    `attention setup NAME --option`.
    """

    def options(self, remove: bool) -> Sequence[Option]:
        """The options for setup, or with `remove` those for uninstall. Also called for `--help`, so do not look at the
        system here.
        """
        ...

    def with_options(self, chosen: Mapping[str, Any]) -> Installer:
        """An installer that follows these options. `chosen` has the flag and the value of each option that was given, and
        none of the others. Raises WrongUsage if they contradict each other.
        """
        ...


@runtime_checkable
class HasAdvice(Protocol):
    """An installer that tells the person something besides its steps, such as what to do by hand."""

    def advice(self, remove: bool) -> Sequence[str]:
        """Sentences for the person. They are shown below the steps, also when there are no steps."""
        ...


class Step(Protocol):
    """One thing that an installer does, such as writing a file."""

    @property
    def describe(self) -> str:
        """What the step will do, in one line, for the person who is asked to agree."""
        ...

    def carry_out(self) -> None:
        """Do it. Raises OSError, or InstallRefused whose message says what the person can do."""
        ...


class InstallRefused(Expected):
    """An installer must not go on: for instance, a file in its place was not written by it or has been edited since, or the
    version of the program is not supported. The message says what to do.
    """


class Check(Protocol):
    """Looks whether something that the framework needs is in order. `attention doctor` runs it."""

    name: str
    """The name under which `attention doctor` shows its results."""

    def run(self) -> Sequence[CheckResult]:
        """Look, and change nothing. Each result has a name of its own; a failed one says in `mend` how to repair it. Empty
        if there is nothing to say, for instance because the program is not there and nobody wants it.
        """
        ...
