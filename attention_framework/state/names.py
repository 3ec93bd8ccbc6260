"""Names made from ids, and the key of a session. `omp_extension/src/names.ts` computes the same;
tests/vectors/session_keys.json keeps them alike.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from ..model import Session

_BARE = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])")
_LONGEST = 120
_KEPT = 100


def encode(identifier: str) -> str:
    """A file name for any id: safe on every file system,
    also on one that ignores case or knows alternate streams.
    """
    name = "".join(chr(byte) if byte in _BARE else f"%{byte:02X}" for byte in _utf8(identifier))
    if _RESERVED.fullmatch(name):
        name = f"%{ord(name[0]):02X}{name[1:]}"
    if len(name) > _LONGEST:
        name = f"{name[:_KEPT]}~{_digest(identifier)}"
    return name


def decode(name: str) -> str:
    """The id of a name. A name that was cut is not turned back."""
    return unquote(name)


def session_key(session: Session) -> str:
    """The name of the session's folder in the state folder, and of the session in holds: `<host>-<16 hex digits>`."""
    return f"{session.host}-{_digest(canonical_address(session.address))}"


def canonical_address(address: str) -> str:
    """One spelling for the address of a session, so that all parts compute the same key."""
    if address.startswith("/"):
        folder, _, last = address.rpartition("/")
        return f"{os.path.realpath(folder)}/{last}" if os.path.isdir(folder) else address
    if re.match(r"[A-Za-z]:|\\", address):
        return re.sub("[A-Z]", lambda letter: letter[0].lower(), address).replace("/", "\\")
    return address


def _digest(text: str) -> str:
    return hashlib.sha256(_utf8(text)).hexdigest()[:16]


def _utf8(text: str) -> bytes:
    """Half a surrogate pair, as a host may cut one, becomes U+FFFD: so it does in TypeScript."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()
