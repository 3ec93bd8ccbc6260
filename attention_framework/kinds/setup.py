"""What `setup`, `uninstall` and `doctor` do for one program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ..errors import Expected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..model import CheckResult


class Installer(Protocol):
    """What `attention setup` and `uninstall` can do for one program. See also `HasOptions` and `HasAdvice`."""

    name: str
    """Of the program, as it is typed: `attention setup NAME`."""

    def found(self) -> str | None:
        """What was found of the program, for people (`Herdr 0.8.2 at …`), or None."""
        ...

    def plan(self, remove: bool) -> Sequence[Step]:
        """What setup (or uninstall) would do now; empty when nothing is left to do.
        Raises InstallRefused for what it must not touch.
        """
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one installer on the command line of `setup` or `uninstall`.

    :param flag: as it is typed: `--mini-every`.
    :param help: one line; it says what holds without the option.
    :param read: makes the value of the text that follows the flag; raises ValueError with the allowed forms. None
        for a switch, whose value is True.
    :param metavar: stands for the text in the help.
    """

    flag: str
    help: str
    read: Callable[[str], Any] | None = None
    metavar: str = "VALUE"


@runtime_checkable
class HasOptions(Protocol):
    """An installer with options of its own. They may be given only where the person names the program."""

    def options(self, remove: bool) -> Sequence[Option]:
        """Those of setup, or of uninstall. Asked for by `--help`, too."""
        ...

    def with_options(self, chosen: Mapping[str, Any]) -> Installer:
        """The installer that does it so: flag to value, of the options that were given.
        Raises WrongUsage where they do not go together.
        """
        ...


@runtime_checkable
class HasAdvice(Protocol):
    """An installer with something to say besides its steps."""

    def advice(self, remove: bool) -> Sequence[str]:
        """Sentences that are shown below the steps, also where there are none."""
        ...


class Step(Protocol):
    """One thing that an installer does."""

    @property
    def describe(self) -> str:
        """What it will do, in one line, for the person who is asked."""
        ...

    def carry_out(self) -> None:
        """Do it. Raises OSError, or InstallRefused with what to do."""
        ...


class InstallRefused(Expected):
    """Something is there that is not ours, or the program's
    version is not supported. The message says what to do.
    """


class Check(Protocol):
    """Preconditions that `attention doctor` looks at."""

    name: str
    """Under which doctor shows it."""

    def run(self) -> Sequence[CheckResult]:
        """Look, and change nothing. A failure comes with what mends it."""
        ...
