"""What this plugin announces.

The modules are imported when they are asked for: a hook's cycle needs no installer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import (
        AgentKind,
        AgentTransport,
        Check,
        Context,
        Installer,
        PauseDetector,
    )


@hookimpl
def attention_agents() -> Sequence[AgentKind]:
    from .agents import OMP

    return [OMP]


@hookimpl
def attention_transports() -> Sequence[type[AgentTransport]]:
    from .transports import OmpKeys, OmpMailbox, OmpPrompt

    return [OmpMailbox, OmpKeys, OmpPrompt]


@hookimpl
def attention_pause_detectors() -> Sequence[type[PauseDetector]]:
    from .screen import OmpScreen
    from .status import OmpStatus

    return [OmpStatus, OmpScreen]


@hookimpl
def attention_installers(context: Context) -> Sequence[Installer]:
    from .installer import OmpInstaller

    return [OmpInstaller(context)]


@hookimpl
def attention_checks(context: Context) -> Sequence[Check]:
    from .checks import OmpCheck
    from .installer import OmpInstaller

    return [OmpCheck(OmpInstaller(context))]
