"""Characters that change or hide what a name looks like, which no name may hold. Pure."""

from __future__ import annotations

import unicodedata

# Letters by their category, but drawn as nothing: fillers of Hangul, and the empty Braille pattern.
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_JOINERS = frozenset("\u200c\u200d")  # ZWNJ and ZWJ
_VIRAMA = 9


def has_hidden_characters(text: str) -> bool:
    """Whether the text holds control characters, marks that turn the direction of writing, line
    separators or other characters that are drawn as nothing.

    ZWNJ and ZWJ are part of how some languages and emoji are written, and are allowed there.
    """
    return any(_is_hidden(text, place) for place in range(len(text)))


def _is_hidden(text: str, place: int) -> bool:
    character = text[place]
    if character in _JOINERS:
        return place == 0 or not _may_be_joined(text[place - 1])
    category = unicodedata.category(character)
    return category in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} or character in _BLANK_LETTERS


def _may_be_joined(before: str) -> bool:
    """After a virama, a letter of a script that joins its letters, or a part of an emoji."""
    return (
        unicodedata.combining(before) == _VIRAMA
        or unicodedata.bidirectional(before) == "AL"
        or unicodedata.category(before) in {"So", "Sk"}
        or before == "\ufe0f"
    )
