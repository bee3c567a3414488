"""The table as the page and its files show it: a row a number, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from review.assessment.computing import Assessment
from review.assessment.quantities import Quantity
from review.reports.small_samples import shown_estimate

SECTIONS = {
    "B.1": "Videos checked for dynamics",
    "B.2": "Error counts for the threshold",
    "B.3": "Captions checked and corrected",
    "B.4": "Ratings from 0 to 5",
}
PERCENT, NUMBER, SECONDS = "percent", "number", "seconds"
DECIMALS = {PERCENT: 1, NUMBER: 2, SECONDS: 0}
TIMES = {PERCENT: 100, NUMBER: 1, SECONDS: 1}
UNITS = {PERCENT: " %", NUMBER: "", SECONDS: " s"}


class Words(NamedTuple):
    """The name and unit of a row, and what `n` counts."""

    name: str
    form: str
    unit: str
    units: str


def _errors(part: str) -> dict[str, Words]:
    caption = ("caption", "captions")
    counted = "per judgment"
    return {
        f"{part}_content_errors": Words(f"Content errors (A, B, C) {counted}", NUMBER, *caption),
        f"{part}_content_error_sentences": Words(
            f"Sentences with a content error {counted}", NUMBER, *caption
        ),
        f"{part}_topic_errors": Words(f"Topic errors (D) {counted}", NUMBER, *caption),
        f"{part}_off_theme": Words("Judgments “off topic”", PERCENT, "judgment", "judgments"),
        f"{part}_equal": Words(
            "Sentences judged the same by two people", PERCENT, "sentence", "sentences"
        ),
        f"{part}_alpha": Words(
            "Krippendorff’s alpha, types of a sentence", NUMBER, "sentence", "sentences"
        ),
        f"{part}_theme_alpha": Words("Krippendorff’s alpha, topic", NUMBER, *caption),
        f"{part}_counts_alpha": Words(
            "Krippendorff’s alpha, errors per caption (interval)", NUMBER, *caption
        ),
        f"{part}_seconds": Words("Seconds per judgment", SECONDS, "judgment", "judgments"),
    }


def _ratings() -> dict[str, Words]:
    words: dict[str, Words] = {}
    for part, of in (("all", "all"), ("clips", "clips"), ("videos", "whole videos")):
        caption = ("caption", "captions")
        words |= {
            f"rate_{part}_mean": Words(f"Mean rating, {of}", NUMBER, *caption),
            f"rate_{part}_high": Words(f"Ratings of 4 or 5, {of}", PERCENT, "rating", "ratings"),
            f"rate_{part}_kappa": Words(f"Weighted kappa, quadratic, {of}", NUMBER, *caption),
            f"rate_{part}_alpha": Words(f"Krippendorff’s alpha, ordinal, {of}", NUMBER, *caption),
        }
    return words


WORDS = {
    "videos_judged": Words("Videos judged by two or more people", PERCENT, "video", "videos"),
    "videos_left_out": Words("Of these, left out as not dynamic", PERCENT, "video", "videos"),
    "videos_equal": Words("Equal verdicts of two people", PERCENT, "video", "videos"),
    "videos_alpha": Words("Krippendorff’s alpha", NUMBER, "video", "videos"),
    "videos_seconds": Words("Seconds per judgment", SECONDS, "judgment", "judgments"),
    "study_complete": Words(
        "Captions judged by everybody who was asked", PERCENT, "caption", "captions"
    ),
    **_errors("study"),
    "check_captions": Words(
        "Clips and whole videos with a checked caption", PERCENT, "clip or video", "clips or videos"
    ),
    "check_corrected": Words("Checked captions corrected", PERCENT, "caption", "captions"),
    "check_A": Words("Sentences of type A: wrong text", PERCENT, "sentence", "sentences"),
    "check_B": Words("Sentences of type B: redundant", PERCENT, "sentence", "sentences"),
    "check_C": Words("Sentences of type C: something missing", PERCENT, "sentence", "sentences"),
    "check_D": Words("Sentences of type D: off topic", PERCENT, "sentence", "sentences"),
    **_errors("check"),
    **_ratings(),
    "rate_seconds": Words("Seconds per rating", SECONDS, "rating", "ratings"),
}


@dataclass(frozen=True)
class Row:
    """A row as people read it; `quantity` has no interval if it is based on too few units.

    `reason_rows`: the number of rows from this one on that lack a number for the same reason, which
    is shown once; 0 if a row before it shows the reason."""

    words: Words
    quantity: Quantity
    reason_rows: int = 1

    @property
    def counts(self) -> list[str]:
        """Return judgments and people as text, empty where nothing was counted."""
        base = self.quantity.base
        return [f"{count:,}" if count else "" for count in (base.judgments, base.people)]

    @property
    def n(self) -> str:
        """Return such as "12 videos"; empty without any."""
        n = self.quantity.base.n
        return f"{n:,} {self.words.unit if n == 1 else self.words.units}" if n else ""

    @property
    def value(self) -> str:
        """Return the number with its unit; empty if it is undefined."""
        value = self.quantity.value
        return "" if value is None else f"{self._number(value)}{UNITS[self.words.form]}"

    @property
    def interval(self) -> str:
        low, high = self.quantity.low, self.quantity.high
        if low is None or high is None:
            return ""
        return f"{self._number(low)} to {self._number(high)}"

    def _number(self, value: float) -> str:
        return f"{value * TIMES[self.words.form]:z,.{DECIMALS[self.words.form]}f}"


@dataclass(frozen=True)
class Section:
    number: str
    title: str
    rows: list[Row]


def sections_of(assessment: Assessment) -> list[Section]:
    return [
        Section(part.section, SECTIONS[part.section], _rows_of(part.rows))
        for part in assessment.parts
    ]


def _rows_of(quantities: Sequence[Quantity]) -> list[Row]:
    rows: list[Row] = []
    for _, group in groupby(map(row_of, quantities), key=_shared_reason):
        first, *others = group
        if first.value or first.n:
            rows += [first, *others]
        else:
            rows.append(replace(first, reason_rows=1 + len(others)))
            rows += [replace(row, reason_rows=0) for row in others]
    return rows


def _shared_reason(row: Row) -> str:
    """Return why a row of nothing has no number; another text for each other row."""
    return row.quantity.key if row.value or row.n else f"because {row.quantity.reason}"


def row_of(quantity: Quantity) -> Row:
    words = WORDS[quantity.key]
    return Row(words, shown_estimate(quantity, quantity.base.n, words.unit, words.units))


def all_rows(assessment: Assessment) -> Iterator[tuple[str, Row]]:
    """Yield each row with its section of the appendix."""
    for section in sections_of(assessment):
        for row in section.rows:
            yield section.number, row
