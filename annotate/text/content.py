"""The words of a text that carry its content, reduced to stems."""

from dataclasses import dataclass
from functools import lru_cache

import regex

from annotate.text.lexicon import FUNCTION_WORDS, IRREGULAR, NUMBERS
from annotate.text.words import INVISIBLE, find_words
from metrics.similarity import jaccard

EDITED_SIMILARITY = 0.4
"""From here on a sentence counts as an edit of another one, below it as new."""

_PART = regex.compile(r"[^\-\u2010\u2011]+")
_INVISIBLE = regex.compile(INVISIBLE)
_VOWEL = regex.compile("[aeiouy]")
_DOUBLED = regex.compile(r"([b-df-hj-np-tv-xz])\1$")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or one side of a hyphen, with its range in the text in code points."""

    start: int
    end: int
    word: str
    stem: str

    @property
    def is_content(self) -> bool:
        return self.word not in FUNCTION_WORDS


def tokens(text: str) -> list[Token]:
    """Return every word of `text`, hyphenated ones in pieces, lower-cased and stemmed."""
    content_tokens = []
    for whole in find_words(text):
        for part in _PART.finditer(whole.text):
            word = normal_form(part[0])
            start = whole.start + part.start()
            content_tokens.append(Token(start, start + len(part[0]), word, stem(word)))
    return content_tokens


def content_words(text: str) -> list[Token]:
    """Return the words of `text` that aren't function words."""
    return [token for token in tokens(text) if token.is_content]


def normal_form(word: str) -> str:
    """Return the word in lower case, with straight apostrophes, without possessive and invisible
    characters.
    """
    word = _INVISIBLE.sub("", word).replace("’", "'").casefold()
    return word.removesuffix("'s")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return one key for the inflections of an English word: slice, slices, sliced, slicing.

    Light on purpose: it undoes -s, -ed, -ing and -ly and maps number words to digits, so it may
    miss a pair but rarely joins strangers. The key is not itself a word.
    """
    word = IRREGULAR.get(word, word)
    if word in NUMBERS:
        return str(NUMBERS[word])
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word != "family":
        for ending, shortest in (("ing", 2), ("ed", 2), ("ly", 4)):
            rest = word.removesuffix(ending)
            if rest != word and len(rest) >= shortest and _VOWEL.search(rest):
                word = word if word.endswith("eed") else rest
                break
    word = word.removesuffix("e")
    if len(word) > 1 and word.endswith("y") and word[-2] not in "aeiou":
        word = f"{word[:-1]}i"
    return _DOUBLED.sub(r"\1", word)


def stems_of(words: frozenset[str]) -> frozenset[str]:
    return frozenset(stem(word) for word in words)


def similarity(a: str, b: str) -> float:
    """Return the similarity of two sentences, 0 to 1: the Jaccard index of their content stems.

    Sentences equal up to white space are 1; two sentences without any content word are 0.
    """
    if a.split() == b.split():
        return 1.0
    return jaccard(_content_stems(a), _content_stems(b)) or 0.0


# An alignment compares each sentence with many others, and finding its words is the slow part.
@lru_cache(maxsize=2_000)
def _content_stems(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in content_words(text))
