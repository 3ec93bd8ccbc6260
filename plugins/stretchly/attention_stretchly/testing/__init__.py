"""Test tools: logs in the words of any version of Stretchly, and a program that stands in for it.

    with ScriptedStretchly(folder, speed=20) as stretchly:
        stretchly.start()                   # or not: `mini` then starts it and is ignored, as by the real one
        driver = subprocess.Popen([..., "break-run", "mini", "--log", stretchly.log, "--launch", *stretchly.command])
        stretchly.skip()                    # or run_out(), postpone(), quit(), kill(), call("reset"), call("pause")

The person's part comes from these calls, or from the script that the program is given (`Script`).
"""

from __future__ import annotations

from .script import Script
from .scripted import ScriptedStretchly
from .writer import VERSIONS, LogWriter, Scripted

__all__ = ["VERSIONS", "LogWriter", "Script", "Scripted", "ScriptedStretchly"]
