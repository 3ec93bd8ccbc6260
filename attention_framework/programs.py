"""Which agent a process is, by its command line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import AgentKind

INTERPRETERS: Final = frozenset(
    {"bun", "bunx", "node", "nodejs", "deno", "npx", "python", "python3", "sh", "bash", "env"}
)
_VERSIONED: Final = re.compile(r"python[0-9][0-9.]*")
_SUFFIX: Final = re.compile(r"\.(?:[cm]?[jt]s|exe|py|sh)$", re.IGNORECASE)


def agent_of(command: Sequence[str], kinds: Sequence[AgentKind]) -> str | None:
    """Name of the kind whose `programs` have the program of this command line, or the script that an interpreter runs;
    None for any other command. For hosts that detect no agents themselves.

    :param command: program and arguments, as the system tells them; may be empty.
    """
    names = _names(command)
    return next((kind.name for kind in kinds if names & set(kind.programs)), None)


def _names(command: Sequence[str]) -> frozenset[str]:
    """Base names of the program, and of the script that an interpreter runs."""
    if not command:
        return frozenset()
    program = _base(command[0])
    script = next((word for word in command[1:] if not word.startswith("-")), None)
    interprets = program in INTERPRETERS or _VERSIONED.fullmatch(program)
    return frozenset({program, _base(script)} if script and interprets else {program})


def _base(word: str) -> str:
    """A login shell's name begins with `-`."""
    return _SUFFIX.sub("", re.split(r"[/\\]", word)[-1].lstrip("-"))
