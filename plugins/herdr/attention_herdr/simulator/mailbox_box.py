"""One mailbox folder, seen from the agent's side (docs/reference/state-files.md, "Mailbox")."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from . import mailbox_files, mailbox_rules

if TYPE_CHECKING:
    from pathlib import Path

    from .mailbox_rules import Request


@dataclass(frozen=True, slots=True)
class Claim:
    """A request taken out of the mailbox. Its file says so to the controller until it is done with."""

    file: Path
    request: Request


class Box:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pending = folder / "pending.json"
        self._resume = folder / "resume.json"
        self._ack = folder / "ack.json"

    def make(self) -> None:
        """An empty one, whatever an earlier process of this name has left."""
        self.remove()
        self._folder.mkdir(mode=0o700, parents=True)

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def has_post(self) -> bool:
        return self._pending.exists() or self._resume.exists()

    def claim(self) -> Claim | None:
        """By one rename: whoever renames it has it. A broken request is set aside."""
        file = self._folder / f"pending.json.{uuid4().hex}.claim"
        if not mailbox_files.rename(self._pending, file):
            return None
        try:
            return Claim(file, mailbox_rules.parse_request(mailbox_files.read(file) or {}))
        except (ValueError, TypeError, KeyError):
            mailbox_files.rename(file, self._pending.with_name("pending.json.broken"))
            return None

    def finish(self, claim: Claim) -> None:
        mailbox_files.remove(claim.file)

    def give_back(self, claim: Claim) -> None:
        """For a later attempt, unless a newer request is there."""
        if not mailbox_files.move_if_free(claim.file, self._pending):
            self.finish(claim)

    def drop_request(self) -> None:
        """Take out and forget what was asked."""
        if (claim := self.claim()) is not None:
            self.finish(claim)

    def acknowledge(self, acknowledgement: dict[str, Any]) -> None:
        mailbox_files.write(self._ack, acknowledgement)

    def remove_acknowledgement(self) -> None:
        mailbox_files.remove(self._ack)

    def take_resume(self) -> str | None:
        """The engagement that a resume request names; the request is gone then, whatever becomes of it."""
        try:
            document = mailbox_files.read(self._resume)
        except ValueError:
            mailbox_files.rename(self._resume, self._resume.with_name("resume.json.broken"))
            return None
        if document is None:
            return None
        mailbox_files.remove(self._resume)
        return str(document.get("engagement"))
