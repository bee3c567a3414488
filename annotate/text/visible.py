"""Find characters that change or hide a name's appearance, which names must not contain. Pure."""

from __future__ import annotations

import unicodedata

# Characters in letter categories, but invisible: fillers of Hangul, and the empty Braille pattern.
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_JOINERS = frozenset("\u200c\u200d")  # ZWNJ and ZWJ
_VIRAMA = 9


def has_hidden_characters(text: str) -> bool:
    """Return whether the text contains control characters, marks that change the direction of
    writing, line separators or other invisible characters.

    ZWNJ and ZWJ are allowed where some languages and emoji need them.
    """
    return any(_is_hidden(text, place) for place in range(len(text)))


def _is_hidden(text: str, place: int) -> bool:
    character = text[place]
    if character in _JOINERS:
        return place == 0 or not _may_be_joined(text[place - 1])
    category = unicodedata.category(character)
    return category in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} or character in _BLANK_LETTERS


def _may_be_joined(before: str) -> bool:
    """Return whether a joiner may follow: after a virama, a letter of a joining script, or a part
    of an emoji.
    """
    return (
        unicodedata.combining(before) == _VIRAMA
        or unicodedata.bidirectional(before) == "AL"
        or unicodedata.category(before) in {"So", "Sk"}
        or before == "\ufe0f"
    )
