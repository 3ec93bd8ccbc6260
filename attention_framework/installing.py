"""Writing files into other programs' folders, and taking them back.

What was written is remembered by its hash in `installed.json` of the state folder, and with it the folders that
had to be made for it. A file that is not as we left it belongs to the person: it is neither replaced nor removed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from .kinds import InstallRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from .effects import Files
    from .kinds import Step


def _all_of_it(left: frozenset[Path]) -> frozenset[Path]:
    return left


@dataclass(frozen=True, slots=True)
class InstallStep:
    """One step with its description, for people.

    :param after: of the files that setup has written, or an installer has put into the state folder, and that are left
        by then, those that are left once this is done. `uninstall --purge --dry-run` foresees by it what will be in
        the way. Steps of `OwnedFiles` have it; of several ones in one, `together` keeps it.
    """

    describe: str
    """What it will do, in one line: `write /home/me/.config/x/hook.sh`."""
    action: Callable[[], object]
    """Does it. Raises OSError, or InstallRefused."""
    after: Callable[[frozenset[Path]], frozenset[Path]] = _all_of_it

    @classmethod
    def together(cls, describe: str, steps: Sequence[InstallStep]) -> InstallStep:
        """One step for people, however many files it takes."""

        def action() -> None:
            for step in steps:
                step.carry_out()

        return cls(describe, action, lambda left: left_after(steps, left))

    @classmethod
    def leaving(cls, paths: Iterable[Path]) -> InstallStep:
        """What uninstall says of files that were edited, where the rest can go without them."""
        names = ", ".join(map(str, paths))
        return cls(f"leave what was edited after `attention setup`: {names}", lambda: None)

    def carry_out(self) -> None:
        """Do it. Raises what the action raises."""
        self.action()


def left_after(steps: Iterable[Step], left: frozenset[Path]) -> frozenset[Path]:
    """The files of setup's that are left once these steps are done in their order. A step that does not tell takes none."""
    for step in steps:
        left = getattr(step, "after", _all_of_it)(left)
    return left


class Condition(Enum):
    """What has become of a file that we may have written."""

    OURS = "as it was written"
    """It is there as it was written."""
    EDITED = "edited since"
    """It was written, and somebody has changed it since."""
    GONE = "gone"
    """It was written, and is not there any more."""
    FOREIGN = "not of our making"
    """It is there, and was never written."""
    ABSENT = "not there"
    """It is not there, and was never written."""


@dataclass(frozen=True, slots=True)
class _Record:
    """`installed.json`."""

    files: dict[str, list[str]]
    """Hashes of what we have written there; more than one only while it is being replaced."""
    folders: tuple[str, ...] = ()
    """Those that were not there before."""


class OwnedFiles:
    """Files of ours in other programs' folders."""

    def __init__(self, state: Path, files: Files) -> None:
        self._record = state / "installed.json"
        self._files = files

    def plan_write(self, path: Path, content: bytes) -> list[InstallStep]:
        """The step that brings the file to this content; none if it has it.
        Raises InstallRefused for a file that is not ours.
        """
        current = self._read(path)
        if current == content and self._recorded(path) == [_hash(content)]:
            return []
        if current is not None and current != content and _hash(current) not in self._recorded(path):
            raise InstallRefused(
                f"{path} is not as `attention setup` left it. Move it away to have it written anew."
            )
        verb = "replace" if current not in (None, content) else "write"
        return [InstallStep(f"{verb} {path}", lambda: self._write(path, content))]

    def plan_remove(self, path: Path) -> list[InstallStep]:
        """The step that removes the file; none if it is not there or not ours.
        Raises InstallRefused for one that was edited.
        """
        current = self._read(path)
        recorded = self._recorded(path)
        if current is None or not recorded:
            return []
        if _hash(current) not in recorded:
            raise InstallRefused(
                f"{path} was edited after `attention setup` wrote it. Remove it yourself if you no longer need it."
            )
        return [InstallStep(f"remove {path}", lambda: self._remove(path), lambda left: left - {path})]

    def condition(self, path: Path) -> Condition:
        """What is there now, against what we have written. Raises OSError."""
        current, recorded = self._read(path), self._recorded(path)
        if current is None:
            return Condition.GONE if recorded else Condition.ABSENT
        if not recorded:
            return Condition.FOREIGN
        return Condition.OURS if _hash(current) in recorded else Condition.EDITED

    def forget(self, path: Path) -> None:
        """Leave the file to the person."""
        self._remember(path, [])

    def left(self) -> frozenset[Path]:
        """Paths that we have written and that are there, edited or not."""
        return frozenset(path for path in self.written() if self._files.exists(path))

    def forget_what_is_gone(self) -> None:
        """Nobody has to take back what the person has removed."""
        for path in self.written():
            if not self._files.exists(path):
                self.forget(path)

    def refuse_lost_record(self) -> None:
        """Raise InstallRefused where the record is there and does not tell what was written:
        without it nothing can be taken back.
        """
        try:
            self._read_record()
        except ValueError as error:
            raise InstallRefused(
                f"{self._record} no longer tells what `attention setup` has written ({error}). "
                "Run `attention setup` to have it written anew, then uninstall."
            ) from error

    def written(self, below: Path | None = None) -> list[Path]:
        """Paths that we have written, all or those below a folder."""
        paths = [type(self._record)(name) for name in self._known().files]
        return [path for path in paths if below is None or path.is_relative_to(below)]

    def _write(self, path: Path, content: bytes) -> None:
        made = [str(folder) for folder in path.parents if not self._files.exists(folder)]
        # Both hashes until the file is written: after a crash in between, either content is known as ours.
        self._remember(path, [*self._recorded(path), _hash(content)], made)
        self._files.write(path, content)
        self._remember(path, [_hash(content)])

    def _remove(self, path: Path) -> None:
        self._files.remove(path)
        for folder in path.parents:  # The innermost first.
            if str(folder) in self._known().folders:
                self._files.remove_folder(folder)
        self._remember(path, [])

    def _read(self, path: Path) -> bytes | None:
        try:
            return self._files.read(path)
        except FileNotFoundError:
            return None

    def _recorded(self, path: Path) -> list[str]:
        return self._known().files.get(str(path), [])

    def _known(self) -> _Record:
        """A lost record is begun anew: files that are as setup would write them are taken for ours."""
        try:
            return self._read_record()
        except ValueError:
            return _Record({})

    def _read_record(self) -> _Record:
        """Raises ValueError for a file that is no record."""
        try:
            document: Any = json.loads(self._files.read(self._record))
        except FileNotFoundError:
            return _Record({})
        except (OSError, RecursionError) as error:
            raise ValueError(str(error)) from error
        files = document.get("files") if isinstance(document, dict) else None
        if not isinstance(files, dict) or not all(map(_are_texts, files.values())):
            raise ValueError("it is not of the form that setup writes")
        folders = document.get("folders")
        return _Record(files, tuple(folders) if _are_texts(folders) else ())

    def _remember(self, path: Path, digests: list[str], made: Iterable[str] = ()) -> None:
        known = self._known()
        files = {name: found for name, found in known.files.items() if name != str(path)}
        if digests:
            files[str(path)] = digests
        folders = {name for name in known.folders if self._files.exists(type(path)(name))} | set(made)
        if not files and not folders:
            self._files.remove(self._record)
            return
        document = {"v": 1, "files": files, "folders": sorted(folders)}
        self._files.write(self._record, json.dumps(document, indent=1).encode())


def _are_texts(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(text, str) for text in found)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
