"""Warnings about a Stage-II split: what its two descriptions should not hold, word by word."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Literal

import regex

from annotate.text.content import Token, content_words, normal_form, stem, stems_of, tokens
from annotate.text.lexicon import (
    ADJECTIVES,
    COLOURS,
    DETERMINERS,
    FRAME_WORDS,
    MATERIALS,
    MOTION,
    MOTION_AS_NAME,
    NUMBERS,
    OBJECT_KINDS,
    STATIC_PHRASES,
)
from annotate.text.sentences import Sentence, split_sentences
from metrics.similarity import jaccard, shingle_similarity

Kind = Literal["no_summary", "motion", "object", "novel", "near_duplicate"]
Span = tuple[int, int]

SUMMARY_SHARE = 0.5
"""A first sentence is the summary when it shares this part of the shorter one's content words."""
NEAR_DUPLICATE = 0.5
"""From this similarity on, two clips' descriptions do not tell the clips apart."""

_MOTION = stems_of(MOTION)
_AS_NAME = MOTION_AS_NAME | COLOURS.keys()
_OBJECTS = stems_of(frozenset().union(*OBJECT_KINDS.values()))
_FRAME = stems_of(FRAME_WORDS)
_PHRASES = frozenset((first, stem(second)) for first, second in STATIC_PHRASES)
_IN_QUOTES = regex.compile(
    r"""“[^“”\n]*”|"[^"\n]*"|«[^«»\n]*»|(?<!\w)‘[^‘\n]*?’(?!\w)|(?<!\w)'[^'\n]*'(?!\w)"""
)
_NAMING = DETERMINERS | ADJECTIVES | NUMBERS.keys() | COLOURS.keys() | MATERIALS


@dataclass(frozen=True, slots=True)
class SplitWarning:
    """One warning about `field`, with the ranges to mark in it, in code points.

    A near duplicate names the other clip and how alike the two texts are, 0 to 1.
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
    neighbours: Mapping[str, tuple[str, str]] = {},
) -> list[SplitWarning]:
    """Return the warnings about a split of `stage_one`; an empty field has none.

    `overview` is the Stage-I overview (its first sentence when not given); `neighbours` maps the
    names of the other clips of the subcategory to their spatial and temporal descriptions. The
    summary itself may name objects and motion, and so may words in capitals or quotation marks:
    they are what can be read in the picture.
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
            found = [t for t in _motion_words(text, body) if not _is_read(t, text, quotes)]
            warnings += _about(field, "motion", text, found)
        else:
            found = [t for t in body if _is_object_word(t, text, body)]
            found = [t for t in found if not _is_read(t, text, quotes)]
            warnings += _about(field, "object", text, found)
        known = {token.stem for token in tokens(f"{stage_one}\n{overview}")} | _FRAME
        found = [token for token in content_words(text) if token.stem not in known]
        warnings += _about(field, "novel", text, found)
        others = {clip: texts[place] for clip, texts in neighbours.items()}
        warnings += _near_duplicates(field, text, others, (sentences[0].start, sentences[-1].end))
    return warnings


def about_words(
    field: Literal["spatial", "temporal"], kind: Kind, text: str, spans: list[Span]
) -> SplitWarning:
    """The warning about these words of `text`."""
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
    """Whether the word is text in the picture: in capitals ("DIVE 2") or in quotation marks."""
    if any(start <= token.start and token.end <= end for start, end in quotes):
        return True
    letters = [c for c in regex.sub("['’]s$", "", text[token.start : token.end]) if c.isalpha()]
    return len(letters) > 1 and all(c.isupper() for c in letters)


def _motion_words(text: str, body: list[Token]) -> list[Token]:
    found = []
    for place, token in enumerate(body):
        before = body[place - 1] if place else None
        after = body[place + 1] if place + 1 < len(body) else None
        in_phrase = after is not None and (token.word, after.stem) in _PHRASES
        if token.stem not in _MOTION or in_phrase:
            continue
        if not _names_a_thing(text, before, token, after):
            found.append(token)
    return found


def _names_a_thing(text: str, before: Token | None, token: Token, after: Token | None) -> bool:
    """Whether a motion word is used as a noun or adjective: "a swing", "the sliced fruit"."""
    if token.word in _AS_NAME:
        return True
    if before is None or text[before.end : token.start].strip(" \u00a0-"):
        return False
    if before.word not in _NAMING:
        return False
    if token.word.endswith("ing"):
        return before.word in ADJECTIVES
    if token.word.endswith("ed"):
        return after is not None and after.is_content
    return True


def _is_object_word(token: Token, text: str, body: list[Token]) -> bool:
    if token.stem not in _OBJECTS:
        return False
    if token.word == "orange":  # the fruit, unless it colours what follows
        following = next((other for other in body if other.start >= token.end), None)
        adjacent = following and not text[token.end : following.start].strip()
        return bool(following and adjacent and following.is_content)
    return True


# The neighbours stay the same from one check to the next, and reading forty of them takes a second.
@lru_cache(maxsize=512)
def _stems_of_neighbour(text: str) -> tuple[str, ...]:
    return tuple(token.stem for token in tokens(text))


def _near_duplicates(
    field: Literal["spatial", "temporal"], text: str, others: Mapping[str, str], whole: Span
) -> list[SplitWarning]:
    ours = [token.stem for token in tokens(text)]
    alike = []
    for clip, other in others.items():
        theirs = _stems_of_neighbour(other)
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
    field: Literal["spatial", "temporal"], kind: Kind, text: str, found: list[Token]
) -> list[SplitWarning]:
    spans = [(token.start, token.end) for token in found]
    return [about_words(field, kind, text, spans)] if spans else []


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(f"“{word}”" for word in words))
