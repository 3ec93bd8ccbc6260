"""Telling observers what has happened: those with settings, then the plain hooks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from .errors import Expected

if TYPE_CHECKING:
    from .app import App
    from .model import CycleReport, Decision, Hold

METHODS: Final = ("decided", "cycle_finished", "hold_changed")
"""What an observer may have (`kinds.Observer`); each has a hook of the same name behind `attention_`."""


def tell_decided(app: App, decision: Decision, report: CycleReport) -> None:
    _tell(app, "decided", decision=decision, report=report)


def tell_cycle_finished(app: App, report: CycleReport) -> None:
    _tell(app, "cycle_finished", report=report)


def tell_hold_changed(app: App, hold: Hold, change: str) -> None:
    _tell(app, "hold_changed", hold=hold, change=change)


def _tell(app: App, what: str, **told: Any) -> None:
    configuration = app.configuration
    for observer in configuration.observers(app.context):
        method = getattr(observer, what, None)
        if method is not None:
            result = configuration.call.call(observer.name, partial(method, *told.values()))
            if isinstance(result.error, Expected):  # All else the caller has reported.
                app.warn(f"{observer.name}: {result.error}")
    configuration.plugins.call_each(f"attention_{what}", **told, context=app.context)
