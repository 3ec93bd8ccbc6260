"""The text of a PowerShell file that starts `attention break-run`. It is for a task of Task Scheduler that starts such a file,
and that cannot be changed without an administrator.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_QUOTES = re.compile("['‘’‚‛]")
"""All characters that PowerShell accepts as a single quote, typographic ones too."""

_LINES = (
    "param([Parameter(Mandatory)][ValidateSet('mini', 'long')][string]$Kind)"
    " # Written by `attention setup stretchly --launcher`.",
    "$python = {programs} | Where-Object {{ Test-Path -LiteralPath $_ -PathType Leaf }} | Select-Object -First 1",
    "try {{ if (-not $python) {{ throw {gone} }}; $run = Start-Process -FilePath $python"
    ' -ArgumentList ({arguments} + " break-run $Kind") -WindowStyle Hidden -PassThru;'
    " $null = $run.Handle; $run.WaitForExit(); exit $run.ExitCode }}",
    'catch {{ Add-Content -LiteralPath {log} -Encoding UTF8 -Value "$(Get-Date -Format s) $Kind $_"; exit 1 }}',
)
"""`$run.Handle` is read because PowerShell gives the exit code only of a process whose handle was read. WaitForExit is used
because `-Wait` would also wait for Stretchly, if the driver has started it."""


def launcher(command: Sequence[str], log: str) -> bytes:
    """The content of the file. `powershell -File LAUNCHER mini|long` runs `command` with `break-run mini` or `break-run long`,
    waits for it, and ends with its exit code. If it cannot be started, the reason is added to the file `log`.

    It begins with a byte order mark: without one, Windows PowerShell does not read it as UTF-8.
    """
    programs = _programs(command[0])
    gone = (
        f"there is no Python at {' or '.join(programs)}: run `attention setup stretchly --launcher` once more"
    )
    text = "\r\n".join(_LINES).format(
        programs=f"@({', '.join(map(quoted, programs))})",
        gone=quoted(gone),
        arguments=quoted(subprocess.list2cmdline(command[1:])),
        log=quoted(log),
    )
    return b"\xef\xbb\xbf" + f"{text}\r\n".encode()


def quoted(text: str) -> str:
    """The text as a literal of PowerShell, in single quotes: between these it replaces no variables."""
    return "'" + _QUOTES.sub(lambda quote: quote[0] * 2, text) + "'"


def _programs(program: str) -> list[str]:
    """The interpreters to try, in order. `pythonw.exe` comes first, because it opens no console window."""
    path = PureWindowsPath(program)
    if path.name.lower() not in ("python.exe", "pythonw.exe"):
        return [program]
    return [str(path.with_name(name)) for name in ("pythonw.exe", "python.exe")]
