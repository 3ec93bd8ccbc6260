"""What `attention doctor` looks at in tmux."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework import CheckLevel, CheckResult, HostUnavailable

from .client import split_address
from .installer import OLDEST, supported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attention_framework import Session

    from .focus import TmuxFocus
    from .installer import TmuxInstaller

MEND_ABSENT = "install tmux, or leave tmux out of `plugins` in the settings"


class TmuxCheck:
    """The version, and in each running server whether focus changes are reported."""

    name = "tmux"

    def __init__(self, focus: TmuxFocus, installer: TmuxInstaller) -> None:
        self._focus = focus
        self._client = focus.client
        self._installer = installer

    def run(self) -> Sequence[CheckResult]:
        version = self._client.version()
        if version is None:
            # No failure: people who work in another host have none, and need none.
            return [CheckResult("tmux", CheckLevel.WARNING, self._client.absence, MEND_ABSENT)]
        return [_version(version), *self._servers()]

    def _servers(self) -> Iterator[CheckResult]:
        try:
            sessions = self._focus.sessions()
        except HostUnavailable as error:
            yield CheckResult("tmux server", CheckLevel.FAILED, str(error))
            return
        for session in sessions:
            yield self._hooks(session)
            yield self._reports(session)

    def _hooks(self, session: Session) -> CheckResult:
        name = f"tmux hooks in {session.name}"
        if self._installer.has_loaded(session):
            return CheckResult(name, CheckLevel.OK, "focus changes start a cycle")
        return CheckResult(
            name,
            CheckLevel.FAILED,
            "focus changes start nothing: the hooks are not loaded",
            "attention setup tmux",
        )

    def _reports(self, session: Session) -> CheckResult:
        name, socket = f"tmux focus-events in {session.name}", split_address(session)[0]
        try:
            told = self._installer.reports_focus(session)
        except HostUnavailable as error:
            return CheckResult(name, CheckLevel.WARNING, str(error))
        if told:
            return CheckResult(name, CheckLevel.OK, "a pane is told that it gained or lost the focus")
        return CheckResult(
            name,
            CheckLevel.WARNING,
            "panes are not told of the focus: no agent brakes by itself when you leave it, and a late request can "
            "pause the one you just came back to",
            f"tmux -S {socket} set-option -s focus-events on   # and in your tmux configuration",
        )


def _version(version: str) -> CheckResult:
    if supported(version):
        return CheckResult("tmux", CheckLevel.OK, f"tmux {version}")
    return CheckResult(
        "tmux",
        CheckLevel.FAILED,
        f"tmux {version} is too old: {'.'.join(map(str, OLDEST))} or later is needed",
    )
