"""What `attention doctor` looks at in Herdr."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attention_framework import CheckLevel, CheckResult, HostUnavailable, InstallRefused

from .manifest import FILE, PLUGIN_ID
from .reading import OLDEST, SILENT, dotted, parse_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attention_framework import Context, Session, Snapshot

    from .installer import HerdrInstaller

RECOMMENDED: Final = (0, 8, 2)
"""Refuses prompts to blocked agents, and runs hooks with the binary that runs (Herdr's change log)."""
ROWS, LOOKED_AT = 200, 20
"""Rows of Herdr's log, all that it keeps, and the last runs of hooks among them."""
INTEGRATION: Final = ".omp/agent/extensions/herdr-omp-agent-state.ts"
"""Where `herdr integration install omp` puts it below the HOME."""
OMP_FOLDER: Final = "PI_CODING_AGENT_DIR"
"""Names another folder than `.omp/agent`, for OMP and for Herdr."""
ABSENT: Final = "there is no herdr on the PATH, and no running Herdr answers"
MEND_SILENT: Final = "if it was stopped, let it go on (`kill -CONT` with its process id), else end it"
MEND_ABSENT: Final = "install Herdr, or leave herdr out of `plugins` in the settings"
OK, WARNING, FAILED = CheckLevel.OK, CheckLevel.WARNING, CheckLevel.FAILED


class HerdrCheck:
    """Version, sessions, OMP's integration, our plugin and its last runs."""

    name = "herdr"

    def __init__(self, context: Context, installer: HerdrInstaller) -> None:
        self._environment = context.effects.environment
        self._files = context.effects.files
        self._installer = installer
        self._focus = installer.focus

    def run(self) -> Sequence[CheckResult]:
        try:
            return self._results()
        except HostUnavailable as error:
            return [CheckResult("herdr", FAILED, str(error), MEND_SILENT)]

    def _results(self) -> Sequence[CheckResult]:
        """Raises HostUnavailable where a Herdr runs and does not answer."""
        if self._installer.found() is None:
            # No failure: people who work in another host have none, and need none.
            return [CheckResult("herdr", WARNING, ABSENT, MEND_ABSENT)]
        return [_version(self._installer.version()), *self._sessions(), self._plugin()]

    def _sessions(self) -> Iterator[CheckResult]:
        sessions = self._focus.sessions()
        if not sessions:
            yield CheckResult("herdr session", WARNING, "no Herdr is running", "herdr")
        snapshots = []
        for session in sessions:
            try:
                snapshots.append(self._focus.snapshot(session))
            except HostUnavailable as error:
                yield CheckResult(f"herdr session {_called(session)}", FAILED, str(error))
                continue
            yield _answers(snapshots[-1])
            yield self._runs(session)
        yield self._integration(snapshots)

    def _integration(self, snapshots: Sequence[Snapshot]) -> CheckResult:
        """Without it an agent is told from others by the pane's id alone, and shows no status."""
        name, mend = "herdr integration for omp", "herdr integration install omp"
        agents = [pane for snapshot in snapshots for pane in snapshot.panes if pane.agent == "omp"]
        without = [pane.id for pane in agents if not pane.conversation]
        installed = self._files.exists(self._place())
        if without:
            more = "; start them again" if installed else ""
            return CheckResult(
                name,
                WARNING,
                f"Herdr does not know the conversation of OMP in {', '.join(without)}{more}",
                "" if installed else mend,
            )
        if agents or installed:
            return CheckResult(name, OK, "installed")
        return CheckResult(
            name,
            WARNING,
            "not installed: Herdr shows no status of OMP, and cannot tell which conversation it is in",
            mend,
        )

    def _place(self) -> Path:
        place = Path(INTEGRATION)
        if folder := self._environment.get(OMP_FOLDER):
            return Path(folder) / place.relative_to(".omp/agent")
        return Path(self._environment.get("HOME") or self._environment.get("USERPROFILE") or "") / place

    def _plugin(self) -> CheckResult:
        name, mend = "herdr plugin", "attention setup herdr"
        try:
            linked = self._installer.linked()
        except (HostUnavailable, InstallRefused) as error:
            return CheckResult(name, FAILED, str(error))
        if linked is None:
            return CheckResult(name, FAILED, "not linked: Herdr runs no hooks of ours", mend)
        if not linked.enabled:
            return CheckResult(
                name, FAILED, "disabled: Herdr runs none of its hooks", f"herdr plugin enable {PLUGIN_ID}"
            )
        if not self._files.exists(self._installer.folder / FILE):
            return CheckResult(name, FAILED, f"its folder {self._installer.folder} is gone", mend)
        if linked.warnings:
            return CheckResult(name, WARNING, f"Herdr says: {'; '.join(linked.warnings)}", mend)
        return CheckResult(name, OK, f"linked from {linked.root}")

    def _runs(self, session: Session) -> CheckResult:
        name = f"herdr hooks in {_called(session)}"
        try:
            result = self._focus.client(session).call(
                "plugin.log.list", {"plugin_id": PLUGIN_ID, "limit": ROWS}
            )
        except HostUnavailable as error:
            return CheckResult(name, WARNING, str(error))
        rows = [row for row in result.get("logs") or () if isinstance(row, dict)]
        # An action is the person's key, and says itself why it could do nothing.
        hooks = [row for row in rows if not row.get("action_id") and row.get("status") != "running"]
        ended = hooks[-LOOKED_AT:]
        failed = [row for row in ended if row.get("status") != "succeeded"]
        if not ended:
            return CheckResult(name, OK, "none has run since the server was started: change the focus once")
        if not failed:
            return CheckResult(name, OK, f"the last {len(ended)} ran well")
        level = FAILED if failed[-1] is ended[-1] else WARNING
        return CheckResult(
            name,
            level,
            f"{len(failed)} of the last {len(ended)} failed; the latest: {_failure(failed[-1])}",
            _log_command(),
        )


def _version(version: str | None) -> CheckResult:
    numbers = parse_version(version or "")
    if numbers is None:
        return CheckResult("herdr", WARNING, f"its version cannot be told ({version!r})")
    if numbers < OLDEST:
        return CheckResult(
            "herdr",
            FAILED,
            f"Herdr {version} is too old: {dotted(OLDEST)} or later is needed",
            "herdr update",
        )
    if numbers == SILENT:
        return CheckResult(
            "herdr",
            WARNING,
            f"Herdr {version} tells nobody of a focus that is changed by keys: agents pause late",
            "herdr update",
        )
    if numbers < RECOMMENDED:
        return CheckResult(
            "herdr",
            WARNING,
            f"Herdr {version} will do; {dotted(RECOMMENDED)} or later is recommended",
            "herdr update",
        )
    return CheckResult("herdr", OK, f"Herdr {version}")


def _answers(snapshot: Snapshot) -> CheckResult:
    name = f"herdr session {_called(snapshot.session)}"
    if snapshot.warnings:
        return CheckResult(name, WARNING, "; ".join(snapshot.warnings))
    agents = sum(pane.agent is not None for pane in snapshot.panes)
    return CheckResult(name, OK, f"answers: {len(snapshot.panes)} panes, {agents} with an agent")


def _failure(row: dict[str, Any]) -> str:
    said = str(row.get("stderr") or row.get("error") or row.get("stdout") or "").strip()
    lines = said.splitlines() or ["it said nothing"]
    return f"{row.get('event', '?')}, exit code {row.get('exit_code', 'none')}: {lines[-1]}"


def _log_command() -> str:
    return f"herdr plugin log list --plugin {PLUGIN_ID}"


def _called(session: Session) -> str:
    return session.name or session.address
