"""The times of sentences: the frames of a clip that a sentence of a text is about. Pure.

Frames are half-open ranges, counted from the first frame of the clip. A draft has *marks*, which
follow a text that is being typed; a stored caption has *spans*, exact places in its text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from annotate.text.content import EDITED_SIMILARITY, similarity
from annotate.text.sentences import split_sentences

MAX_MARKS = 100
MAX_QUOTE_LENGTH = 80

Frames = tuple[int, int]
Timed = tuple[str, Frames | None]
"""A sentence and its frames; None without a time."""


class Mark(TypedDict):
    """A time in a draft: the sentence around the code point `at`, where `text` begins.

    If the text has changed, the place where `text` is nearest to `at` counts.
    """

    at: int
    start: int
    end: int
    text: str


class Span(TypedDict):
    """A sentence as code points of the caption's text, and its frames."""

    text_start: int
    text_end: int
    start_frame: int
    end_frame: int


class SpanError(ValueError):
    """A time can't be used; the message says what to do."""


def read_marks(value: str, *, frames: int) -> list[Mark]:
    """Return the marks of a draft's field, JSON or empty, for a clip of so many frames.

    Raises SpanError.
    """
    try:
        marks = [_mark(entry) for entry in json.loads(value)] if value.strip() else []
    except (ValueError, TypeError, KeyError, RecursionError):
        raise SpanError("The times of the sentences can't be read. Set them again.") from None
    if len(marks) > MAX_MARKS:
        raise SpanError(f"{len(marks)} sentences have a time; keep {MAX_MARKS} at most.")
    for mark in marks:
        start, end = mark["start"], mark["end"]
        if not 0 <= start < end <= frames:
            raise SpanError(
                f"A sentence has the frames {start} to {end}; the start must come before the end, "
                f"within the clip's {frames} frames. Set it again."
            )
    return marks


def timed_sentences(text: str, marks: Iterable[Mark]) -> list[Timed]:
    """Return each sentence of the text with its frames; several marks of one sentence are joined.

    Raises SpanError for a mark of a missing sentence.
    """
    sentences = split_sentences(text)
    times: dict[int, list[Frames]] = {}
    for mark in marks:
        place = _nearest(text, mark["text"], mark["at"])
        ends = enumerate(sentence.end for sentence in sentences)
        number = next((n for n, end in ends if place < end), None)
        if place < 0 or number is None:
            raise SpanError(
                f"The frames {mark['start']} to {mark['end']} belong to “{mark['text']}”, which is "
                "not in the text. Remove this time, or set that of another sentence."
            )
        times.setdefault(number, []).append((mark["start"], mark["end"]))
    return [
        (sentence.text, joined_frames(*times.get(n, ()))) for n, sentence in enumerate(sentences)
    ]


def make_spans(text: str, sentences: Iterable[Timed]) -> list[Span]:
    """Return the spans of a text that has these sentences in order."""
    timed = list(sentences)
    places = _places(text, [sentence for sentence, _ in timed])
    return [
        Span(text_start=place[0], text_end=place[1], start_frame=frames[0], end_frame=frames[1])
        for place, (_, frames) in zip(places, timed, strict=True)
        if place and frames
    ]


def with_times(text: str, spans: Sequence[Span] | None, sentences: Sequence[str]) -> list[Timed]:
    """Return these sentences of a text, which are in order, with the frames of its spans."""
    if not spans:
        return [(sentence, None) for sentence in sentences]
    timed: list[Timed] = []
    for sentence, place in zip(sentences, _places(text, sentences), strict=True):
        frames: Frames | None = None
        for span in spans if place else ():
            if place and span["text_start"] < place[1] and place[0] < span["text_end"]:
                frames = joined_frames(frames, (span["start_frame"], span["end_frame"]))
        timed.append((sentence, frames))
    return timed


def timeline_spans(timed: Iterable[Timed], label: str = "") -> list[dict[str, str | int]]:
    """Return the bars of the timeline under the player (js/spans/timeline.js): one per timed
    sentence, with its number or with the label of its text."""
    return [
        {
            "name": f"{label}: {text}" if label else f"Sentence {number}",
            "mark": label or str(number),
            "start": frames[0],
            "end": frames[1],
        }
        for number, (text, frames) in enumerate(timed, 1)
        if frames
    ]


def inherited_times(text: str, sources: Sequence[Timed]) -> list[Timed]:
    """Return the sentences of a text, each with the frames of its most similar source sentence.

    An equal sentence wins; a sentence unlike all of them has no frames.
    """
    timed: list[Timed] = []
    for sentence in split_sentences(text):
        scores = [similarity(source, sentence.text) for source, _ in sources]
        best = max(scores, default=0.0)
        is_like = best >= EDITED_SIMILARITY
        timed.append((sentence.text, sources[scores.index(best)][1] if is_like else None))
    return timed


def joined_frames(*ranges: Frames | None) -> Frames | None:
    """Return the shortest range that contains these; None if there are only Nones."""
    edges = [frames for frames in ranges if frames]
    return (min(start for start, _ in edges), max(end for _, end in edges)) if edges else None


def overlap(a: Frames, b: Frames) -> float:
    """Return the frames in both as a share of the frames in either, 0 to 1."""
    shared = max(0, min(a[1], b[1]) - max(a[0], b[0]))
    return shared / (a[1] - a[0] + b[1] - b[0] - shared)


def _mark(entry: Mapping[str, Any]) -> Mark:
    numbers = [entry["at"], entry["start"], entry["end"]]
    if any(type(number) is not int for number in numbers) or not isinstance(entry["text"], str):
        raise TypeError("A mark has three whole numbers and a text.")
    at, start, end = numbers
    quote = entry["text"][:MAX_QUOTE_LENGTH].strip()
    if not quote:
        raise ValueError("A mark names the beginning of its sentence.")
    return Mark(at=at, start=start, end=end, text=quote)


def _nearest(text: str, quote: str, at: int) -> int:
    """Return the place of the quote that is nearest to `at`; -1 if the text does not have it."""
    if at >= 0 and text.startswith(quote, at):
        return at
    places = []
    place = text.find(quote)
    while place >= 0:
        places.append(place)
        place = text.find(quote, place + 1)
    return min(places, key=lambda place: abs(place - at), default=-1)


def _places(text: str, sentences: Sequence[str]) -> list[tuple[int, int] | None]:
    """Return the range of each sentence in the text, in order; None for one that is not there."""
    places: list[tuple[int, int] | None] = []
    end = 0
    for sentence in sentences:
        start = text.find(sentence, end)
        if start < 0:
            places.append(None)
            continue
        end = start + len(sentence)
        places.append((start, end))
    return places
