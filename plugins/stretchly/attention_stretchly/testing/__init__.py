"""For tests: `LogWriter` writes logs like any version of Stretchly, and `ScriptedStretchly` is a program that acts like it.

    with ScriptedStretchly(folder, speed=20) as stretchly:
        stretchly.start()                   # without it, the first call only starts the program, as with the real one
        driver = subprocess.Popen([..., "break-run", "mini", "--log", stretchly.log, "--launch", *stretchly.command])
        stretchly.skip()                    # or run_out(), postpone(), quit(), kill(), call("reset"), call("pause")

What a person would do in Stretchly's window, the test does by these calls, or says in advance by a `Script`.
"""

from __future__ import annotations

from .script import Script
from .scripted import ScriptedStretchly
from .writer import VERSIONS, LogWriter, Scripted

__all__ = ["VERSIONS", "LogWriter", "Script", "Scripted", "ScriptedStretchly"]
