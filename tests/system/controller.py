"""The command line's own code on effects in memory: settings and plugins are given, the rest is real."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from attention_omp_keys.status import OmpStatus
from attention_policies.focused import Focused, FocusedSettings
from attention_policies.holds import Holds as HoldsPolicy

from attention_framework import MailboxTransport
from attention_framework.app import App
from attention_framework.bounded import Inline
from attention_framework.cycle import AgentStrategies, Strategies
from attention_framework.holds import Holds
from attention_framework.testing import FakeContext

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_framework.effects import Effects
    from attention_framework.state.folder import StateFolder
    from attention_framework.testing import FakeHost

    from .ways import Ways


class Mailbox(MailboxTransport):
    name = "fake-mailbox"
    nudge = "f12"


def mailbox_alone(context: FakeContext) -> list[Any]:
    return [Mailbox(None, context)]


class Quiet:
    """A log that nobody reads."""

    def file_only(self, name: str) -> Quiet:
        return self

    def info(self, *_: object) -> None:
        pass

    warning = info


def process_app(
    effects: Effects,
    state: StateFolder,
    host: FakeHost,
    say: Callable[[str], None],
    ways: Ways,
    transports: Callable[[FakeContext], list[Any]],
) -> App:
    """One run of the command line, as the process with these effects has it."""
    app = App()
    context = FakeContext(effects, state.root, controls={host.name: host})
    policies: list[Any] = [HoldsPolicy(None, context), Focused(FocusedSettings(), context)]
    agent = AgentStrategies(frozenset({"working"}), transports(context), [OmpStatus(None, context)])
    app.__dict__.update(
        effects=effects,
        state=state,
        holds=Holds(state, effects.files, say),
        log=Quiet(),
        context=context,
        sources={host.name: host},
        strategies=Strategies(policies, {"omp": agent}),
        configuration=SimpleNamespace(
            call=Inline(say),
            settings=SimpleNamespace(
                breaks=SimpleNamespace(resume=ways.resume, sources=[]),
                focus=SimpleNamespace(sources=[host.name], settle_ms=ways.settle_ms),
                reflex=SimpleNamespace(mode=ways.mode, away=ways.away, fail=ways.fail, ask_ms=250),
            ),
            plugins=SimpleNamespace(call_each=lambda hook, **_: []),
            break_sources=lambda context: [],
            observers=lambda context: [],
        ),
        warn=say,
        report=say,
    )
    return app
