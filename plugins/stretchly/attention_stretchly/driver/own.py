"""Which break of a log is the one that was asked for, and how it ended: decided from entries alone.

Borrowed facts (Stretchly's source): a break that is asked for on the command line closes every break that is
shown, writes `skipping to`, and starts a moment later; `skipping to` in so many milliseconds starts nothing
now; and a break of a kind that is being shown is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lines import Sign
from ..machine import ENDS_ALL, BreakMachine
from ..values import EndedBy

if TYPE_CHECKING:
    from ..lines import Entry
    from ..values import Kind, LoggedBreak


class OwnBreak:
    """Takes the entries of one log in order: those from before the break was asked for, then the others."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.asked = False
        """Stretchly has written that it skips to a break of this kind."""
        self.heard = 0
        """How often it has written that."""
        self.begun = False
        """It has begun; True as well when it has ended."""
        self.joined = False
        """A break of this kind was going on, and Stretchly starts no second one."""
        self.ended_by: EndedBy | None = None
        self.app_starts = 0
        """How often Stretchly has started since the break was asked for, with nothing to show for it."""
        self._machine = BreakMachine()
        self._number: int | None = None
        self._earlier = 0
        """The number of the last break that began before ours was asked for."""

    @property
    def going_on(self) -> bool:
        return self.begun and self.ended_by is None

    def remember(self, entry: Entry) -> None:
        """An entry from before: it tells how this version writes, and which breaks are not ours."""
        for each in self._machine.take(entry):
            self._earlier = max(self._earlier, each.number)

    def take(self, entry: Entry) -> None:
        """An entry from after."""
        if self.ended_by is not None:
            return
        for each in self._machine.take(entry):
            self._follow(each, entry)
        if self.going_on and self._number is None and entry.sign in ENDS_ALL:
            self._end(ENDS_ALL[entry.sign], entry)
        match entry.sign:
            case Sign.SKIPPED_TO:
                self._skipped_to(entry)
            case Sign.ALREADY_RUNNING if entry.kind is self.kind and not self.begun:
                self._join()
            case Sign.RESET if self.asked and not self.begun:
                self.ended_by = EndedBy.RESET
            case Sign.APP_STARTED if not self.begun:
                self.app_starts += 1
                self.asked = False  # Whatever was asked for is forgotten.

    def _follow(self, each: LoggedBreak, entry: Entry) -> None:
        ours = each.kind is self.kind
        if each.number == self._number:
            if not ours:
                self._doubt(each)
            elif each.ended_by is not EndedBy.OPEN:
                self._end(each.ended_by, entry)
        elif ours and each.ended_by is EndedBy.OPEN and each.number > self._earlier:
            self._begin(each.number)
        elif ours and self._is_untold_end(each):
            self.begun, self.ended_by = True, each.ended_by

    def _doubt(self, each: LoggedBreak) -> None:
        """1.1 to 1.7 call the long ones mini. One that began after our request is ours all the same, and the end
        was that of another one.
        """
        if self.asked and each.ended_by is not EndedBy.OPEN:
            self._number = None
        else:
            self._wait()

    def _is_untold_end(self, each: LoggedBreak) -> bool:
        """Of ours, where the log has not told its start, or only the end names its kind."""
        if each.ended_by is EndedBy.OPEN:
            return False
        if self.going_on:
            return self._number is None
        return self.asked and each.start is not None and each.number > self._earlier

    def _end(self, by: EndedBy, entry: Entry) -> None:
        if entry.sign is Sign.STARTED:
            return  # The next one of its kind takes its place; that is in the same entry.
        if entry.sign is Sign.SKIPPED_TO and self._goes_on_after(entry):
            self._wait()
        else:
            self.ended_by = by

    def _goes_on_after(self, entry: Entry) -> bool:
        """Another break of our kind is about to start; or what was shown was not ours, since we had not been
        heard yet.
        """
        return (entry.kind is self.kind and not entry.later) or not self.asked

    def _skipped_to(self, entry: Entry) -> None:
        if entry.kind is self.kind and not entry.later:
            self.asked = True
            self.heard += 1
        elif self.asked and not self.begun:
            self.ended_by = EndedBy.REPLACED

    def _begin(self, number: int) -> None:
        self._number, self.begun = number, True

    def _join(self) -> None:
        shown = [each.number for each in self._machine.going_on if each.kind is self.kind]
        self._number = shown[-1] if shown else None
        self.asked = self.begun = self.joined = True  # It has heard us.

    def _wait(self) -> None:
        self._number, self.begun, self.joined = None, False, False
