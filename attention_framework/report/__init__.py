"""The journal over a time, in figures: `figures.py` counts, `text.py`, `charts.py` and `page.py` show."""

from __future__ import annotations

from .figures import figures
from .model import BREAK, FOCUS, KINDS, MANUAL, OTHER, Bucket, PaneFigures, Report, Spread, Stretches

__all__ = [
    "BREAK",
    "FOCUS",
    "KINDS",
    "MANUAL",
    "OTHER",
    "Bucket",
    "PaneFigures",
    "Report",
    "Spread",
    "Stretches",
    "figures",
]
