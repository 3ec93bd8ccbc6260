"""What `attention setup herdr` and `attention uninstall herdr` do."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from attention_framework import (
    HostUnavailable,
    InstallRefused,
    InstallStep,
    OwnedFiles,
    ThinClient,
    __version__,
)

from .client import HerdrClient
from .leftovers import NOTE, Leftovers
from .manifest import FILE, FOLDER, PLUGIN_ID, render
from .program import HerdrProgram
from .reading import OLDEST, dotted, parse_version
from .registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attention_framework import Context, Step

    from .focus import HerdrFocus
    from .registry import Linked


class HerdrInstaller:
    """A Herdr plugin in a folder of ours, linked where it lies."""

    name = "herdr"

    def __init__(self, context: Context, focus: HerdrFocus) -> None:
        self._context = context
        self._files = context.effects.files
        self._owned = OwnedFiles(context.state, context.effects.files)
        self._client = ThinClient(context)
        self.focus = focus
        self.program = HerdrProgram(context.effects)
        self.registry = Registry(focus, self.program)
        self.folder: Path = context.state / FOLDER
        self._leftovers = Leftovers(self.folder, PLUGIN_ID, context.effects)

    def found(self) -> str | None:
        path, version = self.program.path(), self.version()
        if path is None and version is None:
            return None
        return " ".join(["Herdr", version or "of an unknown version", *([f"at {path}"] if path else [])])

    def version(self) -> str | None:
        """Of the running server, which runs the hooks, else of the command."""
        for session in self.focus.sessions():
            try:
                return str(HerdrClient(session.address, self._context.effects).call("ping")["version"])
            except (HostUnavailable, KeyError):
                continue
        return self.program.version()

    def plan(self, remove: bool) -> Sequence[Step]:
        return list(self._removal() if remove else self._installation())

    def linked(self) -> Linked | None:
        """Our plugin in Herdr's list; none where its folder there is gone, as with an earlier state folder. Raises
        HostUnavailable, and InstallRefused for another one under our name.
        """
        linked = self.registry.find(PLUGIN_ID)
        if linked is None or linked.is_at(self.folder):
            return linked
        if not self._files.exists(Path(linked.root) / FILE):
            return None
        raise InstallRefused(
            f"Herdr has a plugin {PLUGIN_ID!r} linked from {linked.root}, not from {self.folder}. "
            f"If you no longer need that one: herdr plugin uninstall {PLUGIN_ID}"
        )

    def _installation(self) -> Iterator[InstallStep]:
        self._refuse_unsuitable()
        linked = self.linked()
        # The manifest names the client, and Herdr reads it anew at each event.
        yield from self._client.plan_write()
        manifest = render(self._context.command, self._client, __version__)
        yield from self._owned.plan_write(self.folder / FILE, manifest)
        if linked is None:
            yield InstallStep(f"link the Herdr plugin {PLUGIN_ID} from {self.folder}", self._link)
        elif not linked.enabled:
            yield InstallStep(f"enable the Herdr plugin {PLUGIN_ID}", self._link)

    def _removal(self) -> Iterator[InstallStep]:
        if self.found() is not None:
            # Another one under our name is not ours to remove.
            linked = self.registry.find(PLUGIN_ID)
            if linked is not None and linked.is_at(self.folder):
                yield InstallStep(
                    f"unlink the Herdr plugin {PLUGIN_ID}", partial(self.registry.unlink, PLUGIN_ID)
                )
        if self._leftovers.there():
            yield InstallStep("remove what Herdr has made for it, where it is empty", self._leftovers.remove)
        removal = self._owned.plan_remove(self.folder / FILE)
        yield from removal
        if removal and set(self._files.names(self.folder)) <= {FILE, NOTE}:
            yield InstallStep(
                f"remove {self.folder}",
                partial(self._files.remove_tree, self.folder),
                lambda left: frozenset(path for path in left if not path.is_relative_to(self.folder)),
            )
        yield from self._client.plan_remove(self.folder / FILE)

    def _refuse_unsuitable(self) -> None:
        if self.found() is None:
            raise InstallRefused("there is no herdr on the PATH, and no running Herdr answers")
        version = self.version()
        numbers = parse_version(version or "")
        if numbers is not None and numbers < OLDEST:
            raise InstallRefused(
                f"Herdr {version} is too old: {dotted(OLDEST)} or later is needed. Run: herdr update"
            )

    def _link(self) -> None:
        self._leftovers.note_before()
        for warning in self.registry.link(self.folder).warnings:
            self._context.log.warning("Herdr on the plugin {}: {}", PLUGIN_ID, warning)
