"""What `attention doctor` looks at in OMP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from attention_framework import CheckLevel, CheckResult, InstallRefused, live_hellos

from .agents import OMP
from .extension import CONFIG, PROTOCOL_VERSION, shipped_version
from .homes import OLDEST, supported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from attention_framework import Hello

    from .installer import OmpInstaller

SETUP = "attention setup omp"
START_ANEW = "omp --continue   # after leaving OMP there"
REPORTS = (
    "go to another pane and back. If nothing changes, have the host report the focus (focus-events in tmux)"
)
DISABLED = "extension-module:attention-framework"

Finding = tuple[CheckLevel, str, str]
"""Level, what was found, and what mends it."""


class OmpCheck:
    """OMP's version, the extension in each agent folder, and what the running agents say."""

    name = "omp"

    def __init__(self, installer: OmpInstaller) -> None:
        self._installer = installer
        self._context = installer.context
        self._files = installer.context.effects.files

    def run(self) -> Sequence[CheckResult]:
        if self._installer.found() is None:  # No failure: people who work with another agent have none.
            return [self._version()]
        return [
            self._version(),
            *(self._extension(folder) for folder in self._installer.targets()),
            *self._agents(),
        ]

    def _version(self) -> CheckResult:
        version, oldest = self._installer.version, ".".join(map(str, OLDEST))
        if version is None:
            mend = f"install Oh My Pi {oldest} or later, or put its folder on the PATH"
            return CheckResult("OMP", CheckLevel.WARNING, "there is no `omp` on the PATH", mend)
        if not version:
            return CheckResult("OMP", CheckLevel.WARNING, "`omp --version` tells no version", "omp --version")
        if not supported(version):
            message = f"OMP {version} cannot be paused by an extension: {oldest} or later is needed"
            return CheckResult("OMP", CheckLevel.FAILED, message, "omp update")
        return CheckResult("OMP", CheckLevel.OK, f"OMP {version}")

    def _extension(self, folder: Path) -> CheckResult:
        name = f"OMP extension in {folder}"
        missing = [file for file in self._installer.content() if not self._files.exists(folder / file)]
        if missing:
            what = (
                "is not installed"
                if len(missing) == len(self._installer.content())
                else f"lacks {', '.join(missing)}"
            )
            return CheckResult(name, CheckLevel.FAILED, f"the extension {what}", SETUP)
        state = self._configured_state(folder / CONFIG)
        if state != str(self._context.state):
            message = f"it works with the state folder {state}, and this command with {self._context.state}"
            return CheckResult(name, CheckLevel.FAILED, message, SETUP)
        if self._is_disabled(folder):
            message = f"OMP's settings disable it: take {DISABLED} out of `disabledExtensions`"
            return CheckResult(name, CheckLevel.FAILED, message, "omp config")
        return self._currency(name, folder)

    def _currency(self, name: str, folder: Path) -> CheckResult:
        changed = [
            file for file, data in self._installer.content().items() if self._read(folder / file) != data
        ]
        if changed:
            message = f"not as this version of attention writes it: {', '.join(changed)}"
            return CheckResult(name, CheckLevel.FAILED, message, SETUP)
        try:
            self._installer.plan(remove=False)
        except InstallRefused as error:
            return CheckResult(name, CheckLevel.WARNING, str(error), SETUP)
        return CheckResult(name, CheckLevel.OK, f"installed, version {self._shipped}")

    def _agents(self) -> Iterator[CheckResult]:
        for hello in live_hellos(self._context.state, self._context.effects, self._context.log.warning):
            if hello.agent == OMP.name:
                yield self._agent(hello)

    def _agent(self, hello: Hello) -> CheckResult:
        name = f"OMP in pane {hello.pane} (process {hello.process.pid})"
        if finding := _unusable(hello) or _outdated(hello, self._shipped) or _limited(hello):
            return CheckResult(name, *finding)
        return CheckResult(name, CheckLevel.OK, f"{hello.state}, extension {self._shipped}")

    @property
    def _shipped(self) -> str:
        return shipped_version(self._installer.content())

    def _configured_state(self, path: Path) -> str:
        try:
            return str(json.loads(self._read(path))["state"])
        except (ValueError, KeyError, TypeError):
            return "of a config.json that cannot be read"

    def _is_disabled(self, folder: Path) -> bool:
        lines = self._installer.settings_lines(folder.parent.parent)
        return any(DISABLED in line for line in lines)

    def _read(self, path: Path) -> bytes:
        try:
            return self._files.read(path)
        except OSError:
            return b""


def _unusable(hello: Hello) -> Finding | None:
    protocol = dict(hello.versions).get("protocol", "")
    if hello.state == "unsupported":
        return CheckLevel.FAILED, f"it cannot be paused: {hello.problem}", "omp update"
    if protocol == str(PROTOCOL_VERSION):
        return None
    message = f"its extension speaks protocol {protocol or 'unknown'}, and this version {PROTOCOL_VERSION}"
    return CheckLevel.FAILED, message, f"{SETUP}, then: {START_ANEW}"


def _outdated(hello: Hello, shipped: str) -> Finding | None:
    running = dict(hello.versions).get("extension", "")
    if running == shipped:
        return None
    message = f"it has loaded extension {running or 'unknown'}, and {shipped} is installed"
    return CheckLevel.WARNING, message, START_ANEW


def _limited(hello: Hello) -> Finding | None:
    problem = hello.problem or ""
    if problem.startswith("not-live"):
        message = f"the gate that its extension engages is not the one that it obeys: {problem}"
        return CheckLevel.FAILED, message, START_ANEW
    if problem:
        return CheckLevel.WARNING, f"its last request failed: {problem}", "attention status"
    if hello.reflex.mode != "off" and not hello.reflex.reports:
        message = "it has seen no focus report yet, without which it cannot brake by itself"
        return CheckLevel.WARNING, message, REPORTS
    return None
