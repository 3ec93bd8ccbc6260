"""The person rewrites the settings, rightly or wrongly, while others go by what stood there before."""

from __future__ import annotations

from dataclasses import replace

from attention_framework.testing import SESSION
from attention_framework.testing.invariants import violated
from attention_framework.testing.served_invariants import ALWAYS_SERVED, SERVED_AT_REST, Served

from .settings_file import BROKEN, FILE, written
from .stage import Act, Stage
from .ways import Ways, thrown


class Settings(Stage):
    """A part of `World`. `ways` is what the last file said that was right."""

    broken = False
    held_to: tuple[Ways, ...] = ()
    """What the resident controller may go by while the file is broken."""

    def rewritings(self) -> list[Act]:
        if not self.ways.rewritten:
            return []
        found: list[Act] = [("the settings change", self.change_settings)]
        if self.broken:
            found += [("the settings are mended", self.mend_settings)] * 2
        elif self.server is not None:
            found.append(("the settings break", self.break_settings))
        return found

    def change_settings(self) -> None:
        self.put_settings(replace(thrown(self.dice, self.mode), rewritten=True))

    def mend_settings(self) -> None:
        self.put_settings(self.ways)

    def put_settings(self, ways: Ways) -> None:
        if ways != self.ways and self.server is None:
            self.looked_after = False  # Nobody hears of it before the next event.
        self.ways, self.broken = ways, False
        self.stood.clear()  # A source that is followed no more holds nobody.
        self.settings_changed_ms = self.now_ms
        self.memory.disk.put(FILE, written(ways))

    def break_settings(self) -> None:
        """What the resident controller reads at this moment may still be what was right."""
        assert self.server is not None
        self.held_to, self.broken = (self.server.ways, self.ways), True
        self.memory.disk.put(FILE, BROKEN)

    def in_use(self) -> list[Ways]:
        """By which somebody who lives may still go."""
        found = [self.ways]
        if self.ways.rewritten:
            for process in self.turns.processes:
                found += [ways for ways in process.group.ways if not any(ways is one for one in found)]
        return found

    def forget_old_settings(self) -> None:
        """What a resident controller has begun by them is over once each of its threads waits for something."""
        server = self.server
        if server is None or server.group.ways == [server.ways]:
            return
        idle = all(one.waits_for for one in self.turns.processes if one.group is server.group)
        before = [] if idle else server.group.ways
        server.group.ways = list(dict.fromkeys([*before, server.ways]))

    def check_server(self, rests: bool) -> None:
        """`rests`: all has followed that must."""
        server = self.server
        if server is None or not server.is_steady:
            return
        waiting = sum(not one.over and "wait" in one.values for one in server.resident.door.inside)
        served = Served(
            slots=server.slots.taken,
            waiting=waiting,
            right=server.ways in (self.held_to if self.broken else (self.ways,)),
            broken=self.broken,
            lease=self.lease_mode,
            mode=server.ways.mode,
        )
        self.insist(violated(served, ALWAYS_SERVED))
        if rests:
            threads = [one.name for one in self.turns.processes if one.group is server.group]
            served = served._replace(
                told=bool(server.resident.status()["settings"]["problem"]),
                workers=threads.count("serve: cycles"),
                watches=sum(name.startswith(f"serve: follows {SESSION.host} ") for name in threads),
                sessions=len(server.resident.sessions.all()),
            )
            self.insist(violated(served, SERVED_AT_REST))
