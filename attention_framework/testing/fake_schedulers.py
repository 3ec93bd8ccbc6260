"""Programs that stand in for `systemctl`, `launchctl` and `schtasks`. They record how they are called, and remember the jobs.

    schedulers = FakeSchedulers(tmp_path / "schedulers")
    monkeypatch.setenv("PATH", str(schedulers.programs))

The programs run this same file as a script, so it imports nothing but the standard library.
"""

from __future__ import annotations

import codecs
import json
import os
import sys
from pathlib import Path
from typing import Any

NAMES = ("systemctl", "launchctl", "schtasks")


class FakeSchedulers:
    """A folder with the programs, and a file in which they remember what they were told. Not for Windows: the programs are
    shell scripts.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        """The folder for everything: the programs, and what they remember."""
        self.programs = folder / "bin"
        """The folder with the programs. Put it into PATH."""
        self.programs.mkdir(parents=True)
        for name in NAMES:
            program = self.programs / name
            text = f"#!/bin/sh\nexec '{sys.executable}' -I -S '{__file__}' '{folder}' {name} \"$@\"\n"
            program.write_text(text, encoding="utf-8")
            program.chmod(0o755)

    @property
    def calls(self) -> list[list[str]]:
        """Every call, in order, as a list of words: the program and its arguments. Without those that only ask: `systemctl
        show`, `launchctl print` and `schtasks /Query`.
        """
        known = _load(self.folder)
        found: list[list[str]] = known["calls"]
        return found

    @property
    def known(self) -> dict[str, Any]:
        """What the programs remember. Of systemd: `units`, the unit files it has loaded (name: content), `enabled` (list of
        names) and `active` (name: content when it was started). Of launchd: `agents` (label: path of its file). Of Task
        Scheduler: `tasks` (name: XML).
        """
        return _load(self.folder)

    def change(self, **known: Any) -> None:
        """Replace what they remember under these keys (those of `known`), as if somebody else had changed it."""
        _save(self.folder, {**_load(self.folder), **known})

    def fail(self, verb: str, message: str, times: int = 1_000) -> None:
        """Let the next `times` calls with this verb (such as `enable`, `bootstrap` or `/Create`) fail: they write `message`
        to standard error, change nothing, and end with 1.
        """
        known = _load(self.folder)
        known["failures"][verb] = [message, times]
        _save(self.folder, known)


def main(folder: Path, program: str, words: list[str]) -> int:
    known = _load(folder)
    verb = words[1] if program == "systemctl" else words[0]
    if verb not in ("show", "print", "/Query"):
        known["calls"].append([program, *words])
    message, left = known["failures"].get(verb, ("", 0))
    if left:
        known["failures"][verb] = [message, left - 1]
        code = _fail(message)
    else:
        act = {"systemctl": _systemctl, "launchctl": _launchctl, "schtasks": _schtasks}[program]
        code = act(known, verb, words)
    _save(folder, known)
    return code


def _systemctl(known: dict[str, Any], verb: str, words: list[str]) -> int:
    unit = words[-1]
    if verb == "show":
        unit = words[2]
        loaded = known["units"].get(unit)
        print(f"ActiveState={'active' if unit in known['active'] else 'inactive'}")
        print(f"UnitFileState={'enabled' if unit in known['enabled'] else ''}")
        print(f"NeedDaemonReload={'no' if loaded in (None, _unit_files().get(unit)) else 'yes'}")
    elif verb == "daemon-reload":
        known["units"] = _unit_files()
    elif verb == "disable":
        known["enabled"] = [name for name in known["enabled"] if name != unit]
        known["active"].pop(unit, None)
    elif unit not in known["units"]:
        return _fail(f"Failed to {verb} unit: Unit file {unit} does not exist.")
    elif verb == "enable":
        known["enabled"] = sorted({*known["enabled"], unit})
    else:
        known["active"][unit] = known["units"][unit]
    return 0


def _launchctl(known: dict[str, Any], verb: str, words: list[str]) -> int:
    if verb == "bootstrap":
        label = Path(words[2]).stem
        if label in known["agents"] or not Path(words[2]).exists():
            return _fail("Bootstrap failed: 5: Input/output error", 5)
        known["agents"][label] = words[2]
        return 0
    label = words[1].rpartition("/")[2]
    if label not in known["agents"]:
        return _fail(f'Could not find service "{label}" in domain for user gui', 113)
    if verb == "print":
        print(f"{words[1]} = {{\n\tactive count = 0\n\tpath = {known['agents'][label]}\n}}")
    else:
        del known["agents"][label]
    return 0


def _schtasks(known: dict[str, Any], verb: str, words: list[str]) -> int:
    name = words[words.index("/TN") + 1]
    if verb == "/Create":
        content = Path(words[words.index("/XML") + 1]).read_bytes()
        if not content.startswith(codecs.BOM_UTF16_LE):
            return _fail("ERROR: The task XML is malformed. (1,40)::unable to switch the encoding")
        if name in known["tasks"] and "/F" not in words:
            return _fail(f"WARNING: The task name {name} already exists. Do you want to replace it (Y/N)?")
        known["tasks"][name] = content[2:].decode("utf-16-le")
    elif name not in known["tasks"]:
        return _fail("ERROR: The system cannot find the file specified.")
    elif verb == "/Query":
        sys.stdout.buffer.write(known["tasks"][name].encode("cp1252", "replace"))
    else:
        del known["tasks"][name]
    return 0


def _unit_files() -> dict[str, str]:
    base = Path(os.environ.get("XDG_CONFIG_HOME") or Path(os.environ["HOME"]) / ".config")
    folder = base / "systemd" / "user"
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.*")}


def _fail(message: str, code: int = 1) -> int:
    print(message, file=sys.stderr)
    return code


def _load(folder: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((folder / "known.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {
            **{"calls": [], "failures": {}},
            **{"units": {}, "enabled": [], "active": {}, "agents": {}, "tasks": {}},
        }
    return found


def _save(folder: Path, known: dict[str, Any]) -> None:
    (folder / "known.json").write_text(json.dumps(known), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
