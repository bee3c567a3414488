"""LoVR's annotation table (appendix B.3): a caption with marks, and a row for each mark. Pure.

In the paper an erroneous sentence is between two delimiters, and a placeholder marks a missing
segment. The paper doesn't show the characters, so people choose `Marks`. The rows of a caption
follow its marks in order: for a sentence its types (`A#B`) and its one correction, `0` for a
deletion; for a placeholder `C` and the missing text. Both have their frames in the clip, a sentence
only if the reviewer marked them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.text.sentences import Sentence
from review.verification.judgment import (
    DELETED,
    NO_FRAME,
    Judgment,
    Missing,
    Verdict,
    parse_types,
)

NO_SPAN = (NO_FRAME, NO_FRAME)


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks before and after an erroneous sentence, and for a missing segment."""

    before: str = "<<"
    behind: str = ">>"
    missing: str = "<MISSING>"

    def __post_init__(self) -> None:
        marks = (self.before, self.behind, self.missing)
        if not all(mark.strip() for mark in marks) or len(set(marks)) < len(marks):
            raise ValueError("Choose three different marks; none may be empty.")


@dataclass(frozen=True, slots=True)
class MarkRow:
    """The table's row for one mark. Unmarked frames are NO_FRAME."""

    types: str
    correction: str
    start_frame: int = NO_FRAME
    end_frame: int = NO_FRAME


@dataclass(frozen=True, slots=True)
class Mark:
    """A sentence's range in the text without marks; for a placeholder `end` is None."""

    start: int
    end: int | None


def marked(text: str, sentences: Sequence[Sentence], judgment: Judgment, marks: Marks) -> str:
    """Return the caption with its marks. Raises ValueError if the text itself contains them."""
    missing = {missing.place for missing in judgment.missing}
    pieces: list[str] = []
    expected: list[Mark] = []
    at = 0
    for number, (sentence, verdict) in enumerate(zip(sentences, judgment.verdicts, strict=True)):
        pieces.append(text[at : sentence.start])
        if number in missing:
            pieces.append(marks.missing)
            expected.append(Mark(sentence.start, None))
        if verdict.types:
            pieces += [marks.before, sentence.text, marks.behind]
            expected.append(Mark(sentence.start, sentence.end))
        else:
            pieces.append(sentence.text)
        at = sentence.end
    if len(sentences) in missing:
        pieces.append(marks.missing)
        expected.append(Mark(at, None))
    whole = "".join([*pieces, text[at:]])
    try:
        is_clear = unmarked(whole, marks) == (text, expected)
    except ValueError:
        is_clear = False
    if not is_clear:
        raise ValueError(f"its text contains {_named(marks)}; choose other marks.")
    return whole


def unmarked(whole: str, marks: Marks) -> tuple[str, list[Mark]]:
    """Return the caption without its marks, and the marks in order. Raises ValueError
    with the fix.
    """
    pattern = re.compile("|".join(map(re.escape, sorted(_all(marks), key=len, reverse=True))))
    pieces: list[str] = []
    spans: list[Mark] = []
    length = at = 0
    opened: int | None = None
    for match in pattern.finditer(whole):
        pieces.append(whole[at : match.start()])
        length += match.start() - at
        at = match.end()
        if match[0] == marks.missing:
            if opened is not None:
                raise ValueError(f"{marks.missing} is inside a marked sentence; move it out.")
            spans.append(Mark(length, None))
        elif match[0] == marks.before:
            if opened is not None:
                raise ValueError(f"{marks.before} occurs twice without {marks.behind} between.")
            opened = length
        else:
            if opened is None:
                raise ValueError(f"{marks.behind} occurs without {marks.before} before it.")
            spans.append(Mark(opened, length))
            opened = None
    if opened is not None:
        raise ValueError(f"{marks.before} has no {marks.behind} behind it.")
    return "".join([*pieces, whole[at:]]), spans


def rows_of(judgment: Judgment) -> list[MarkRow]:
    """Return the rows in the order of the marks from `marked`."""
    missing = {
        missing.place: MarkRow("C", missing.text, missing.start_frame, missing.end_frame)
        for missing in judgment.missing
    }
    rows: list[MarkRow] = []
    for number, verdict in enumerate(judgment.verdicts):
        rows += [missing[number]] if number in missing else []
        if verdict.types:
            correction = DELETED if verdict.is_deleted else verdict.correction
            rows.append(MarkRow(verdict.code, correction, *(verdict.span or NO_SPAN)))
    at_end = len(judgment.verdicts)
    return rows + ([missing[at_end]] if at_end in missing else [])


def read_mark(
    mark: Mark, row: MarkRow, sentences: Sequence[Sentence]
) -> tuple[int, Verdict] | Missing:
    """Return the content of a row: the verdict on a sentence by its number, or a missing segment.

    Raises ValueError with the fix.
    """
    if mark.end is None:
        if row.types != "C":
            raise ValueError(f"a placeholder must have type C, not “{row.types}”.")
        return Missing(
            _place(mark.start, sentences), row.correction, row.start_frame, row.end_frame
        )
    number = bisect_left(sentences, mark.start, key=_start)
    if number == len(sentences) or (mark.start, mark.end) != (
        sentences[number].start,
        sentences[number].end,
    ):
        raise ValueError("put the marks directly before and after one sentence.")
    types = parse_types(row.types)
    if not types:
        raise ValueError("a marked sentence has no type; give it one, as in A#B, or unmark it.")
    is_deleted = row.correction == DELETED
    correction = "" if is_deleted else row.correction
    span = (row.start_frame, row.end_frame)
    return number, Verdict(types, correction, is_deleted, None if span == NO_SPAN else span)


def _place(at: int, sentences: Sequence[Sentence]) -> int:
    place = bisect_left(sentences, at, key=_start)
    if place and at < sentences[place - 1].end:
        raise ValueError("a placeholder is inside a sentence; move it between two sentences.")
    return place


def _start(sentence: Sentence) -> int:
    return sentence.start


def _all(marks: Marks) -> tuple[str, str, str]:
    return marks.before, marks.behind, marks.missing


def _named(marks: Marks) -> str:
    return "{}, {} or {}".format(*_all(marks))
