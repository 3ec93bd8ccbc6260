"""Questions to the person at the terminal."""

from __future__ import annotations

import sys


def can_answer() -> bool:
    """Whether somebody sees the question and has a keyboard."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def agrees(question: str) -> bool:
    """Whether the person says yes. Everything else is no, and so is the end of the input."""
    return answer(f"{question} [y/N] ").lower() in ("y", "yes")


def answer(question: str) -> str:
    """What the person says, without the spaces around it; nothing at the end of the input."""
    try:
        return input(question).strip()
    except EOFError:  # Ctrl+D
        print()
        return ""
