"""What the world knows better than anybody in it, and what must hold."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from attention_framework.testing.invariants import ALWAYS, AT_REST, Scene, violated

from .extension import PAUSE_SCREEN
from .reflex import BOUNDARY_LINE_MS
from .stage import FOCUS, FOLDER, HOLDS, LEASE, LEASE_MS, STATE, WAKE, Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .player import Player
    from .ways import Ways

BOUND_MS = 1_000
"""So long after its end a lease may still hold a brake."""


class Violation(AssertionError):
    pass


class Truth(Stage):
    """A part of `World`."""

    def due(self, player: Player, ways: Ways | None = None) -> tuple[str, ...]:
        return tuple(
            run for run in self.wanted(player, ways or self.ways) if run not in player.extension.waived
        )

    def wanted(self, player: Player, ways: Ways) -> tuple[str, ...]:
        """The same, whatever the person has overruled."""
        # Without a resident controller nothing tells the agents that the window counts, and they tell nobody.
        counts = ways.away == "pause" and self.server is not None
        here = player.name == self.front and (self.window or not counts)
        runs = tuple(self.in_force())
        return runs if here or player.name == ways.exempt else (*runs, "focus")

    def in_force(self) -> list[str]:
        """Read past the disk's own bookkeeping: nobody's step, and thousands of times a seed."""
        disk = self.memory.disk
        moment = (self.clock.wall_ms(), disk.faults.count)
        if self.held[0] != moment:
            self.held = (moment, [run for run, deadline_ms in self.holds_there() if moment[0] < deadline_ms])
        return self.held[1]

    def holds_there(self) -> Iterator[tuple[str, float]]:
        """Each run with its deadline."""
        disk = self.memory.disk
        for name in sorted(disk.folders.get(HOLDS, ())):
            if name.startswith("."):
                continue
            content = disk.content[HOLDS / name]
            if content not in self.known:
                self.known[content] = json.loads(content)
            document = self.known[content]
            deadline_ms = document["deadline_ms"]
            yield str(document["run"]), math.inf if deadline_ms is None else deadline_ms

    def may_run(self, player: Player) -> bool:
        """By what anybody can know: that the window has gone an agent hears by the report alone."""
        untold = player.name == self.front and not self.window and not player.extension.away
        spared = {"focus"} if untold else set()
        return any(not set(self.due(player, ways)) - spared for ways in self.in_use())

    def scene(self, player: Player) -> Scene:
        extension = player.extension
        gate = extension.gate
        painted = extension.screen == PAUSE_SCREEN
        hold = extension.reflex.hold
        # Of a boundary most holds are over before a line could be read.
        line = hold is not None and (hold.shown or player.ran_ms < hold.since_ms + BOUNDARY_LINE_MS)
        late = player.ran_ms > self.lease_over_ms + BOUND_MS
        return Scene(
            due=self.due(player),
            gate=gate,
            sign=("overlay" if painted else "hidden") if extension.overlay else "line" if line else "",
            present=player.name == self.front
            and self.window
            and not player.unnoticed
            and not {"O", "I", "K", "R"} & set(player.queue),
            promised=player.promised,
            lease_over=late and extension.reflex.lease() is None,
            braked_unheard=False,
            claims=sum(
                name.endswith(".claim") for name in self.memory.disk.folders.get(extension.mailbox, ())
            ),
        )

    def settling(self, player: Player) -> bool:
        """A request lies in its mailbox that wants it paused for a focus which the last cycle but one still saw there."""
        self.look_at_memory()
        pending = self.memory.disk.content.get(player.extension.mailbox / "pending.json")
        since_ms = self.seen_focused_ms.get(player.name)
        settle_ms = min(ways.settle_ms for ways in self.in_use())
        changed_ms = max(self.set_back_ms, self.settings_changed_ms)
        if not pending or since_ms is None or self.now_ms - changed_ms <= settle_ms:
            return False
        return set(json.loads(pending)["runs"]) == {"focus"} and self.now_ms - since_ms < settle_ms

    def look_at_lease(self) -> None:
        """When the present one will be over, as its file says."""
        content = self.memory.disk.content.get(LEASE)
        if content != self.leased:
            self.leased = content
            lease = json.loads(content) if content else {"mode": "", "until_ms": 0}
            self.lease_mode = lease["mode"]
            left_ms = 0 if self.lease_mode == "off" else lease["until_ms"] - self.clock.wall_ms()
            self.lease_over_ms = self.now_ms + (left_ms if 0 <= left_ms <= LEASE_MS else 0)

    def look_at_memory(self) -> None:
        """What the last cycle has seen, as it has written down."""
        content = self.memory.disk.content.get(FOCUS, b"")
        if content != self.remembered:
            self.remembered = content
            today = {id: name for name, id in self.ids.items()}
            for id in json.loads(content)["focused"] if content else ():
                if id in today:
                    self.seen_focused_ms[today[id]] = self.now_ms

    def check_always(self, rests: bool = False) -> None:
        """`rests`: nobody is stopped, and nothing happens but what must follow."""
        self.look_at_lease()
        self.forget_old_settings()
        self.look_at_memory()
        if self.wrong:
            raise Violation(self.wrong[0])
        for player in self.players.values():
            self.demand(player, violated(self.scene(player), ALWAYS))
            if not player.granted:
                player.granted = self.may_run(player)
        self.check_questions(rests)
        self.check_server(rests=False)
        self.check_source(rests)

    def demand(self, player: Player, sentence: str) -> None:
        self.insist(sentence, player.name)

    def insist(self, sentence: str, name: str = "") -> None:
        if sentence:
            raise Violation(f"agent {name}: {sentence}" if name else sentence)

    def check(self) -> None:
        self.check_server(rests=True)
        self.check_who_waits()
        assert all(one.stays for one in self.turns.processes), "somebody waits for ever"
        for player in self.players.values():
            extension = player.extension
            self.demand(player, violated(self.scene(player), AT_REST))
            left = set(self.memory.files.names(extension.mailbox))
            mine = {"ack.json"} if extension.phase == "paused" and extension.by == "request" else set()
            self.demand(player, f"keeps {left - mine}" if left - mine else "")
        files = set(self.memory.files.names(FOLDER.agents))
        assert files == {f"{player.extension.file}.json" for player in self.players.values()}
        assert not self.memory.files.names(WAKE), "a marker is left"
        followed = {STATE.break_watch_lock} if self.server and self.server.ways.follows else set()
        assert set(self.memory.disk.locks) <= followed
