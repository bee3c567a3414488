"""The warnings about a split for its author: words to jump to, and to dismiss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.models import Caption, Clip
from annotate.queue.content import Content, split_texts
from annotate.split.services import split_warnings
from annotate.text.diff import DiffSpan, word_diff
from annotate.text.split_checks import Span, SplitWarning, to_utf16
from annotate.text.split_kept import WORD_KINDS, keep_name, part_kept, spans_by_subject
from annotate.text.words import count_words

Shown = dict[str, Any]
Neighbors = Mapping[str, tuple[str, str]]

TITLES = {
    "no_summary": "Does not begin with a summary",
    "motion": "Movement in the spatial text",
    "object": "Static detail in the temporal text",
    "novel": "Words that Stage I does not have",
    "near_duplicate": "Very close to",
}
ADVICE = {
    "no_summary": "Say first what the video shows.",
    "motion": "Take it out, or move it to the temporal text.",
    "object": "Take it out, or move it to the spatial text.",
    "novel": "Use only what the merged text says.",
    "near_duplicate": "Bring out what only this clip shows.",
}
MARKS = {"motion": "motion", "object": "object", "novel": "new"}
# Enough to see the shared text; nobody reads more clips side by side.
MAX_COMPARED = 3
SHARED_RUN = 3


def shown_warnings(
    clip: Clip, merged: Caption, content: Content, neighbors: Neighbors
) -> dict[str, Shown]:
    """Return for each field the active warnings, the dismissed ones, the number of active ones, and
    the spans to mark.

    Places are in UTF-16 units of the field's text, as JavaScript counts them.
    """
    # Use the text as typed: positions must match the page, including leading white space.
    texts = {field: content.get(field, "") for field in split_texts(content)}
    warnings: dict[str, Shown] = {
        field: {"warnings": [], "kept": [], "count": 0, "marked": []} for field in texts
    }
    for warning in split_warnings(merged, texts, neighbors):
        place = warnings[warning.field]
        text = texts[warning.field]
        remaining, kept = part_kept(warning, text, content)
        if remaining is not None:
            entry = _entry(remaining, text)
            if remaining.kind == "near_duplicate":
                compared = sum(w["kind"] == "near_duplicate" for w in place["warnings"])
                if compared < MAX_COMPARED:
                    entry["sides"] = _side_by_side(remaining, text, neighbors)
            place["warnings"].append(entry)
            place["count"] += len(entry["subjects"])
        if kept is not None:
            place["kept"].append(_entry(kept, text))
    for field, place in warnings.items():
        place["marked"] = _marked(texts[field], place["warnings"])
    return warnings


def _entry(warning: SplitWarning, text: str) -> Shown:
    title = TITLES[warning.kind]
    if warning.clip:
        title = f"{title} {warning.clip} (similarity {warning.similarity:.2f})"
    return {
        "kind": warning.kind,
        "title": title,
        "advice": ADVICE[warning.kind],
        "mark": MARKS.get(warning.kind, ""),
        "field": warning.field,
        "keep": keep_name(warning.field, warning.kind),
        "has_words": warning.kind in WORD_KINDS,
        "subjects": [
            {
                "key": key,
                "word": text[spans[0][0] : spans[0][1]],
                "times": len(spans),
                "places": " ".join(f"{a}-{b}" for a, b in to_utf16(text, spans)),
                "spans": spans,
            }
            for key, spans in spans_by_subject(warning, text).items()
        ],
    }


def _marked(text: str, warnings: list[Shown]) -> list[Shown]:
    """Return the text in pieces; words with warnings have the name of their mark."""
    marks: dict[Span, str] = {}
    for warning in warnings:
        if warning["mark"]:
            for subject in warning["subjects"]:
                for span in subject["spans"]:
                    marks.setdefault(span, warning["mark"])
    pieces, at = [], 0
    for (start, end), mark in sorted(marks.items()):
        pieces += [{"text": text[at:start], "mark": ""}, {"text": text[start:end], "mark": mark}]
        at = end
    return [piece for piece in [*pieces, {"text": text[at:], "mark": ""}] if piece["text"]]


def _side_by_side(warning: SplitWarning, text: str, neighbors: Neighbors) -> list[Shown]:
    """Return this text and the other clip's, with the runs of words that they share."""
    spatial, temporal = neighbors[warning.clip]
    diff = word_diff(text, spatial if warning.field == "spatial" else temporal)
    return [
        {"title": "This text", "pieces": _pieces(diff, without="insert")},
        {"title": warning.clip, "pieces": _pieces(diff, without="delete")},
    ]


def _pieces(diff: list[DiffSpan], *, without: str) -> list[Shown]:
    return [
        {
            "text": span.text,
            "mark": "repeat" if span.op == "equal" and count_words(span.text) >= SHARED_RUN else "",
        }
        for span in diff
        if span.op != without
    ]
