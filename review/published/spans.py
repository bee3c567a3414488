"""The times of sentences in a file of human captions: in frames, as a release writes them, or in
seconds, as data sets do. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from annotate.datasets.faults import Faults
from annotate.datasets.rows import Seconds, frames_at
from annotate.text.spans import Span

SUFFIX = "_spans"
FIELDS = ("text_start", "text_end", "start_frame", "end_frame")
MAX_SENTENCES = 10_000
MAXIMUM = 1_000_000_000

Spans = list[Span] | None


@dataclass(frozen=True)
class Moment:
    """A sentence, from `text_start` up to `text_end` of its text, and its time in the clip."""

    text_start: int
    text_end: int
    time: Seconds


def read_spans(row: str, field: str, data: dict[str, Any], text: str, faults: Faults) -> Spans:
    """Return the spans of the text that a row has in `field`, None without any."""
    name = field + SUFFIX
    value = data.get(name)
    if value is None or value == []:
        return None
    spans = _as_spans(value)
    if spans is None:
        faults.add(row, name, f"It must be a list of objects with {', '.join(FIELDS)}.")
    elif data[field] != text:
        faults.add(row, name, "The text begins or ends with a space. Remove it from both.")
    elif problem := _problem(spans, text):
        faults.add(row, name, problem)
    return spans


def read_moments(
    row: str, sentences: Sequence[object], times: object, faults: Faults
) -> tuple[str, list[Moment]]:
    """Return the paragraph of the sentences and their times, which have [start, end] in seconds for
    each."""
    if not isinstance(times, list) or not 0 < len(sentences) == len(times) <= MAX_SENTENCES:
        due = f"There must be 1 to {MAX_SENTENCES:,} sentences, each with its [start, end]."
        faults.add(row, "timestamps", due)
        return "", []
    text, moments = "", []
    for number, (sentence, time) in enumerate(zip(sentences, times, strict=True), 1):
        words = " ".join(sentence.split()) if isinstance(sentence, str) else ""
        seconds = _seconds(time)
        if not words:
            faults.add(row, "sentences", f"Sentence {number} must be text. Fix or remove it.")
        if seconds is None:
            due = f"Sentence {number} needs its [start, end] in seconds, the start first."
            faults.add(row, "timestamps", due)
        if words and seconds:
            start = len(text) + bool(text)
            text += f" {words}" if text else words
            moments.append(Moment(start, len(text), seconds))
    return text, moments


def spans_in(moments: Sequence[Moment], fps: Fraction, frames: int) -> Spans:
    """Return the moments as spans of a clip, those that end after it cut short; None if one begins
    after the clip's end."""
    spans = []
    for moment in moments:
        place = frames_at(moment.time, fps)
        if place.first >= frames:
            return None
        end = min(place.end, frames)
        spans.append(
            Span(
                text_start=moment.text_start,
                text_end=moment.text_end,
                start_frame=place.first,
                end_frame=end,
            )
        )
    return spans


def _seconds(time: object) -> Seconds | None:
    if not isinstance(time, list) or len(time) != 2:
        return None
    if not all(isinstance(t, float) and math.isfinite(t) and 0 <= t <= MAXIMUM for t in time):
        return None
    # exactly as in the file
    start, end = (Fraction(repr(t)) for t in time)
    return Seconds(start, end) if start < end else None


def _as_spans(value: object) -> Spans:
    if not isinstance(value, list) or len(value) > MAX_SENTENCES:
        return None
    spans = []
    for entry in value:
        if not isinstance(entry, dict) or entry.keys() != set(FIELDS):
            return None
        numbers = [entry[name] for name in FIELDS]
        if not all(_is_whole(number) for number in numbers):
            return None
        start, end, first, after = map(int, numbers)
        spans.append(Span(text_start=start, text_end=end, start_frame=first, end_frame=after))
    return spans


def _is_whole(number: object) -> bool:
    return isinstance(number, float) and number.is_integer() and 0 <= number <= MAXIMUM


def _problem(spans: list[Span], text: str) -> str | None:
    place = 0
    for span in spans:
        if not place <= span["text_start"] < span["text_end"] <= len(text):
            return "text_start to text_end must be parts of the text, in its order."
        if span["start_frame"] >= span["end_frame"]:
            return "start_frame must come before end_frame."
        place = span["text_end"]
    return None
