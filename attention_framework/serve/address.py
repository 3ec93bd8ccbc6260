"""`serve.addr`: where the resident controller listens, in plain text for clients that know no JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..effects import Files
    from ..state.folder import StateFolder

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Address:
    """A Unix socket, or a port with the token that every request carries."""

    path: str = ""
    port: int = 0
    token: str = ""

    def __str__(self) -> str:
        return f"unix {self.path}" if self.path else f"tcp {HOST} {self.port}"

    @property
    def content(self) -> bytes:
        text = f"{self} {self.token}" if self.token else str(self)
        return (text + "\n").encode(errors="surrogateescape")


def parse_address(content: bytes) -> Address | None:
    """None for what is none."""
    kind, _, rest = content.decode(errors="surrogateescape").rstrip("\n").partition(" ")
    if kind == "unix" and rest:
        return Address(path=rest)
    words = rest.split(" ")
    if kind == "tcp" and len(words) == 3 and words[0] == HOST and words[1].isdecimal():
        return Address(port=int(words[1]), token=words[2])
    return None


def read_address(state: StateFolder, files: Files) -> Address | None:
    """None if no controller has said where it listens, or has said so in a way that we do not know."""
    try:
        return parse_address(files.read(state.serve_address))
    except OSError:
        return None
