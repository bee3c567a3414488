"""Elements of a caption by plain rules, and entailment by shared words. No language model.

An event is a clause with a word of motion, an object is a noun with one of the words before it, and
an element counts as entailed if the other text has all of its content words, in any order. "The dog
bites the man" entails "the man bites the dog". It lets CapST run in English without a model, and
means no more than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import regex

from annotate.text.content import Token, content_words, stem, stems_of, tokens
from annotate.text.lexicon import (
    ADJECTIVES,
    COLORS,
    DETERMINERS,
    FRAME_WORDS,
    MATERIALS,
    MOTION,
    MOTION_AS_NAME,
    NUMBERS,
    PATTERNS,
    STATIC_PHRASES,
)
from annotate.text.sentences import split_sentences
from inference.backends.protocols import BackendError, ElementKind, ModelSettings, Relation

VERSION = 1

_MOTION = stems_of(MOTION)
_FRAME = stems_of(FRAME_WORDS)
# Actions without motion, which are not events and end the noun before them.
_STATES = stems_of(
    frozenset(
        [
            "appear",
            "consist",
            "contain",
            "hang",
            "hold",
            "include",
            "lie",
            "look",
            "rest",
            "seem",
            "sit",
            "stand",
            "wear",
        ]
    )
)
_STATIC = frozenset((first, stem(second)) for first, second in STATIC_PHRASES)
_ATTRIBUTES = COLORS.keys() | MATERIALS | PATTERNS | ADJECTIVES | NUMBERS.keys()
_BEGINS = DETERMINERS | _ATTRIBUTES
_CLAUSE = regex.compile(
    r"\s*(?:[,;:]\s*)?\b(?:and\s+then|then|and|while|before|after|but|as|until)\b\s*|\s*[,;:]\s+",
    regex.IGNORECASE,
)
_GAP = regex.compile(r"[\s\-\u2010\u2011]*")


def load(settings: ModelSettings) -> WordOverlap:
    """Return the judge; it has no settings."""
    if settings.parameters:
        raise BackendError(
            "bad_setting",
            f"Word overlap has no setting {', '.join(sorted(settings.parameters))}: remove them.",
        )
    return WordOverlap()


class WordOverlap:
    """Finds elements and judges them by rules, without a prompt."""

    def extract(self, text: str, kind: ElementKind, most: int | None) -> list[str]:
        """Return at most `most` distinct events or objects of `text`, in its order."""
        elements = _events(text) if kind == "events" else _objects(text)
        return list({element.casefold(): element for element in elements}.values())[:most]

    def judge(self, text: str, elements: Sequence[str]) -> list[tuple[Relation, str]]:
        """Return "entailment" or "neutral" and the reason for each element, never
        "contradiction".
        """
        stems = {token.stem for token in tokens(text)}
        return [_judged(element, stems) for element in elements]


def _judged(element: str, stems: set[str]) -> tuple[Relation, str]:
    words = content_words(element)
    missing = list(dict.fromkeys(word.word for word in words if word.stem not in stems))
    if not words:
        return "neutral", "It has no word of content to look for."
    if missing:
        return "neutral", f"Not in the text: {', '.join(missing)}."
    return "entailment", "All its words of content are in the text."


def _events(text: str) -> Iterable[str]:
    for sentence in split_sentences(text):
        for clause in _CLAUSE.split(sentence.text):
            words = tokens(clause)
            if len(words) > 1 and any(_is_deed(words, place) for place in range(len(words))):
                yield clause.strip(' \t\n.!?"“”')


def _objects(text: str) -> Iterable[str]:
    for chunk in _chunks(text):
        words = chunk[1:] if chunk[0].word in DETERMINERS else chunk
        attributes = [token for token in words if token.word in _ATTRIBUTES]
        noun = [token for token in words if token.word not in _ATTRIBUTES]
        if not noun or all(token.stem in _FRAME for token in noun):
            continue
        noun_text = " ".join(token.word for token in noun)
        yield from (
            (f"{token.word} {noun_text}" for token in attributes) if attributes else [noun_text]
        )


def _chunks(text: str) -> Iterable[list[Token]]:
    """Yield adjacent words, from a determiner or an attribute to the last noun."""
    chunk: list[Token] = []
    for sentence in split_sentences(text):
        words = tokens(sentence.text)
        gaps = [sentence.text[word.end : next_word.start] for word, next_word in pairwise(words)]
        for place, word in enumerate(words):
            goes_on = bool(chunk) and _GAP.fullmatch(gaps[place - 1]) is not None
            if goes_on and _is_of_noun(words, place):
                chunk.append(word)
                continue
            if chunk:
                yield chunk
            chunk = [word] if word.word in _BEGINS else []
        if chunk:
            yield chunk
        chunk = []


def _is_of_noun(words: Sequence[Token], place: int) -> bool:
    word = words[place]
    if word.word in _ATTRIBUTES:
        return True
    return word.is_content and word.stem not in _STATES and not _is_deed(words, place)


def _is_deed(words: Sequence[Token], place: int) -> bool:
    """Return whether the word is a motion verb, and not part of a name such as "cutting board"."""
    word = words[place]
    if word.stem not in _MOTION:
        return False
    before = words[place - 1].word if place else ""
    after = words[place + 1].stem if place + 1 < len(words) else ""
    if (word.word, after) in _STATIC:
        return False
    return not (word.word in MOTION_AS_NAME and before in _BEGINS)
