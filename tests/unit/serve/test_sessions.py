"""Which sessions a wake-up of all of them reaches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from attention_framework.runner import Woken
from attention_framework.serve import sessions as sessions_module
from attention_framework.serve.sessions import Followed, Sessions
from attention_framework.testing import SESSION, FakeHost, Memory, pane

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pytest

    from attention_framework import Session


def followed_by(memory: Memory) -> tuple[Sessions, Any]:
    host = FakeHost(pane("a"))
    log = SimpleNamespace(file_only=lambda name: SimpleNamespace(warning=lambda *words: None))
    app: Any = SimpleNamespace(sources={host.name: host}, effects=memory.effects, log=log)

    def cycle(session: Session, take: Callable[[], Sequence[str]]) -> Woken:
        return Woken(session, None, ", ".join(take()))

    return Sessions(lambda: app, cycle), app


def test_a_session_that_another_thread_finds_during_the_search_is_woken_too(memory: Memory) -> None:
    """As just after the start: the first search goes on, and somebody asks for a cycle of every session."""
    sessions, app = followed_by(memory)

    def found_meanwhile(source: object) -> list[Session]:
        sessions.get(SESSION)
        return [SESSION]

    app.sessions_of = found_meanwhile
    try:
        [wake] = sessions.wake_all("command")
        assert wake.done.wait(30)
        assert wake.woken is not None
        assert "command" in str(wake.woken.error)
    finally:
        sessions.stop()


def test_while_other_settings_are_taken_over_somebody_can_be_woken(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a wake-up of all sessions would be accepted that reaches none of them."""
    sessions, _ = followed_by(memory)
    old, there = sessions.get(SESSION), []
    ended = sessions_module._end

    def end(followed: Followed) -> None:
        there.append([one is not old for one in sessions.all()])
        ended(followed)

    monkeypatch.setattr(sessions_module, "_end", end)
    try:
        sessions.renew()
        assert there == [[True]]
        assert old.worker.work.stopped
    finally:
        sessions.stop()
