"""The hooks of this plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework import HostEnvironment, hookimpl

from .addresses import VARIABLE

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from attention_framework import Check, Context, FocusSource, Installer, Simulation

    from .installer import HerdrInstaller


@hookimpl
def attention_focus_sources() -> Sequence[type[FocusSource]]:
    from .focus import HerdrFocus

    return [HerdrFocus]


@hookimpl
def attention_hosts() -> Sequence[HostEnvironment]:
    return [HostEnvironment(host="herdr", pane="HERDR_PANE_ID", address=VARIABLE)]


@hookimpl
def attention_installers(context: Context) -> Sequence[Installer]:
    return [_installer(context)]


@hookimpl
def attention_checks(context: Context) -> Sequence[Check]:
    from .checks import HerdrCheck

    return [HerdrCheck(context, _installer(context))]


@hookimpl
def attention_simulations() -> Sequence[type[Simulation]]:
    from .simulation import HerdrSimulation

    return [HerdrSimulation]


@hookimpl
def attention_commands(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from .demo.command import add_parser

    add_parser(subcommands)


def _installer(context: Context) -> HerdrInstaller:
    from .focus import HerdrFocus
    from .installer import HerdrInstaller

    return HerdrInstaller(context, HerdrFocus(None, context))
