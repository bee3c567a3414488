"""The times of sentences in a file of human captions, as a release writes them. Pure."""

from __future__ import annotations

from typing import Any

from annotate.datasets.faults import Faults
from annotate.text.spans import Span

SUFFIX = "_spans"
FIELDS = ("text_start", "text_end", "start_frame", "end_frame")
MOST_SENTENCES = 10_000
MOST = 1_000_000_000

Spans = list[Span] | None


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


def _as_spans(value: object) -> Spans:
    if not isinstance(value, list) or len(value) > MOST_SENTENCES:
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
    return isinstance(number, float) and number.is_integer() and 0 <= number <= MOST


def _problem(spans: list[Span], text: str) -> str | None:
    place = 0
    for span in spans:
        if not place <= span["text_start"] < span["text_end"] <= len(text):
            return "text_start to text_end must be parts of the text, in its order."
        if span["start_frame"] >= span["end_frame"]:
            return "start_frame must come before end_frame."
        place = span["text_end"]
    return None
