"""The words of a caption: the same for all four metrics, so that they are about one text."""

from __future__ import annotations

from sys import intern
from unicodedata import normalize

import regex

VERSION = 1

Words = tuple[str, ...]

_APOSTROPHES = str.maketrans("’ʼ＇", "'''")
_WORD = r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*"
_TOKEN = regex.compile(
    # 3.5, 10:30 and 1,000; words with hyphens and apostrophes inside; each symbol, emoji included.
    rf"\p{{N}}+(?:[.,:]\p{{N}}+)+|{_WORD}(?:[-‐‑']{_WORD})*|\p{{S}}"
)
_CLITIC = regex.compile(r"(.+?)(n't|'(?:s|m|re|ve|ll|d))", regex.DOTALL)


def words_of(text: str) -> Words:
    """Return the words of `text` in lower case, without punctuation.

    They are those of the Penn Treebank less punctuation, as coco-caption makes them with a Java
    program: "man's" is man + 's, "doesn't" is does + n't, "T-shirt" is one word. It expects a
    language that puts spaces between its words.
    """
    found = _TOKEN.findall(normalize("NFC", text.lower()).translate(_APOSTROPHES))
    # Interned, because ten thousand captions repeat their words millions of times.
    return tuple(intern(part) for word in found for part in _parts(word))


def _parts(word: str) -> tuple[str, ...]:
    split = _CLITIC.fullmatch(word) if "'" in word else None
    return split.groups() if split else (word,)
