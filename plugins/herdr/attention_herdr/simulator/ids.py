"""Ids as Herdr gives them out: a letter and a number
in bijective base 32, never given out twice in a workspace.
"""

from __future__ import annotations

DIGITS = "123456789ABCDEFGHJKMNPQRSTVWXYZ0"


def numeral(number: int) -> str:
    """The numeral of a number from 1 on: 1 to 9, A …, 32 is `0`,
    33 is `11` (seen in Herdr 0.8.2). Not decimal, and case counts.
    """
    if number < 1:
        raise ValueError(f"there is no numeral for {number}")
    digits = ""
    while number:
        number, digit = divmod(number - 1, len(DIGITS))
        digits = DIGITS[digit] + digits
    return digits


def value(text: str) -> int:
    """The number of a numeral. Raises ValueError for anything else."""
    number = 0
    for digit in text:
        number = number * len(DIGITS) + DIGITS.index(digit) + 1
    if not number:
        raise ValueError("an empty numeral")
    return number
