"""A pane's screen, fed by what its program writes.

The screen protocol of the simulator is a small part of what terminals know. Programs redraw as a whole:

    ESC[2J ESC[H         clear, then plain lines of text separated by LF or CR LF
    ESC[?1004h / l       focus reports on / off: ESC[I on gaining the focus, ESC[O on losing it; switching on
                         sends none
    ESC[?2004h / l       bracketed paste on / off
    ESC]0;TITLE BEL      the terminal title (also ESC]2;)

Text without a clear is appended. Every other escape sequence is ignored.
"""

from __future__ import annotations

import codecs
import re

_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[^\[\]]")
_INCOMPLETE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?)?$")
_MOST_LINES = 1000


class Screen:
    def __init__(self, rows: int = 43) -> None:
        self.rows = rows
        self.title = ""
        self.focus_reports = False
        self.bracketed_paste = False
        self._lines = [""]
        self._rest = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> None:
        text = self._rest + self._decoder.decode(data)
        incomplete = _INCOMPLETE.search(text)
        self._rest = incomplete[0] if incomplete else ""
        text = text[: len(text) - len(self._rest)]
        position = 0
        for found in _SEQUENCE.finditer(text):
            self._write(text[position : found.start()])
            self._obey(found[0])
            position = found.end()
        self._write(text[position:])

    def text(self, lines: int | None = None) -> str:
        """The bottom rows, right-trimmed, without blank rows at the end;
        each ends with LF. An empty screen is an empty string.
        """
        shown = [line.rstrip() for line in self._lines[-self.rows :]]
        while shown and not shown[-1]:
            shown.pop()
        if lines is not None:
            shown = shown[-min(lines, _MOST_LINES) :] if lines else []
        return "".join(f"{line}\n" for line in shown)

    def reset(self) -> None:
        """What remains when the program has ended and the shell is back."""
        self.__init__(self.rows)  # type: ignore[misc]

    def _write(self, text: str) -> None:
        first, *more = text.replace("\r\n", "\n").replace("\r", "").split("\n")
        self._lines[-1] += first
        self._lines.extend(more)
        del self._lines[:-_MOST_LINES]

    def _obey(self, sequence: str) -> None:
        if sequence == "\x1b[2J":
            self._lines = [""]
        elif mode := re.fullmatch(r"\x1b\[\?(1004|2004)([hl])", sequence):
            if mode[1] == "1004":
                self.focus_reports = mode[2] == "h"
            else:
                self.bracketed_paste = mode[2] == "h"
        elif title := re.fullmatch(r"\x1b\][02];([^\x07\x1b]*)(?:\x07|\x1b\\)", sequence):
            self.title = title[1]
