"""The hooks that this plugin implements. Its modules are imported only when they are needed, to keep the start quick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework import hookimpl

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from attention_framework import BreakSource, Check, Context, Installer


@hookimpl
def attention_commands(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from . import command
    from .driver import command as break_run

    command.add_parser(subcommands)
    break_run.add_parser(subcommands)


@hookimpl
def attention_break_sources() -> Sequence[type[BreakSource]]:
    from .marker import MarkerBreaks
    from .source import StretchlyBreaks

    return [StretchlyBreaks, MarkerBreaks]


@hookimpl
def attention_installers(context: Context) -> Sequence[Installer]:
    from .installer import StretchlyInstaller

    return [StretchlyInstaller(context)]


@hookimpl
def attention_checks(context: Context) -> Sequence[Check]:
    from .checks import StretchlyCheck

    return [StretchlyCheck(context)]
