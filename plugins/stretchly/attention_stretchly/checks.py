"""What `attention doctor` looks at in Stretchly."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final

from attention_framework import CheckLevel, CheckResult

from .driver.program import find_program, named_program
from .files import RealLogFiles
from .places import newest, places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Context

    from .files import LogFiles
    from .source import StretchlySettings

LOG: Final = "stretchly log"
PROGRAM: Final = "stretchly program"
MEND_LOG: Final = "start Stretchly once; that of the portable program has to be named with strategy.stretchly.log in the settings"
MEND_PROGRAM: Final = (
    "name it with strategy.stretchly.program in the settings; only `attention break-run` needs it"
)
OK, WARNING = CheckLevel.OK, CheckLevel.WARNING


class StretchlyCheck:
    """Looks for Stretchly's log and its program. No results if neither is there and the settings do not mention Stretchly."""

    name = "stretchly"

    def __init__(self, context: Context, files: LogFiles | None = None) -> None:
        self._context = context
        self._files = files or RealLogFiles()

    def run(self) -> Sequence[CheckResult]:
        settings: StretchlySettings = self._context.settings("stretchly")
        log, program = self._log(settings), self._program(settings)
        wanted = self._context.has_break_source("stretchly") or bool(settings.log or settings.program)
        return [log, program] if wanted or OK in (log.level, program.level) else []

    def _log(self, settings: StretchlySettings) -> CheckResult:
        """An old log is in order: Stretchly may write nothing for a long time."""
        candidates = places(self._context.effects.environment, settings.log)
        try:
            place = newest(candidates, self._files)
            if place is not None:
                self._files.read(place.log, 0, 1)
                return CheckResult(LOG, OK, str(place.log))
        except OSError as error:
            path = error.filename or candidates[0].log
            return CheckResult(LOG, WARNING, f"{path} cannot be read: {error.strerror or error}", MEND_LOG)
        looked = ", ".join(str(each.log) for each in candidates)
        return CheckResult(LOG, WARNING, f"there is none ({looked})", MEND_LOG)

    def _program(self, settings: StretchlySettings) -> CheckResult:
        environment = self._context.effects.environment
        if settings.program:
            named = named_program(settings.program, environment)[0]
            found = shutil.which(named, path=environment.get("PATH", ""))
        else:
            found = find_program(environment)
        if found is not None:
            return CheckResult(PROGRAM, OK, found)
        missing = f"{settings.program[0]} is not there" if settings.program else "it was not found"
        return CheckResult(PROGRAM, WARNING, missing, MEND_PROGRAM)
