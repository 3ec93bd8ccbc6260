"""The command line's own code on effects in memory: settings and plugins are given, the rest is real."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from attention_omp_keys.status import OmpStatus
from attention_policies.exempt import Exempt, ExemptSettings
from attention_policies.focused import Focused, FocusedSettings
from attention_policies.holds import Holds as HoldsPolicy

from attention_framework import MailboxTransport
from attention_framework.app import App
from attention_framework.bounded import Inline
from attention_framework.cycle import AgentStrategies, Strategies
from attention_framework.holds import Holds
from attention_framework.testing import FakeContext

from .settings_file import FILE, read

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_framework.effects import Effects
    from attention_framework.kinds import BreakSource
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


class Application(App):
    """With the settings of a file in memory."""

    ways: Ways

    def __init__(self, again: Callable[[], Application]) -> None:
        super().__init__(config=str(FILE))
        self._again = again

    def renewed(self) -> App:
        return self._again()


def process_app(
    effects: Effects,
    state: StateFolder,
    host: FakeHost,
    source: BreakSource,
    say: Callable[[str], None],
    transports: Callable[[FakeContext], list[Any]],
) -> Application:
    """One run of the command line, as the process with these effects has it. Raises SettingsError."""
    ways = read(effects.files)
    app = Application(lambda: process_app(effects, state, host, source, say, transports))
    app.ways = ways
    context = FakeContext(effects, state.root, controls={host.name: host})
    exempt = ExemptSettings.model_validate({"panes": [{"id": ways.exempt}] if ways.exempt else []})
    policies: list[Any] = [
        HoldsPolicy(None, context), Exempt(exempt, context), Focused(FocusedSettings(), context),
    ]  # fmt: skip
    sources = [source] if ways.follows else []
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
                breaks=SimpleNamespace(resume=ways.resume, sources=[one.name for one in sources]),
                focus=SimpleNamespace(sources=[host.name], settle_ms=ways.settle_ms),
                reflex=SimpleNamespace(mode=ways.mode, away=ways.away, fail=ways.fail, ask_ms=250),
            ),
            plugins=SimpleNamespace(call_each=lambda hook, **_: []),
            break_sources=lambda context: sources,
            left_out={},
            observers=lambda context: [],
        ),
        warn=say,
        report=say,
    )
    return app
