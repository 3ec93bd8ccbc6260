"""A PowerShell file that starts the break driver, for a task that cannot be edited without an administrator."""

from __future__ import annotations

import re
import subprocess
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_QUOTES = re.compile("['‘’‚‛]")
"""PowerShell takes typographic ones for its own."""

_LINES = (
    "param([Parameter(Mandatory)][ValidateSet('mini', 'long')][string]$Kind)"
    " # Written by `attention setup stretchly --launcher`.",
    "$python = {programs} | Where-Object {{ Test-Path -LiteralPath $_ -PathType Leaf }} | Select-Object -First 1",
    "try {{ if (-not $python) {{ throw {gone} }}; $run = Start-Process -FilePath $python"
    ' -ArgumentList ({arguments} + " break-run $Kind") -WindowStyle Hidden -PassThru;'
    " $null = $run.Handle; $run.WaitForExit(); exit $run.ExitCode }}",
    'catch {{ Add-Content -LiteralPath {log} -Encoding UTF8 -Value "$(Get-Date -Format s) $Kind $_"; exit 1 }}',
)
"""Handle: PowerShell keeps the exit code only of a process whose handle was asked for. WaitForExit instead of -Wait,
which would wait for Stretchly, too, if the driver has started it."""


def launcher(command: Sequence[str], log: str) -> bytes:
    """`powershell -File LAUNCHER mini|long` waits for the driver and ends with its exit code. What kept it from
    starting goes to `log`. With a byte order mark, without which Windows PowerShell would not read it as UTF-8.
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
    """For PowerShell, which finds nothing to replace between single quotes."""
    return "'" + _QUOTES.sub(lambda quote: quote[0] * 2, text) + "'"


def _programs(program: str) -> list[str]:
    """Without a console window first."""
    path = PureWindowsPath(program)
    if path.name.lower() not in ("python.exe", "pythonw.exe"):
        return [program]
    return [str(path.with_name(name)) for name in ("pythonw.exe", "python.exe")]
