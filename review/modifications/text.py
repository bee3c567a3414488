"""Check and normalize the text of a modification. Pure.

TF-CoVR's modifications have 2 to 19 words (section 3); a project may set others. TF-CoVR's loader
writes the numbers 0.5 to 7 in words, so that "2.5" and "two and a half" are equivalent.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from annotate.text.words import count_words

MAX_TEXT_LENGTH = 300


class Limits(NamedTuple):
    """The fewest and the most words of a modification."""

    least: int = 2
    most: int = 19

    def __str__(self) -> str:
        return f"{self.least} to {self.most} words"


PAPER = Limits()

_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_VALUES = {word: str(value) for value, word in enumerate(_UNITS)}
_IN_WORDS = "|".join(_UNITS)
_AND_A_HALF = re.compile(rf"\b({_IN_WORDS}|\d+)(?: |-)and(?: |-)a(?: |-)half\b")
_HALF = re.compile(r"\b(?:(?:a|one) )?half(?: a)?\b")
_UNIT = re.compile(rf"\b({_IN_WORDS})\b")
_ZEROS = re.compile(r"\b(\d+)\.(\d*?)0+\b")
_SPACE = re.compile(r"[\s!\"()*#:;~,.?]+(?!\d)|\s+")


def problem_with(text: str, limits: Limits) -> str:
    """Return why the text isn't a valid modification, with the fix; "" if it is."""
    words = count_words(text)
    if words < limits.least:
        least = f"{limits.least} word{'' if limits.least == 1 else 's'}"
        return f"Write at least {least} that say what to change: “show with 2 turns”."
    if words > limits.most:
        return f"Shorten it to {limits.most} words (it has {words}): say only what changes."
    if len(text) > MAX_TEXT_LENGTH:
        return f"Shorten it to {MAX_TEXT_LENGTH} characters (it has {len(text)})."
    return ""


def plain_form(text: str) -> str:
    """Return a form that is equal for equivalent modifications: lower case, numbers in digits, no
    punctuation between words.
    """
    plain = " ".join(text.lower().split())
    plain = _AND_A_HALF.sub(lambda match: f"{_VALUES.get(match[1], match[1])}.5", plain)
    plain = _HALF.sub("0.5", plain)
    plain = _UNIT.sub(lambda match: _VALUES[match[1]], plain)
    plain = _ZEROS.sub(lambda match: f"{match[1]}.{match[2]}".rstrip("."), plain)
    return " ".join(_SPACE.sub(" ", plain).split())
