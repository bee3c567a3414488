"""Compare a modification with the captions of its two labels. Pure.

The checks go by words, so they only warn: a text may say the same in other words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from review.modifications.text import plain_form

_WORD = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NUMBER = re.compile(r"\d")
MIN_STEM_LENGTH = 3  # "som" is short for "somersaults" in FineDiving's labels

# Words of instructions that labels needn't have.
_ORDINARY = """
a about action add added adding additional after again all also an and another any as at away
back be become becomes before begin beginning begins body both bring but by change changed
changes changing directly do does doing down drop during each either end ending ends entire
entirely every except exchange extra few fewer finish finishing first flip followed following
for from full fully get give go have having her his how in include including increase increased
initial instead into is it its jump just keep keeping landing last leap leave leaving less like
lose lower make making many more most move movement moving much must near need no not number of
off omit on once one only onto or other otherwise out over part perform performed performing
place pose position put rather reduce reduced remain remove removed removing repeat replace
replaced replacing same second shape show showed showing shown shows single skip so start
starting starts step stop swap switch take take-off takeoff taking than that the their them then
there this through time times to together total turn turned turning turns twice up use used
using via when where which while whole with within without
"""
_OF_INSTRUCTIONS = frozenset(_ORDINARY.split())


def differences_warned_of(source: str, target: str, text: str) -> list[str]:
    """Return sentences on what the text omits of the difference, or adds to it."""
    warnings = []
    if numbers := missing_numbers(source, target, text):
        warnings.append(f"It doesn't say {_listed(numbers)}, which only the target has.")
    elif names_no_difference(source, target, text):
        warnings.append("It has none of the words that differ between the two labels.")
    if strange := strange_words(source, target, text):
        warnings.append(f"Neither label has {_listed(strange)}.")
    return warnings


def _listed(words: Sequence[str]) -> str:
    *first, last = (f"“{word}”" for word in words)
    return f"{', '.join(first)} or {last}" if first else last


def missing_numbers(source: str, target: str, text: str) -> list[str]:
    """Return the numbers that only the caption of the target has and the text lacks, in order."""
    words_of_text = set(_words(text))
    given = set(_words(source))
    return [
        word
        for word in dict.fromkeys(_words(target))
        if _NUMBER.match(word) and word not in given and word not in words_of_text
    ]


def names_no_difference(source: str, target: str, text: str) -> bool:
    """Return whether the text has none of the words that only one of the captions has."""
    differing = set(_words(source)) ^ set(_words(target))
    return bool(differing) and not any(_is_among(word, differing) for word in _words(text))


def strange_words(source: str, target: str, text: str) -> list[str]:
    """Return the text's words, in order, that neither caption has, except words of instructions."""
    captions = {*_words(source), *_words(target)}
    as_pronoun = {"1"} if re.search(r"\bone\b", text.lower()) else set()
    return [
        word
        for word in dict.fromkeys(_words(text))
        if word not in _OF_INSTRUCTIONS | as_pronoun and not _is_among(word, captions)
    ]


def _is_among(word: str, words: Collection[str]) -> bool:
    """Return whether the words include this word, or a longer or shorter form of it."""
    if word in words:
        return True
    return not _NUMBER.match(word) and any(
        min(len(word), len(other)) >= MIN_STEM_LENGTH
        and (word.startswith(other) or other.startswith(word))
        for other in words
    )


def _words(text: str) -> list[str]:
    """Return the words without a plural's "s", and numbers in digits."""
    return [_singular(word) for word in _WORD.findall(plain_form(text))]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word
