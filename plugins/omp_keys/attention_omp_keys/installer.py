"""What `attention setup omp` and `attention uninstall omp` do."""

from __future__ import annotations

import contextlib
import os
from functools import partial
from typing import TYPE_CHECKING

from attention_framework import InstallRefused, InstallStep, OwnedFiles

from .extension import CONFIG, ENTRY, config, shipped_files, source_folder
from .homes import OLDEST, agent_folders, home, omp_version, supported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from attention_framework import Context

NAME = "attention-framework"
PACKAGE = "attention-omp-extension"
"""Name in the extension's own package.json: what `omp plugin link` calls it."""

SETTINGS_FILES = ("config.yml", "config.yaml", "settings.json")


class OmpInstaller:
    """The extension, as a folder of plain files in `extensions/` of every agent folder of OMP."""

    name = "omp"

    def __init__(self, context: Context, source: Path | None = None) -> None:
        self.context = context
        self.source = source or source_folder()
        self._effects = context.effects
        self._files = context.effects.files
        self._owned = OwnedFiles(context.state, context.effects.files)
        self._asked: list[str | None] = []

    @property
    def version(self) -> str | None:
        """Of the `omp` on the PATH; asked once, because starting OMP takes a second."""
        if not self._asked:
            self._asked.append(omp_version(self._effects))
        return self._asked[0]

    def found(self) -> str | None:
        folders = [str(folder) for folder in agent_folders(self._effects) if self._files.exists(folder)]
        if self.version is None and not folders:
            return None
        program = "OMP (not on the PATH)" if self.version is None else f"OMP {self.version}".strip()
        return f"{program}, {', '.join(folders)}" if folders else program

    def plan(self, remove: bool) -> Sequence[InstallStep]:
        if remove:
            return [step for folder in self._installed() for step in self._plan_remove(folder)]
        self._refuse_unusable()
        return [step for folder in self.targets() for step in self._plan_write(folder)]

    def targets(self) -> list[Path]:
        """The extension's folder in each agent folder; the default one's even if OMP has not made it yet."""
        default, *others = agent_folders(self._effects)
        present = [folder for folder in others if self._files.exists(folder)]
        return [folder / "extensions" / NAME for folder in (default, *present)]

    def content(self) -> dict[str, bytes]:
        """The files of the extension's folder by name, in the order in which they may be written."""
        return {CONFIG: config(self.context), **shipped_files(self.source)}

    def _plan_write(self, folder: Path) -> Iterator[InstallStep]:
        _refuse_link(folder)
        self._refuse_second_route(folder.parent.parent)
        content = self.content()
        writes = {name: self._owned.plan_write(folder / name, data) for name, data in content.items()}
        stale = {
            path.name: self._owned.plan_remove(path)
            for path in self._owned.written(folder)
            if path.name not in content
        }
        changed = [name for name, steps in {**writes, **stale}.items() if steps]
        if changed:
            new = not self._files.exists(folder / ENTRY)
            what = f"install the extension ({len(changed)} files)" if new else f"update {', '.join(changed)}"
            steps = [step for found in (*writes.values(), *stale.values()) for step in found]
            yield InstallStep.together(f"{what} in {folder}", steps)

    def _plan_remove(self, folder: Path) -> Iterator[InstallStep]:
        """The entry first: without it OMP loads nothing of the folder."""
        paths = sorted(self._owned.written(folder), key=lambda path: (path.name != ENTRY, path.name))
        removes = {path: self._removal(path) for path in paths}
        edited = [path for path, steps in removes.items() if steps is None]
        if any(removes.values()):
            tidy = InstallStep("", partial(self._files.remove_folder, folder))
            steps = [step for found in removes.values() for step in found or ()]
            yield InstallStep.together(f"remove the extension from {folder}", [*steps, tidy])
            if edited:
                yield InstallStep.leaving(edited)
        else:  # Of what is left every file was edited, and refused for that.
            for path in edited:
                self._owned.plan_remove(path)

    def _removal(self, path: Path) -> list[InstallStep] | None:
        """None for a file that was edited: it stays, as OMP loads nothing of it without the entry.
        Raises InstallRefused if the entry itself was edited, since it needs the others.
        """
        try:
            return self._owned.plan_remove(path)
        except InstallRefused:
            if path.name == ENTRY:
                raise
            return None

    def _installed(self) -> list[Path]:
        """Every folder that we have written to, also in an agent folder that is not OMP's any more."""
        written = {path.parent for path in self._owned.written()}
        return sorted(folder for folder in written if folder.parts[-2:] == ("extensions", NAME))

    def _refuse_unusable(self) -> None:
        if self.version and not supported(self.version):
            raise InstallRefused(
                f"OMP {self.version} cannot be paused by an extension: {'.'.join(map(str, OLDEST))} or later is "
                "needed. Update OMP, then run `attention setup omp`."
            )
        if not self.context.hosts:
            raise InstallRefused(
                "no enabled plugin is a host, so OMP could not tell its pane. Add herdr or tmux to `plugins`."
            )

    def _refuse_second_route(self, agent: Path) -> None:
        """Of two copies of the extension in one OMP the first to load wins, which need not be ours."""
        root = home(self._effects.environment) / (self._effects.environment.get("PI_CONFIG_DIR") or ".omp")
        link = root / "plugins" / "node_modules" / PACKAGE
        if self._files.exists(link):
            raise InstallRefused(
                f"OMP loads the extension by {link} already. Run: omp plugin uninstall {PACKAGE}"
            )
        if any(names_extension(line) for line in self.settings_lines(agent)):
            raise InstallRefused(f"OMP's settings in {agent} name the extension already: take it out there.")

    def settings_lines(self, agent: Path) -> list[str]:
        """Lines of OMP's settings in an agent folder, without their comments."""
        lines: list[str] = []
        for name in SETTINGS_FILES:
            with contextlib.suppress(OSError):
                lines += self._files.read(agent / name).decode("utf-8", "replace").splitlines()
        return [line.split("#", 1)[0] for line in lines]


def names_extension(line: str) -> bool:
    """Whether a line of OMP's configuration lists a copy of the extension."""
    entry = line.replace("\\", "/")
    return "omp_extension" in entry or f"extensions/{NAME}" in entry


def _refuse_link(folder: Path) -> None:
    if folder.is_symlink():
        raise InstallRefused(
            f"{folder} is a link to {os.path.realpath(folder)}. Remove it to have the extension installed."
        )
