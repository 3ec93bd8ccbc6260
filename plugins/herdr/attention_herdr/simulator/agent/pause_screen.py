"""The native pause screen of OMP 18.2 and what it says afterwards."""

from __future__ import annotations

_BARS = ["█████    █████"] * 7
_WIDE, _HIGH = 64, 18


def pause_screen(columns: int, rows: int, paused_s: int) -> list[str]:
    """The rows from the top, centred both ways: in full from 64 x 18 on, else compact."""
    since = f"paused for {minutes(paused_s)}"
    if columns >= _WIDE and rows >= _HIGH:
        lines = [
            *_BARS,
            "",
            "P A U S E D",
            "",
            "Main agent, subagents, and advisor hold at their next step.",
            "In-flight calls finish; nothing new starts until you resume.",
            "",
            since,
            "",
            "esc · enter · space — resume",
        ]
    else:
        lines = ["▌▌ P A U S E D", "", since, "esc to resume"]
    above = [""] * max(0, (rows - len(lines)) // 2)
    return above + [" " * max(0, (columns - len(line)) // 2) + line if line else "" for line in lines]


def resumed(paused_s: int) -> str:
    return f"Resumed after {paused_s}s — agents are running again."


def minutes(seconds: int) -> str:
    """m:ss, from an hour on h:mm:ss."""
    hours, rest = divmod(seconds, 3600)
    if hours:
        return f"{hours}:{rest // 60:02}:{rest % 60:02}"
    return f"{rest // 60}:{rest % 60:02}"
