"""The pages' data about the overlap of models with human captions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from annotate.models import Project
from metrics.overlap.result import Score
from review.captions import NAME
from review.captions.computing import SCORES, Overlap
from review.captions.instructions import instructions_of
from review.captions.models import CaptionSet
from review.captions.references import (
    further_of_kind,
    has_references,
    human_references,
    references_digest,
)
from review.captions.report import is_old
from review.reports.instructions import Instructions
from review.reports.models import Report
from review.reports.results import result_of
from review.reports.small_samples import shown_estimate, small_sample_warning

COLUMNS = tuple(SCORES.values())
WIDTH = 100
# More digits have no use, and a template would write 1e-227 in full.
DIGITS = 4


@dataclass(frozen=True)
class Cell:
    """A score with its interval. An undefined number is None, and `reason` says why.

    `bar`, `begin` and `length` are those of the value and its interval in a chart of WIDTH, which
    the score's greatest value or interval in the project fills.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    reason: str
    bar: float = 0
    begin: float = 0
    length: float = 0


@dataclass(frozen=True)
class OverlapRow:
    """`report` and its `result` are None until something is computed; `obstacle` says why nothing
    can be, if so."""

    caption_set: CaptionSet
    asked: Instructions
    report: Report | None
    result: Overlap | None
    cells: list[Cell]
    is_old: bool
    obstacle: str


def overlap_rows(project: Project, sets: Sequence[CaptionSet]) -> list[OverlapRow]:
    """Return a row for each set in the order given."""
    newest = {report.subject: report for report in Report.objects.newest(project, NAME)}
    reports = [newest.get(str(caption_set.pk)) for caption_set in sets]
    results = {subject: result_of(report, Overlap) for subject, report in newest.items()}
    # Read all human captions only if a report may be outdated.
    computed = sorted(
        {caption_set.kind for caption_set, report in zip(sets, reports, strict=True) if report}
    )
    references = {kind: human_references(project, kind) for kind in computed}
    digests = {
        kind: references_digest(of_kind, further_of_kind(project, kind, of_kind))
        for kind, of_kind in references.items()
    }
    described = {kind: bool(texts) for kind, texts in references.items()}
    for kind in sorted({caption_set.kind for caption_set in sets} - described.keys()):
        described[kind] = has_references(project, kind)
    # Over all models, so that a bar has the same length on a model's own page and beside the
    # others.
    most = _most(results.values())
    return [
        OverlapRow(
            caption_set=caption_set,
            asked=instructions_of(caption_set),
            report=report,
            result=(result := results.get(str(caption_set.pk))),
            cells=_cells(result, most) if result else [],
            is_old=report is not None and is_old(report, digests[caption_set.kind]),
            obstacle=_obstacle(caption_set, described[caption_set.kind]),
        )
        for caption_set, report in zip(sets, reports, strict=True)
    ]


def _obstacle(caption_set: CaptionSet, has_references: bool) -> str:
    if not caption_set.is_used:
        return "Not computed while these captions are not offered."
    return "" if has_references else "No clip has a human caption of this kind yet."


def _most(results: Collection[Overlap]) -> dict[str, float]:
    """Return each score's greatest number in any report."""
    return {
        key: max([number for result in results for number in _numbers(result, key)], default=0) or 1
        for key in SCORES
    }


def few_overlaps(rows: Sequence[OverlapRow]) -> str:
    """Return a warning that scores are based on few clips, or ""."""
    return small_sample_warning([row.result.n for row in rows if row.result])


def _score(result: Overlap, key: str) -> Score:
    return shown_estimate(result.score(key), result.n)


def _numbers(result: Overlap, key: str) -> list[float]:
    score = _score(result, key)
    return [number for number in (score.value, score.high) if number is not None]


def _cells(result: Overlap, most: Mapping[str, float]) -> list[Cell]:
    return [_cell(name, _score(result, key), WIDTH / most[key]) for key, name in SCORES.items()]


def _cell(name: str, score: Score, scale: float) -> Cell:
    value, low, high = _rounded(score.value), _rounded(score.low), _rounded(score.high)
    begin = 0 if low is None else low * scale
    return Cell(
        name,
        value,
        low,
        high,
        score.reason,
        bar=round((value or 0) * scale, 2),
        begin=round(begin, 2),
        length=round(0 if high is None else high * scale - begin, 2),
    )


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, DIGITS)
