"""Where everything lies in the state folder, and whether it may be used."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ..errors import Expected
from .names import encode, session_key

if TYPE_CHECKING:
    from pathlib import Path

    from ..effects import Files
    from ..model import Session

README = """This folder is where attention_framework keeps its state: which agents run, what is asked of them, why
they are paused, and the journal of decisions. It holds no prompt text and no screen content.

Every file is small JSON, replaced as a whole. It is safe to look at them at any time. To remove everything,
run `attention uninstall --purge`.
"""


OURS = (
    *("README", "holds", "breaks", "sessions", "tasks"),
    *("journal*.jsonl", "attention*.log", "launcher.log", "*.err"),
    *("break-watch.lock", "journal.lock", "serve.lock", "stretchly-call.lock"),
    *("serve.json", "serve.addr", "serve.sock"),
    *(
        "reflex.json",
        "installed.json",
        "setup.json",
        "folders.json",
        "stretchly-schedule.json",
        "serve-at-logon",
    ),
)
"""Names of what is kept in the state folder itself, also by the schedulers."""
_LEFT_BEHIND = re.compile(r"\..+\.[0-9a-f]{8}\.tmp|\.trial")


class StateRefused(Expected):
    """The state folder cannot be used. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class SessionFolder:
    """The files of one session of a host."""

    root: Path

    @property
    def key(self) -> str:
        return self.root.name

    @property
    def description(self) -> Path:
        return self.root / "session.json"

    @property
    def focus(self) -> Path:
        return self.root / "focus.json"

    @property
    def deliveries(self) -> Path:
        return self.root / "deliveries.json"

    @property
    def allowed(self) -> Path:
        return self.root / "allowed"

    @property
    def agents(self) -> Path:
        return self.root / "agents"

    @property
    def ended(self) -> Path:
        return self.root / "ended.json"

    @property
    def mailboxes(self) -> Path:
        return self.root / "mailbox"

    @property
    def wake(self) -> Path:
        return self.root / "wake"

    @property
    def lock(self) -> Path:
        return self.root / "runner.lock"

    @property
    def line(self) -> Path:
        return self.root / "line.lock"

    @property
    def waiter(self) -> Path:
        return self.root / "waiter.lock"

    def allowance(self, pane: str) -> Path:
        return self.allowed / f"{encode(pane)}.json"

    def agent(self, file: str) -> Path:
        return self.agents / f"{file}.json"

    def mailbox(self, file: str) -> Path:
        return self.mailboxes / file


@dataclass(frozen=True, slots=True)
class StateFolder:
    """The state folder of one user."""

    root: Path

    @property
    def holds(self) -> Path:
        return self.root / "holds"

    @property
    def break_markers(self) -> Path:
        return self.root / "breaks"

    @property
    def sessions(self) -> Path:
        return self.root / "sessions"

    @property
    def journal(self) -> Path:
        return self.root / "journal.jsonl"

    @property
    def log(self) -> Path:
        return self.root / "attention.log"

    @property
    def break_watch_lock(self) -> Path:
        return self.root / "break-watch.lock"

    @property
    def serve_lock(self) -> Path:
        return self.root / "serve.lock"

    @property
    def serve_address(self) -> Path:
        return self.root / "serve.addr"

    @property
    def serve_socket(self) -> Path:
        return self.root / "serve.sock"

    @property
    def serve_description(self) -> Path:
        return self.root / "serve.json"

    @property
    def reflex(self) -> Path:
        return self.root / "reflex.json"

    @property
    def setup(self) -> Path:
        return self.root / "setup.json"

    @property
    def made(self) -> Path:
        return self.root / "folders.json"

    def hold(self, run: str) -> Path:
        return self.holds / f"{encode(run)}.json"

    def break_marker(self, run: str) -> Path:
        return self.break_markers / f"{encode(run)}.json"

    def session(self, session: Session) -> SessionFolder:
        return self.session_by_key(session_key(session))

    def session_by_key(self, key: str) -> SessionFolder:
        return SessionFolder(self.sessions / key)

    def check(self, files: Files) -> None:
        """Raise StateRefused if the folder is there and not this user's alone. Changes nothing."""
        if not files.exists(self.root):
            return
        if not self.root.is_dir():
            raise _unwritable(self.root, NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)))
        _refuse_foreign(self.root)

    def prepare(self, files: Files) -> None:
        """Make the folder if it is missing. Raises StateRefused
        if it is not this user's alone, or cannot be written.
        """
        try:
            missing = [] if files.exists(self.root) else _missing(self.root, files)
            files.make_folder(self.root)
            _refuse_foreign(self.root)  # Before anything is written into a folder that may not be ours.
            if not files.exists(self.root / "README"):
                files.write(self.root / "README", README.encode())
            if missing:
                from .documents import save

                save(files, self.made, {"made": list(map(str, missing))})
        except OSError as error:
            raise _unwritable(self.root, error) from error

    def try_out(self, files: Files) -> None:
        """Write something, as `prepare` need not in a folder that is there, and take it away. One that is not there
        is not made for it. Raises StateRefused.
        """
        if not files.exists(self.root):
            _refuse_unmakeable(self.root, files)
            return
        trial = self.root / ".trial"
        try:
            files.write(trial, README.encode())
            files.remove(trial)
        except OSError as error:
            raise _unwritable(self.root, error) from error


def strangers(root: Path) -> list[str]:
    """What lies in a state folder and is not of its making, hidden files included."""
    if not root.is_dir():
        return []
    ours = (*OURS, *(f"{name}.broken" for name in OURS))
    return sorted(
        name
        for name in os.listdir(root)
        if not _LEFT_BEHIND.fullmatch(name) and not any(fnmatchcase(name, pattern) for pattern in ours)
    )


def can_be_read_by_others(root: Path) -> bool:
    """Never on Windows, where the access list of the profile folder decides."""
    if sys.platform == "win32" or not root.exists():
        return False
    return bool(os.stat(root).st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _missing(root: Path, files: Files) -> list[Path]:
    """Folders above that have to be made, the innermost first."""
    return [folder for folder in root.parents if not files.exists(folder)]


def _refuse_unmakeable(root: Path, files: Files) -> None:
    above = next((folder for folder in root.parents if files.exists(folder)), root.parent)
    if not os.access(above, os.W_OK | os.X_OK):
        raise _unwritable(root, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    if not above.is_dir():
        raise _unwritable(root, NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)))


def _unwritable(root: Path, error: OSError) -> StateRefused:
    return StateRefused(
        f"the state folder {root} cannot be written: {error.strerror or error}. "
        "Give another one with --state or ATTENTION_STATE."
    )


def _refuse_foreign(root: Path) -> None:
    if sys.platform == "win32":  # A user's profile folder is the user's alone by its access list.
        return
    found = os.stat(root)
    if found.st_uid != os.getuid():
        raise StateRefused(
            f"the state folder {root} belongs to another user (uid {found.st_uid}). "
            "Give another one with --state or ATTENTION_STATE."
        )
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise StateRefused(
            f"others can write to the state folder {root}. If it is for this alone, run: chmod 700 {root}. "
            "Otherwise give another one with --state or ATTENTION_STATE."
        )
