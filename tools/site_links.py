"""For mkdocs: a link that leads out of docs/ into the checkout has no page on the site; its place is named instead.

The pages are read in the checkout, too, where such links work; a test (tests/docs) follows them there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)#]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, page: Any, **others: Any) -> str:
    """Called by mkdocs with the text of each page."""
    return LINK.sub(lambda link: _shown(link, Path(page.file.abs_src_path).parent), markdown)


def _shown(link: re.Match[str], folder: Path) -> str:
    target = (folder / link[2]).resolve()
    if target.is_relative_to(CHECKOUT / "docs") or not target.is_relative_to(CHECKOUT) or not target.exists():
        return link[0]
    return f"{link[1]} (`{target.relative_to(CHECKOUT).as_posix()}`)"
