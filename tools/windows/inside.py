"""Runs inside Wine: starts python.exe with the arguments and passes its exit code on.

A program that crashes under Wine ends with a 32-bit status, and the outside sees only its last eight bits: of the one
for a missing function, 0x80000100, that is the zero of success.
"""

from __future__ import annotations

import os
import subprocess
import sys

CRASHED = 139

if __name__ == "__main__":
    code = subprocess.call([sys.executable, *sys.argv[1:]])
    if not 0 <= code < 256:
        print(f"windows: python.exe crashed: status {code & 0xFFFFFFFF:#x}", flush=True)
        code = CRASHED
    os._exit(code)
