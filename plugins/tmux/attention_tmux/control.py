"""What tmux can do to a pane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attention_framework import HostUnavailable, PaneGone

from .client import check_server, quote, split_address
from .keys import tmux_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Badge, Pane, Session

    from .client import TmuxClient

BADGE_OPTION: Final = "@attention"
_LOOK: Final = "#{pid} #{pane_id} #{pane_dead} #{pane_in_mode} #{pane_input_off}"


class TmuxControl:
    """Reads and presses through the tmux command.

    Each act is one command sequence that first looks whether it may be done.
    """

    def __init__(self, session: Session, client: TmuxClient) -> None:
        self._session = session
        self._client = client
        self._socket, self._pid = split_address(session)

    def read_screen(self, pane: Pane) -> str:
        look = ("display-message", "-p", "-t", pane.id, _LOOK)
        output = self._client.run(self._socket, *look, ";", "capture-pane", "-p", "-t", pane.id)
        first, _, screen = output.partition("\n")
        check_server(self._session, first.split(" ", 1)[0])
        return screen.removesuffix("\n")

    def send_keys(self, pane: Pane, keys: Sequence[str]) -> None:
        names = [tmux_key(key) for key in keys]
        self._type(pane, [["send-keys", "-t", pane.id, "--", *names]])

    def send_prompt(self, pane: Pane, text: str) -> None:
        self._type(
            pane, [["send-keys", "-t", pane.id, "-l", "--", text], ["send-keys", "-t", pane.id, "Enter"]]
        )

    def show_badge(self, pane: Pane, badge: Badge | None) -> None:
        """A user option of the pane, which shows only where the person's own format names it.

        tmux options know no time to live.
        """
        change = ["-u", BADGE_OPTION] if badge is None else [BADGE_OPTION, badge.text]
        self._checked(pane, [["set-option", "-p", "-t", pane.id, *change]], self._is_there(pane))

    def _type(self, pane: Pane, commands: Sequence[Sequence[str]]) -> None:
        """Copy mode and its like take keys as commands of their own, so nothing is typed into them."""
        # tmux 3.3a knows no `#{!:}`: what it makes of it counts as true.
        free = "#{?#{||:#{pane_dead},#{||:#{pane_in_mode},#{pane_input_off}}},0,1}"
        found = self._checked(pane, commands, f"#{{&&:{self._is_there(pane)},{free}}}")
        if found[2] == "1":
            raise PaneGone(f"the program in pane {pane.id} has ended")
        if "1" in found[3:]:
            raise HostUnavailable(f"pane {pane.id} takes no keys: it is in copy mode, or its input is off")

    def _is_there(self, pane: Pane) -> str:
        """A target that is not found makes tmux look at some other pane instead."""
        return f"#{{&&:#{{==:#{{pid}},{self._pid}}},#{{==:#{{pane_id}},{pane.id}}}}}"

    def _checked(self, pane: Pane, commands: Sequence[Sequence[str]], condition: str) -> list[str]:
        """Carry out the commands if the condition holds in the pane.

        What the pane looked like at that moment, as `_LOOK`.
        """
        look = ("display-message", "-p", "-t", pane.id, _LOOK)
        act = " ; ".join(map(quote, commands))
        found = self._client.run(
            self._socket, *look, ";", "if-shell", "-F", "-t", pane.id, condition, act
        ).split(" ")
        check_server(self._session, found[0])
        if found[1:2] != [pane.id]:
            raise PaneGone(f"the tmux server no longer has pane {pane.id}")
        return [value.strip() for value in found]
