"""The Merge page: aligned rows, conflicts, and authors' rewrites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from annotate.merge.marks import mark_contradictions
from annotate.models import Assignment, Caption, WorkItem
from annotate.queue.content import Content, merge_content, merge_rows
from annotate.text.align import align_sentences
from annotate.text.content import Token, content_words, tokens
from annotate.text.diff import DiffSpan, Op, word_diff
from annotate.text.looked import row_conflicts
from annotate.text.merging import (
    Origin,
    Row,
    Rows,
    current_rows,
    merged_parts,
    origins_by_row,
    propose_rows,
)
from annotate.text.parts import PARTS, SENTENCES, join_parts
from annotate.text.sentences import split_sentences
from annotate.text.spans import timeline_spans
from annotate.text.words import count_words
from annotate.write.queries import rewritten_from, texts_of, write_ups

State = Assignment.State
CONFLICT_KINDS = {"number": "number", "colour": "color", "side": "side", "order": "order"}
Changes = dict[str, dict[int, list[DiffSpan]]]


@dataclass(frozen=True)
class Source:
    """One write-up without its author. For each part, `changes` and `removed` compare it with the
    version before its author rewrote it: by sentence, and the deleted sentences."""

    label: str
    caption_id: int
    parts: dict[str, str]
    is_being_rewritten: bool
    is_rewritten: bool
    changes: Changes
    removed: dict[str, list[str]]


def merge_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    captions = write_ups(assignment.item.clip)
    sources = _sources(captions)
    a, b = (*sources, None, None)[:2]
    rows = rows_of(content, captions)
    parts = {part: _part(part, rows[part], content, a, b) for part in PARTS}
    for part, origins in origins_by_row(rows).items():
        for row, of_row in zip(parts[part]["rows"], origins, strict=True):
            row["origin"] = origin_text(of_row)
    conflicts = [c for part in parts.values() for row in part["rows"] for c in row["conflicts"]]
    is_rewrite = assignment.returned_by_id in {caption.author_id for caption in captions}
    awaited = " and ".join(source.label for source in sources if source.is_being_rewritten)
    merged_text = join_parts(merged_parts(rows))
    return {
        "a": a,
        "b": b,
        "sources": sources,
        "parts": parts,
        "sentence_spans": [
            span
            for label, text in zip("AB", texts_of(captions), strict=True)
            for span in timeline_spans(chain(*text.timed().values()), label)
        ],
        "blank_row": _row("overview", 0, Row(a=None, b=None, a_text="", b_text="", text="")),
        "conflicts": conflicts,
        "looked_count": sum(conflict["is_looked_at"] for conflict in conflicts),
        "merged_text": merged_text,
        "word_count": count_words(merged_text),
        # The author of a rewritten write-up must not be named to the expert.
        "sent_back_by": None if is_rewrite else assignment.returned_by,
        "paused_text": awaited
        and f"Waiting for the rewrite of {awaited}. Your merge is kept here as you left it.",
        "can_send_back": assignment.item.purpose == WorkItem.Purpose.WORK
        and (assignment.holds_lease or assignment.state == State.PAUSED),
        "is_reopened": bool(assignment.returned_by_id) and not is_rewrite,
    }


def merge_task(assignment: Assignment) -> dict[str, Any]:
    """Return the write-ups without their authors, the rows as a draft's content, to which a program
    gives their text, and the conflicts, each with the field that says it was looked at."""
    captions = write_ups(assignment.item.clip)
    sources = _sources(captions)
    rows = rows_of(assignment.draft, captions)
    conflicts = [
        {
            "field": conflict.name,
            "row": f"{part}-{number}",
            "message": conflict.conflict.message,
        }
        for part, of_part in rows.items()
        for number, row in enumerate(of_part)
        for conflict in row_conflicts(part, row, assignment.draft)
    ]
    return {
        "write_ups": [
            {
                "label": source.label,
                "caption": source.caption_id,
                "parts": source.parts,
                "is_being_rewritten": source.is_being_rewritten,
            }
            for source in sources
        ],
        "rows": merge_content(rows),
        "conflicts": conflicts,
    }


def rows_of(content: Content, captions: Sequence[Caption]) -> Rows:
    """Return the rows of the draft, or the initial ones. With a single write-up, each of its
    sentences is already in the merged text."""
    a, b = texts_of(captions)
    rows = merge_rows(content)
    if any(rows.values()):
        return current_rows(rows, a, b)
    proposed = propose_rows(a, b)
    if not b.parts:
        for part_rows in proposed.values():
            for row in part_rows:
                row["text"] = row["a_text"]
    return proposed


def origin_text(origins: Iterable[Origin]) -> str:
    """Return where the sentences of a row come from, in words: "From A, edited from B"."""
    words = [_origin_words(origin) for origin in origins]
    distinct = [text for place, text in enumerate(words) if words[:place][-1:] != [text]]
    joined = ", ".join(distinct)
    return joined[:1].upper() + joined[1:]


def _origin_words(origin: Origin) -> str:
    match origin["origin"]:
        case "a":
            return "from A"
        case "b":
            return "from B"
        case "both":
            return "in A and B"
        case "new":
            return "new"
    like = [name for name, place in (("A", origin["a"]), ("B", origin["b"])) if place is not None]
    return f"edited from {' and '.join(like)}"


def _sources(captions: list[Caption]) -> list[Source]:
    earlier = rewritten_from(captions)
    sources = []
    for label, caption in zip("AB", captions[:2], strict=False):
        before = earlier.get(caption.pk)
        compared = {
            part: _compared(before.parts.get(part, ""), caption.parts.get(part, ""))
            if before
            else ({}, [])
            for part in PARTS
        }
        sources.append(
            Source(
                label=label,
                caption_id=caption.pk,
                parts=caption.parts,
                is_being_rewritten=bool(
                    caption.assignment and caption.assignment.state != State.SUBMITTED
                ),
                is_rewritten=before is not None,
                changes={part: changed for part, (changed, _) in compared.items()},
                removed={part: gone for part, (_, gone) in compared.items()},
            )
        )
    return sources


def _compared(before: str, after: str) -> tuple[dict[int, list[DiffSpan]], list[str]]:
    """Return the difference of each changed sentence, and the removed sentences."""
    old = [sentence.text for sentence in split_sentences(before)]
    new = [sentence.text for sentence in split_sentences(after)]
    changed = {}
    removed = []
    for pair in align_sentences(old, new):
        if pair.b is None:
            removed.append(old[pair.a or 0])
        elif pair.a is None:
            changed[pair.b] = [DiffSpan("insert", new[pair.b])]
        elif old[pair.a].split() != new[pair.b].split():
            changed[pair.b] = word_diff(old[pair.a], new[pair.b])
    return changed, removed


def _part(
    name: str, rows: list[Row], content: Content, a: Source | None, b: Source | None
) -> dict[str, Any]:
    shown_rows = [_row(name, number, row, content, a, b) for number, row in enumerate(rows)]
    least, most = SENTENCES.get(name, (1, 0))
    text = " ".join(row["text"] for row in rows)
    return {
        "name": name,
        "label": name.capitalize(),
        "rows": shown_rows,
        "words": count_words(text),
        "sentences": len(split_sentences(text)),
        "least": least,
        "most": most or "",
        "removed": [
            (source.label, text) for source in (a, b) if source for text in source.removed[name]
        ],
    }


def _row(
    part: str,
    number: int,
    row: Row,
    content: Mapping[str, str] | None = None,
    a: Source | None = None,
    b: Source | None = None,
) -> dict[str, Any]:
    a_spans, b_spans = _sides(row["a_text"], row["b_text"])
    conflicts = [row_conflict.conflict for row_conflict in row_conflicts(part, row, content or {})]
    return {
        **row,
        "id": f"{part}-{number}",
        "part": part.capitalize(),
        "number": number + 1,
        "a_spans": mark_contradictions(a_spans, [conflict.a_text for conflict in conflicts]),
        "b_spans": mark_contradictions(b_spans, [conflict.b_text for conflict in conflicts]),
        "a_change": a.changes[part].get(row["a"]) if a and row["a"] is not None else None,
        "b_change": b.changes[part].get(row["b"]) if b and row["b"] is not None else None,
        "conflicts": _conflicts(part, number, row, content or {}),
        "origin": "",
    }


def _sides(a: str, b: str) -> tuple[list[DiffSpan], list[DiffSpan]]:
    """Return both sentences with the content words marked that the other lacks in any form or
    place.

    Two people order and connect their words differently, so marking that too would mark everything.
    A sentence without a partner has no marks.
    """
    if not a or not b:
        return [DiffSpan("equal", a)], [DiffSpan("equal", b)]
    return _marked(a, "delete", tokens(b)), _marked(b, "insert", tokens(a))


def _marked(text: str, op: Op, other: list[Token]) -> list[DiffSpan]:
    stems = {token.stem for token in other}
    spans: list[DiffSpan] = []
    end = 0
    for token in content_words(text):
        if token.stem in stems:
            continue
        between = text[end : token.start]
        if spans and not between.strip(" -"):  # one mark over neighboring words
            spans[-1] = DiffSpan(op, spans[-1].text + text[end : token.end])
        else:
            spans += [DiffSpan("equal", between)] if between else []
            spans.append(DiffSpan(op, text[token.start : token.end]))
        end = token.end
    return [*spans, DiffSpan("equal", text[end:])] if text[end:] else spans


def _conflicts(
    part: str, number: int, row: Row, content: Mapping[str, str]
) -> list[dict[str, Any]]:
    return [
        {
            "name": conflict.name,
            "kind": conflict.conflict.kind,
            "label": CONFLICT_KINDS[conflict.conflict.kind],
            "a_text": conflict.conflict.a_text,
            "b_text": conflict.conflict.b_text,
            "part": part.capitalize(),
            "row": f"{part}-{number}",
            "number": number + 1,
            "is_looked_at": conflict.is_looked_at,
        }
        for conflict in row_conflicts(part, row, content)
    ]
