"""What was probably meant by a word that nothing is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like this one."""
    from difflib import get_close_matches

    plain = {candidate.lower().replace("_", "-"): candidate for candidate in known}
    close = get_close_matches(name.lower().replace("_", "-"), plain, 1, 0.6)
    return plain[close[0]] if close else None


def did_you_mean(name: str, known: Iterable[str], show: Callable[[str], str] = repr) -> str:
    """The end of a sentence that says that this name is not known, such as `; did you mean 'herdr'?`; empty where
    nothing is like it.
    """
    near = nearest(name, known)
    return f"; did you mean {show(near)}?" if near is not None else ""
