"""The content of a draft: a flat map from the names of form fields to their text.

Every work page has the same format: the browser sends its form, as JSON or, without JavaScript, as
form data. Each kind of work declares its fields (`WorkKind.fields`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import WorkItem
from annotate.text.merging import Row, Rows
from annotate.text.parts import PARTS, Problem
from annotate.text.spans import SpanError, Timed, read_marks, timed_sentences
from annotate.text.storable import storable

Content = dict[str, str]

MAX_FIELDS = 25_000  # a verdict for each of 10,000 sentences, with texts about some
MAX_FIELD_LENGTH = 20_000
MAX_CONTENT_LENGTH = 400_000
FIELD_NAME = re.compile(r"[a-z][a-z0-9_-]{0,60}", re.ASCII)

ROW_FIELD = re.compile(r"(overview|objects|actions|misc)-(\d{1,4})-(a|b|a_text|b_text|text|before)")
TARGETS = ("spatial", "temporal", "both", "neither")


def read_content(data: object) -> Content:
    """Return the content that a browser sent, in a form that can be stored.

    Raises AnnotateError if it isn't a flat map of texts or is too long.
    """
    if not isinstance(data, Mapping):
        raise AnnotateError("The page sent no text. Reload it and try again.")
    content: Content = {}
    for name, value in data.items():
        if not FIELD_NAME.fullmatch(name) or not isinstance(value, str):
            raise AnnotateError("The page sent something that isn't text. Reload it and try again.")
        if len(value) > MAX_FIELD_LENGTH:
            raise AnnotateError(
                f"A text of {len(value):,} characters is too long to save; "
                f"keep it under {MAX_FIELD_LENGTH:,}."
            )
        content[name] = storable(value)
    if len(content) > MAX_FIELDS or sum(map(len, content.values())) > MAX_CONTENT_LENGTH:
        raise AnnotateError("This is too long to save. Shorten the text.")
    return content


def read_number(value: object) -> int:
    """Return a number that a page sent, such as the version of a draft, or raise AnnotateError."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 10:
        value = int(value)
    if not isinstance(value, int) or not 0 <= value < 2**31:
        raise AnnotateError("The page sent a wrong number. Reload it.")
    return value


def write_up_parts(content: Content) -> dict[str, str]:
    return {part: content.get(part, "").strip() for part in PARTS}


def spans_of_fields(content: Content, fields: Iterable[str]) -> dict[str, str]:
    """Return the times of the sentences of each field, as its draft has them."""
    return {field: content.get(f"spans-{field}", "") for field in fields}


def timed_fields(content: Content, texts: Mapping[str, str], item: WorkItem) -> list[Timed]:
    """Return the sentences of these fields in order with their frames in the item's clip; none if
    no sentence has a time.

    Raises WorkInvalid, which names the fields whose times can't be used.
    """
    timed: list[Timed] = []
    problems = []
    times = spans_of_fields(content, texts)
    if not any(map(str.strip, times.values())):
        return timed  # Splitting the texts would take longer than the rest of a submit.
    frames = item.clip.frames
    for field, text in texts.items():
        try:
            timed += timed_sentences(text, read_marks(times[field], frames=frames))
        except SpanError as error:
            problems.append(Problem(field, str(error)))
    if problems:
        raise WorkInvalid(problems)
    return timed


def merge_rows(content: Content) -> Rows:
    """Return the rows of a merge by part, in their order on the page."""
    fields: dict[str, dict[int, dict[str, str]]] = {part: {} for part in PARTS}
    for name, value in content.items():
        if match := ROW_FIELD.fullmatch(name):
            part, row, field = match.groups()
            fields[part].setdefault(int(row), {})[field] = value
    return {
        part: [
            Row(
                a=_place(row.get("a", "")),
                b=_place(row.get("b", "")),
                a_text=row.get("a_text", ""),
                b_text=row.get("b_text", ""),
                text=row.get("text", ""),
                before=row.get("before", ""),
            )
            for _, row in sorted(rows.items())
        ]
        for part, rows in fields.items()
    }


def merge_content(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Content:
    """Return the content of these rows; the inverse of `merge_rows`."""
    content: Content = {}
    for part, part_rows in rows.items():
        for number, row in enumerate(part_rows):
            for field in ("a", "b", "a_text", "b_text", "text", "before"):
                value = row.get(field)
                content[f"{part}-{number}-{field}"] = "" if value is None else str(value)
    return content


def split_texts(content: Content) -> dict[str, str]:
    return {field: content.get(field, "").strip() for field in ("spatial", "temporal")}


def split_targets(content: Content) -> list[tuple[str, str]]:
    """Return (sentence, target) in order; an unknown target becomes empty (undecided)."""
    pairs = []
    number = 0
    while f"sentence-{number}" in content:
        target = content.get(f"target-{number}", "")
        pairs.append((content[f"sentence-{number}"], target if target in TARGETS else ""))
        number += 1
    return pairs


def dynamics_verdict(content: Content) -> bool | None:
    """Return whether the video is dynamic, or None without a verdict."""
    return {"dynamic": True, "static": False}.get(content.get("verdict", ""))


def _place(value: str) -> int | None:
    return int(value) if value.isascii() and value.isdigit() else None
