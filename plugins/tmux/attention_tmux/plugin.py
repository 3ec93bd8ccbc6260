"""The hooks of this plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework import HostEnvironment, hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Check, Context, FocusSource, Installer

    from .installer import TmuxInstaller


@hookimpl
def attention_focus_sources() -> Sequence[type[FocusSource]]:
    from .focus import TmuxFocus

    return [TmuxFocus]


@hookimpl
def attention_hosts() -> Sequence[HostEnvironment]:
    """`TMUX` is `socket,server pid,session`;
    the last field changes as a pane moves, so it is no part of the address.
    """
    return [HostEnvironment(host="tmux", pane="TMUX_PANE", address="TMUX", address_pattern="^(.*),[0-9]+$")]


@hookimpl
def attention_installers(context: Context) -> Sequence[Installer]:
    return [_installer(context)]


@hookimpl
def attention_checks(context: Context) -> Sequence[Check]:
    from .checks import TmuxCheck

    installer = _installer(context)
    return [TmuxCheck(installer.focus, installer)]


def _installer(context: Context) -> TmuxInstaller:
    from .focus import TmuxFocus
    from .installer import TmuxInstaller

    return TmuxInstaller(context, TmuxFocus(context.settings("tmux"), context))
