"""Finds, in the entries of a log, the break that was asked for ("ours"), and how it ended.

Facts from Stretchly's source: when a break is asked for on the command line, Stretchly closes every break on the screen,
writes `skipping to`, and starts the new break a moment later. If it writes `skipping to ... in 1200000ms`, the break starts
only after that time. If a break of the same kind is already on the screen when the new one would start, it is refused.
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
    """Takes the entries of one log in the order of the file: with `remember` those that were written before the break was
    asked for, then with `take` the others.
    """

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.asked = False
        """Stretchly has written that it received the request (`skipping to` a break of this kind)."""
        self.heard = 0
        """How many times it has written that."""
        self.begun = False
        """The break has begun. It stays true when the break has ended."""
        self.joined = False
        """A break of this kind was already on the screen, and Stretchly has started no second one: that one counts as ours."""
        self.ended_by: EndedBy | None = None
        """How the break ended; None while it has not."""
        self.app_starts = 0
        """How many times Stretchly has started since the break was asked for, before that break has begun. At a start,
        Stretchly forgets all requests.
        """
        self._machine = BreakMachine()
        self._number: int | None = None
        """The number of our break in `BreakMachine`. None before it has begun, or if the log does not tell which one it is."""
        self._earlier = 0
        """The number of the last break that began before ours was asked for."""

    @property
    def going_on(self) -> bool:
        """Whether the break has begun and not ended."""
        return self.begun and self.ended_by is None

    def remember(self, entry: Entry) -> None:
        """Take an entry that was written before the break was asked for. It shows which breaks are not ours, and which
        version of Stretchly writes the log.
        """
        for each in self._machine.take(entry):
            self._earlier = max(self._earlier, each.number)

    def take(self, entry: Entry) -> None:
        """Take an entry that was written after the break was asked for. Once the break has ended, entries change nothing."""
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
                self.asked = False  # A Stretchly that starts knows of no request.

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
        """The break that we took for ours turns out to be of the other kind. This happens with Stretchly 1.1 to 1.7, which
        write "Mini Break" at the start of a long break too. If an end has shown it, and our break was asked for before, then
        that was the end of another break, and ours goes on. Otherwise ours has not begun yet.
        """
        if self.asked and each.ended_by is not EndedBy.OPEN:
            self._number = None
        else:
            self._wait()

    def _is_untold_end(self, each: LoggedBreak) -> bool:
        """Whether this is the end of our break, though the break was not known by its number: the log has not told its
        start, or has told it under the name of the other kind.
        """
        if each.ended_by is EndedBy.OPEN:
            return False
        if self.going_on:
            return self._number is None
        return self.asked and each.start is not None and each.number > self._earlier

    def _end(self, by: EndedBy, entry: Entry) -> None:
        if entry.sign is Sign.STARTED:
            return  # The start of another break of this kind: `_follow` gets it next, as a result of the same entry.
        if entry.sign is Sign.SKIPPED_TO and self._goes_on_after(entry):
            self._wait()
        else:
            self.ended_by = by

    def _goes_on_after(self, entry: Entry) -> bool:
        """Whether our break is still to come when `skipping to` closes the one on the screen: either this entry announces a
        break of our kind, or Stretchly had not received our request, so that the closed break was not ours.
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
        self.asked = self.begun = self.joined = True  # A refusal shows that it has received the request.

    def _wait(self) -> None:
        self._number, self.begun, self.joined = None, False, False
