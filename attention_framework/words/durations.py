"""Durations on the command line: `90`, `90s`, `30m`, `2h`, `1h30m`, `7d`."""

from __future__ import annotations

import argparse
import re

_UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_LONGEST_S = 366 * 86_400
_FORM = re.compile(r"(?:\d+(?:\.\d+)?[smhd])+")


def duration_s(text: str) -> float:
    """Seconds. An argparse type: raises ArgumentTypeError."""
    plain = text.strip().lower()
    if re.fullmatch(r"\d+(?:\.\d+)?", plain):
        seconds = float(plain)
    elif _FORM.fullmatch(plain):
        seconds = sum(
            float(number) * _UNITS_S[unit] for number, unit in re.findall(r"(\d+(?:\.\d+)?)([smhd])", plain)
        )
    else:
        raise argparse.ArgumentTypeError(f"{text!r} is no duration: write 90, 90s, 30m, 2h, 1h30m or 7d")
    if seconds <= 0:
        raise argparse.ArgumentTypeError("a duration must be longer than nothing")
    if seconds > _LONGEST_S:
        raise argparse.ArgumentTypeError("a duration must not be longer than a year")
    return seconds


def in_words(milliseconds: float) -> str:
    """A duration for people: `4 s`, `12 min`, `1 h 05 min`."""
    seconds = max(0, round(milliseconds / 1000))
    if seconds < 60:
        return f"{seconds} s"
    minutes, hours = seconds // 60, seconds // 3600
    return f"{minutes} min" if minutes < 60 else f"{hours} h {minutes % 60:02d} min"
