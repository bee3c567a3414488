"""Warnings about a Stage-II split: words that its two descriptions should not contain."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Literal

import regex

from annotate.text.content import Token, content_words, normal_form, stems_of, tokens
from annotate.text.lexicon import (
    ADJECTIVES,
    COLORS,
    DETERMINERS,
    FRAME_WORDS,
    MATERIALS,
    NUMBERS,
    OBJECT_KINDS,
    PREPOSITIONS,
)
from annotate.text.motion_words import motion_words, neighbor
from annotate.text.sentences import Sentence, split_sentences
from metrics.similarity import jaccard, shingle_similarity

Kind = Literal["no_summary", "motion", "object", "novel", "near_duplicate"]
Span = tuple[int, int]

SUMMARY_SHARE = 0.5
"""A first sentence is the summary when it shares this part of the shorter one's content words."""
NEAR_DUPLICATE = 0.5
"""From this similarity on, the descriptions of two clips don't distinguish them."""

_OBJECT_WORDS = frozenset().union(*OBJECT_KINDS.values())
_OBJECTS = stems_of(_OBJECT_WORDS)
_WORN_OR_PLACED = stems_of(OBJECT_KINDS["clothing"] | OBJECT_KINDS["setting"])
_FRAME = stems_of(FRAME_WORDS)
_IN_QUOTES = regex.compile(
    r"""“[^“”\n]*”|"[^"\n]*"|«[^«»\n]*»|(?<!\w)‘[^‘\n]*?’(?!\w)|(?<!\w)'[^'\n]*'(?!\w)"""
)
_NAMING = DETERMINERS | ADJECTIVES | NUMBERS.keys() | COLORS.keys() | MATERIALS


@dataclass(frozen=True, slots=True)
class SplitWarning:
    """One warning about `field`, with the ranges to mark in it, in code points.

    A near duplicate names the other clip and the similarity of the two texts, 0 to 1.
    """

    field: Literal["spatial", "temporal"]
    kind: Kind
    message: str
    spans: list[Span]
    clip: str = ""
    similarity: float | None = None


def check_split(
    *,
    spatial: str,
    temporal: str,
    stage_one: str,
    overview: str = "",
    neighbors: Mapping[str, tuple[str, str]] = {},
) -> list[SplitWarning]:
    """Return the warnings about a split of `stage_one`; an empty field has none.

    `overview` is the Stage-I overview (its first sentence when not given); `neighbors` maps the
    names of the other clips of the subcategory to their spatial and temporal descriptions. The
    summary may name objects and motion, and so may words in capitals or quotation marks, which
    quote text in the picture.
    """
    overview = overview or next((s.text for s in split_sentences(stage_one)), "")
    warnings: list[SplitWarning] = []
    fields: list[tuple[Literal["spatial", "temporal"], str]] = [
        ("spatial", spatial),
        ("temporal", temporal),
    ]
    for place, (field, text) in enumerate(fields):
        sentences = split_sentences(text)
        if not sentences:
            continue
        name = field.capitalize()
        body_start = sentences[0].end if _is_summary(sentences[0], overview) else 0
        if not body_start:
            span = (sentences[0].start, sentences[0].end)
            message = f"{name} does not begin with a summary; say first what the video shows."
            warnings.append(SplitWarning(field, "no_summary", message, [span]))
        body = [token for token in tokens(text) if token.start >= body_start]
        quotes = [match.span() for match in _IN_QUOTES.finditer(text)]
        if field == "spatial":
            motions = [t for t in motion_words(text, body) if not _is_read(t, text, quotes)]
            warnings += _about(field, "motion", text, motions)
        else:
            objects = [t for t in body if _is_object_word(t, text, body)]
            objects = [t for t in objects if not _is_read(t, text, quotes)]
            warnings += _about(field, "object", text, objects)
        earlier = {token.stem for token in tokens(f"{stage_one}\n{overview}")} | _FRAME
        novel = [token for token in content_words(text) if token.stem not in earlier]
        warnings += _about(field, "novel", text, novel)
        others = {clip: texts[place] for clip, texts in neighbors.items()}
        warnings += _near_duplicates(field, text, others, (sentences[0].start, sentences[-1].end))
    return warnings


def about_words(
    field: Literal["spatial", "temporal"], kind: Kind, text: str, spans: list[Span]
) -> SplitWarning:
    """Return the warning about these words of `text`."""
    words = _quoted(normal_form(text[start:end]) for start, end in spans)
    message = {
        "motion": f"Spatial tells of motion: {words}; move it to temporal.",
        "object": f"Temporal describes objects: {words}; move it to spatial.",
        "novel": f"{field.capitalize()} has words that Stage I does not contain: {words}; "
        "take them out.",
    }[kind]
    return SplitWarning(field, kind, message, spans)


def to_utf16(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return code-point ranges of `text` as the UTF-16 ranges that JavaScript strings use."""
    units = [0, *accumulate(2 if ord(character) > 0xFFFF else 1 for character in text)]
    return [(units[start], units[end]) for start, end in spans]


def _is_summary(first: Sentence, overview: str) -> bool:
    ours = {token.stem for token in content_words(first.text)} - _FRAME
    theirs = {token.stem for token in content_words(overview)} - _FRAME
    shorter = min(len(ours), len(theirs))
    return shorter > 0 and len(ours & theirs) >= SUMMARY_SHARE * shorter


def _is_read(token: Token, text: str, quotes: list[Span]) -> bool:
    """Return whether the word is text in the picture: in capitals ("DIVE 2") or in
    quotation marks.
    """
    if any(start <= token.start and token.end <= end for start, end in quotes):
        return True
    letters = [c for c in regex.sub("['’]s$", "", text[token.start : token.end]) if c.isalpha()]
    return len(letters) > 1 and all(c.isupper() for c in letters)


def _is_object_word(token: Token, text: str, body: list[Token]) -> bool:
    if token.stem not in _OBJECTS or token.word == "cloth":
        return False
    place = body.index(token)
    before = neighbor(text, body, place, -1)
    after = neighbor(text, body, place, 1)
    if token.word == "orange":  # the fruit, unless it is the color of the next word
        return after is not None and after.is_content
    if token.word == "glasses":  # to drink from
        is_counted = before is not None and before.word in NUMBERS
        return not is_counted and (after is None or after.word != "of")
    if token.word.endswith("ed") and token.word not in _OBJECT_WORDS:
        return token.stem not in _WORN_OR_PLACED
    return not _is_verb(token, before, after)


def _is_verb(token: Token, before: Token | None, after: Token | None) -> bool:
    """Return whether a word like "coats" is a verb: "the cook coats the fish"."""
    if before is None or after is None or not token.word.endswith("s"):
        return False
    has_object = after.word in DETERMINERS | {"himself", "herself", "no", "out", "up"}
    return has_object and before.word not in _NAMING and before.word not in PREPOSITIONS


# The neighbors stay the same between checks, and parsing forty of them takes a second.
@lru_cache(maxsize=512)
def _stems_of_neighbor(text: str) -> tuple[str, ...]:
    return tuple(token.stem for token in tokens(text))


def _near_duplicates(
    field: Literal["spatial", "temporal"], text: str, others: Mapping[str, str], whole: Span
) -> list[SplitWarning]:
    ours = [token.stem for token in tokens(text)]
    alike = []
    for clip, other in others.items():
        theirs = _stems_of_neighbor(other)
        score = shingle_similarity(ours, theirs)
        if score is None:  # too short for a run of three words
            score = jaccard(ours, theirs) or 0.0
        if score >= NEAR_DUPLICATE:
            alike.append((-score, clip))
    return [
        SplitWarning(
            field,
            "near_duplicate",
            f"{field.capitalize()} is {-score:.0%} the same as that of {clip}; "
            "add what only this clip shows.",
            [whole],
            clip,
            round(-score, 4),
        )
        for score, clip in sorted(alike)
    ]


def _about(
    field: Literal["spatial", "temporal"], kind: Kind, text: str, words: list[Token]
) -> list[SplitWarning]:
    spans = [(token.start, token.end) for token in words]
    return [about_words(field, kind, text, spans)] if spans else []


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(f"“{word}”" for word in words))
