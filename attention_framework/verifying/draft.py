"""A draft that is left in an agent's editor, and read again byte for byte."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from .absence import Draft
from .actor import ACT_WITHIN_S
from .scene import Stuck

if TYPE_CHECKING:
    from pathlib import Path

    from .actor import Actor

PASTE: Final = "\x1b[200~{}\x1b[201~"
"""As a terminal sends what is pasted, so that line ends do not submit."""
POSIX: Final = """\
#!/bin/sh
# An editor that changes nothing: it copies the draft to where `attention verify` reads it.
for last in "$@"; do :; done
cp "$last" "{copy}.new" && mv "{copy}.new" "{copy}"
"""
WINDOWS: Final = '@copy /b /y "%~1" "{copy}.new" >nul\r\n@move /y "{copy}.new" "{copy}" >nul\r\n'


def text(mark: str) -> str:
    """Two lines, quotes, blanks at the end, and characters of two, three and four bytes."""
    return f'verify {mark}: do not send\n  "caf\u00e9" \u4e09 \U0001f9f1 \\n  '


class EditorCopy:
    """`$EDITOR` for an agent: the key that opens the draft in it makes a copy of the draft."""

    def __init__(self, folder: Path, name: str) -> None:
        self._copy = folder / f"draft-{name}"
        self._program = folder / (f"editor-{name}.cmd" if sys.platform == "win32" else f"editor-{name}")

    def prepare(self) -> dict[str, str]:
        """The environment that the agent needs."""
        content = (WINDOWS if sys.platform == "win32" else POSIX).format(copy=self._copy)
        self._program.write_bytes(content.encode())
        self._program.chmod(0o700)
        return {"EDITOR": str(self._program), "VISUAL": str(self._program)}

    def read(self, actor: Actor) -> bytes | None:
        """The draft as it is now. The agent has the focus and runs."""
        self._copy.unlink(missing_ok=True)
        scene = actor.scene
        scene.trial.type(actor.pane_id, scene.agent.editor_key)
        try:
            scene.wait(self._copy.exists, ACT_WITHIN_S, "the agent has opened its draft in an editor")
        except Stuck:
            return None
        return self._copy.read_bytes()


def leave(actor: Actor, draft: str) -> None:
    """Paste it, and see it on the screen."""
    scene = actor.scene
    scene.trial.type(actor.pane_id, PASTE.format(draft))
    first = draft.splitlines()[0]
    scene.wait(lambda: first in scene.screen(actor.pane), ACT_WITHIN_S, "the draft is on the agent's screen")


def look(actor: Actor, copy: EditorCopy, draft: str, when: str) -> Draft:
    """The agent has the focus and runs. Without a key for an editor: what is on the screen of it."""
    if actor.scene.agent.editor_key:
        return Draft(when, draft.encode(), copy.read(actor))
    screen = actor.scene.screen(actor.pane)
    lines = [line for line in draft.splitlines() if line.strip() in screen]
    return Draft(when, draft.encode(), "\n".join(lines).encode(), exact=False)
