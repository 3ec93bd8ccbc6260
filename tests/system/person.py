"""The person, who goes from pane to pane, leaves the window, types, pauses and resumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .stage import PANES, Act, Stage

if TYPE_CHECKING:
    from .player import Player


class Person(Stage):
    """A part of `World`."""

    def persons(self) -> list[Act]:
        if not self.window:
            return [("the window comes back", self.window_back)]
        found: list[Act] = [
            (f"focus {name}", lambda name=name: self.focus(name))
            for name in PANES
            if name != self.front  # type: ignore[misc]
        ]
        found.append(("the window is left", self.window_left))
        front = self.players[self.front]
        if not front.extension.overlay:
            found.append(("types", lambda: front.queue.append("K")))
        if front.extension.overlay:
            found.append(("resumes", lambda: front.queue.append("R")))
        elif not front.stopped:
            found.append(("pauses", lambda: self.pause_by_hand(front)))
        return found

    def focus(self, name: str) -> None:
        if name == self.front:
            return
        left, came = self.players[self.front], self.players[name]
        self.host.focus(self.ids[name])
        left.queue.append("O")
        came.unnoticed = True
        if self.dice.random() < 0.93:  # Else its report is lost.
            came.queue.append("I")
        if not self.losses or self.dice.random() < 0.9:
            self.woken("pane.focused")
        else:
            self.trace.append("its hook is lost")
            self.looked_after = False

    def window_left(self) -> None:
        """The host sees nothing of it."""
        self.window = False
        self.players[self.front].queue.append("O")

    def window_back(self) -> None:
        self.window = True
        player = self.players[self.front]
        player.unnoticed = True
        player.queue.append("I")

    def pause_by_hand(self, player: Player) -> None:
        player.promised = player.unnoticed = False
        player.queue = [one for one in player.queue if one == "look"]
        self.by_hand(player, "pause", player.extension.pause_by_hand)
