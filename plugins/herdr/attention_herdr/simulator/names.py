"""Names made from ids, and the key of a session (docs/reference/state-files.md, "Names")."""

from __future__ import annotations

import hashlib
import os
import re

_BARE = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
_DEVICES = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
_LONGEST, _KEPT = 120, 100


def encode(identifier: str) -> str:
    """A file name for any id."""
    name = "".join(chr(byte) if byte in _BARE else _percent(byte) for byte in identifier.encode())
    if _DEVICES.fullmatch(name):
        name = _percent(ord(name[0])) + name[1:]
    return name if len(name) <= _LONGEST else f"{name[:_KEPT]}~{_digest(identifier)}"


def canonical(address: str) -> str:
    """One spelling for an address: the folder of a path without symbolic links, the last part as it is."""
    if address.startswith("/"):
        folder, _, last = address.rpartition("/")
        return f"{os.path.realpath(folder)}/{last}" if os.path.isdir(folder) else address
    if re.match(r"[A-Za-z]:|\\", address):
        return re.sub("[A-Z]", lambda found: found[0].lower(), address).replace("/", "\\")
    return address


def session_key(host: str, address: str) -> str:
    return f"{host}-{_digest(canonical(address))}"


def _percent(byte: int) -> str:
    return f"%{byte:02X}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
