"""The words of a text, the terms of a search, and the place of a match. Pure.

Both databases store and look up exactly these words, so they agree: whole words in lower case,
without accents and not stemmed. "dog*" matches all words with this beginning.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

MAX_WORD_LENGTH = 100
MAX_TERMS = 10
MIN_BEGINNING_LENGTH = 2  # letters before "*"; a shorter beginning matches nearly every text
BEFORE, AFTER = 60, 120  # characters of a snippet around the start of its match

# Chinese and Japanese put no space between words, so each character is a word.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_TYPED = re.compile(r'"([^"]*)"?|([^\s"]+)')


class Word(NamedTuple):
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Term:
    """Consecutive words; the last can be only the beginning of one."""

    words: tuple[str, ...]
    is_beginning: bool = False


@dataclass(frozen=True)
class Piece:
    """A part of a snippet."""

    text: str
    is_match: bool = False


def words_of(text: str) -> list[Word]:
    """Return the words of a text with their places. Compose it first: see `composed`."""
    return [Word(_plain(match[0]), *match.span()) for match in _WORD.finditer(text)]


def composed(text: str) -> str:
    """Return the text with each accent in its letter, so that it doesn't divide a word."""
    return unicodedata.normalize("NFC", text)


def read_terms(typed: str) -> list[Term]:
    """Return the typed terms, at most MAX_TERMS. Any text is valid; one without words has no
    terms. An open quote extends to the end.
    """
    terms = []
    for quoted, plain in _TYPED.findall(composed(typed)):
        words = tuple(word.text for word in words_of(quoted or plain))
        begins = plain.endswith("*") and len("".join(words[-1:])) >= MIN_BEGINNING_LENGTH
        if words:
            terms.append(Term(words, begins))
    return list(dict.fromkeys(terms))[:MAX_TERMS]


def make_snippet(text: str, terms: list[Term]) -> list[Piece]:
    """Return the part of a text around its first match, with all matches in it marked."""
    text = composed(text)
    words = words_of(text)
    marked = sorted({place for term in terms for place in _places(words, term)})
    middle = words[marked[0]].start if marked else 0
    start, end = _edges(text, words, middle)
    pieces, position = [Piece("… " if start else "")], start
    for place in marked:
        word = words[place]
        if word.start >= position and word.end <= end:
            pieces += [Piece(text[position : word.start]), Piece(text[word.start : word.end], True)]
            position = word.end
    pieces += [Piece(text[position:end]), Piece(" …" if end < len(text) else "")]
    return [piece for piece in pieces if piece.text]


def _edges(text: str, words: list[Word], middle: int) -> tuple[int, int]:
    """Return where the snippet begins and ends, between words."""
    start = min((w.start for w in words if w.start >= middle - BEFORE), default=0)
    end = max((w.end for w in words if w.end <= middle + AFTER), default=len(text))
    return (0 if middle <= BEFORE else start), (len(text) if len(text) <= middle + AFTER else end)


def _places(words: list[Word], term: Term) -> list[int]:
    """Return the places of the words that match the term."""
    length = len(term.words)
    places: list[int] = []
    for first in range(len(words) - length + 1):
        window = [word.text for word in words[first : first + length]]
        matches_last = (
            window[-1].startswith(term.words[-1])
            if term.is_beginning
            else window[-1] == term.words[-1]
        )
        if matches_last and tuple(window[:-1]) == term.words[:-1]:
            places += range(first, first + length)
    return places


def _plain(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(each for each in letters if each.isalnum())[:MAX_WORD_LENGTH]
