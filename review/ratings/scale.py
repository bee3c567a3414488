"""The scale from 0 to 5 with LoVR's definitions (appendix B.4), and the parsing of ratings."""

from __future__ import annotations

from typing import NamedTuple

from metrics.ratings import SCALE

MAX_REMARK_LENGTH = 500
CHOOSE_ONE = "Choose one of the six, from 0 to 5."

_TYPED = {str(value): value for value in SCALE}


class Definition(NamedTuple):
    value: int
    name: str
    meaning: str


DEFINITIONS = (
    Definition(5, "Perfect match", "No factual or descriptive errors."),
    Definition(4, "Minor issues", "But overall accurate."),
    Definition(3, "Moderate mismatch", "Or ambiguity."),
    Definition(2, "Significant inaccuracies", ""),
    Definition(1, "Nearly irrelevant", ""),
    Definition(0, "Completely unrelated", ""),
)


def typed_rating(text: str) -> int:
    """Return a form's rating; only the exact text of its buttons is valid. Raises ValueError.

    `int` would also accept " 5 ", "٥" and "5_0".
    """
    if text not in _TYPED:
        raise ValueError(CHOOSE_ONE)
    return _TYPED[text]
