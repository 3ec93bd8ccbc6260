"""The extension that is shipped in this distribution, and what is written beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from .transports import LOOK_KEY, PAUSE_KEY, RESUME_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attention_framework import Context

ENTRY = "index.ts"
CONFIG = "config.json"
PROTOCOL_VERSION = 1


def source_folder() -> Path:
    """In a wheel beside this module; in a checkout it lies where it is developed."""
    package = Path(__file__).parent
    shipped = package / "extension"
    return shipped if shipped.is_dir() else package.parents[2] / "omp_extension" / "src"


def shipped_files(source: Path) -> dict[str, bytes]:
    """Content by name, with the entry last: OMP loads the folder from the moment its entry is there."""
    files = {path.name: path.read_bytes() for path in sorted(source.glob("*.ts"))}
    return {**{name: content for name, content in files.items() if name != ENTRY}, ENTRY: files[ENTRY]}


def shipped_version(files: Mapping[str, bytes]) -> str:
    """What the extension will say of itself in its hello; empty if it cannot be told."""
    found = re.search(rb'EXTENSION = "([^"]+)"', files.get("version.ts", b""))
    return found[1].decode() if found else ""


def config(context: Context) -> bytes:
    """`config.json` (docs/reference/state-files.md)."""
    hosts = [
        {
            "host": host.host,
            "pane": host.pane,
            "address": host.address,
            "address_pattern": host.address_pattern,
        }
        for host in context.hosts
    ]
    document = {
        "v": PROTOCOL_VERSION,
        "agent": "omp",
        "state": str(context.state),
        # What covers the wake-up of a hook does the rest of the hook's work, too.
        "runner": [*context.command, "reconcile", "--revive"],
        "hosts": hosts,
        "keys": {"look": LOOK_KEY, "pause": PAUSE_KEY, "resume": RESUME_KEY},
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()
