"""Pages of the documentation that hold what was measured, between two comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def renew(page: Path, begin: str, text: str, end: str) -> None:
    """Put the text in place of what stands between the two."""
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n{text}{end}{after}", encoding="utf-8")
