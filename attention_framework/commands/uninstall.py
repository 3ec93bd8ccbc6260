"""`attention uninstall`: take back what `setup` did, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import installer_options
from .setup import add_arguments, carry_out

if TYPE_CHECKING:
    import argparse

    from ..app import App


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "uninstall",
        help=summary,
        description="Remove what `attention setup` wrote. Files that were edited since are left alone, and named.",
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def add_plugin_options(parser: argparse.ArgumentParser, app: App) -> None:
    installer_options.add(parser, app, remove=True)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..installing import OwnedFiles

    OwnedFiles(app.state.root, app.effects.files).refuse_lost_record()
    return carry_out(arguments, app, remove=True)
