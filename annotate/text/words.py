r"""The definition of a word, the same for Python and JavaScript.

A word is a run of letters, marks and digits in any script. Inside a run,

- an apostrophe (' or ’) or a hyphen (-, U+2010, U+2011) between letters or digits joins them:
  "don't", "T-shirt" and "left-hand" are one word each;
- a full stop or comma joins digits only: "2.5" and "1,000" are one word, "a.m." is two;
- invisible characters (zero-width space and joiners, soft hyphen) neither split nor count.

Han, Hiragana and Katakana, written without spaces, count one word per character; Thai and other
scripts without spaces count one per unbroken run. Emoji (keycaps too), punctuation and symbols
count nothing. Composed and decomposed text count alike, so offsets refer to the text as given.
"""

from dataclasses import dataclass

import regex

from metrics.plain_words import count_plain_words

# static/js/ui/words.js repeats these lines; a test compares the two patterns letter by letter.
EMOJI = r"[0-9]\uFE0F?\u20E3|\u2139\uFE0F"
CJK = r"[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}]"
INVISIBLE = r"\p{Default_Ignorable_Code_Point}"
EXTEND = rf"[\p{{M}}{INVISIBLE}]*"
LETTER = rf"(?!{CJK}|{INVISIBLE}|{EMOJI})[\p{{L}}\p{{N}}]{EXTEND}"
JOINER = rf"['\u2019\u2010\u2011\-]{INVISIBLE}*|(?<=\p{{Nd}}{EXTEND})[.,]{INVISIBLE}*(?=\p{{Nd}})"
WORD_PATTERN = rf"(?={CJK})[\p{{L}}\p{{N}}]{EXTEND}|{LETTER}(?:(?:{JOINER})?{LETTER})*"

_WORD = regex.compile(WORD_PATTERN)


@dataclass(frozen=True, slots=True)
class Word:
    """One word and its half-open range in the text, in code points."""

    start: int
    end: int
    text: str


def find_words(text: str) -> list[Word]:
    """Return the words of `text` in order; `text[word.start:word.end] == word.text`."""
    return [Word(match.start(), match.end(), match[0]) for match in _WORD.finditer(text)]


def count_words(text: str) -> int:
    """Return how many words `text` has; `countWords` in static/js/ui/words.js agrees."""
    # Most captions are plain. For them it is fifty times faster to count without the pattern.
    plain = count_plain_words(text)
    return len(_WORD.findall(text)) if plain is None else plain
