"""Export recall (0 to 1) and ReBias (percent) as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from annotate.models import Caption, Project
from inference.queries import outdated_videos
from review.display.tables import csv_text, json_text, yes
from review.reports.models import Report
from review.reports.results import as_json, result_of
from review.reports.small_samples import shown_estimate
from review.retrieval.queries import GALLERY_OF
from review.retrieval.report import DIRECTIONS, KS, RecallResult
from review.retrieval.report_rebias import FORMS, HALVES, Intervals, RebiasResult
from review.retrieval.rows import Bias, ModelRow

COLUMNS = (
    *("model", "frames", "subject", "simulated", "old", "captions", "direction"),
    *(f"recall_at_{k}" for k in KS),
    *("median_rank", "queries", "gallery", "captions_by_source", "outdated_captions"),
    *("seconds_with_io", "seconds_without_io", "computed_at", "signature"),
    *(f"rebias_{form}{end}" for form in FORMS for end in ("", "_low", "_high")),
    *("rebias_computed_at", "rebias_signature"),
)


def recall_csv(project: Project, rows: Sequence[ModelRow]) -> str:
    """Return one row per model, kind of caption and direction. ReBias is in the rows of spatial and
    temporal captions, with its signature. A caption of a whole video is outdated if the captions
    that it was made from have been replaced.
    """
    outdated = outdated_videos(project)
    return csv_text(
        COLUMNS,
        (
            _line(project, row, kind, way, outdated)
            for row in rows
            for kind in row.recalls
            for way in DIRECTIONS
        ),
    )


def _line(project: Project, row: ModelRow, kind: str, way: str, outdated: int) -> list[Any]:
    report = row.report
    assert report is not None
    numbers = result_of(report, RecallResult).kinds[kind].way(way)
    bias = row.rebias_report if kind in HALVES else None
    forms = (row.table5, row.equation1) if bias else (None, None)
    return [
        *(row.model, row.frames, row.subject),
        *(yes(project.is_simulated), yes(row.is_old), kind, way),
        *(numbers.recall[k] for k in KS),
        *(numbers.median_rank, numbers.n_queries, numbers.n_gallery),
        row.sources.get(kind, ""),
        outdated if kind == Caption.Kind.FULL_VIDEO else 0,
        *(numbers.seconds.with_io, numbers.seconds.without_io),
        *(report.created_at, report.signature),
        *(end for form in forms for end in _ends(form)),
        *((bias.created_at, bias.signature) if bias else ("", "")),
    ]


def _ends(bias: Bias | None) -> tuple[float | None, float | None, float | None]:
    return (bias.value, bias.low, bias.high) if bias else (None, None, None)


def recall_json(project: Project, rows: Sequence[ModelRow]) -> str:
    outdated = outdated_videos(project)
    entries = [
        {
            "model": row.model,
            "frames": row.frames,
            "simulated": project.is_simulated,
            "old": row.is_old,
            "outdated_full_video_captions": outdated,
            "recall": _entry(row.report, _recall(row.report)) if row.report else None,
            "rebias": _entry(bias, _rebias(bias)) if (bias := row.rebias_report) else None,
        }
        for row in rows
    ]
    return json_text(entries)


def _recall(report: Report) -> RecallResult:
    result = result_of(report, RecallResult)
    kinds = {kind: result.kinds[kind] for kind in GALLERY_OF if kind in result.kinds}
    return replace(result, kinds=kinds)


def _rebias(report: Report) -> RebiasResult:
    result = result_of(report, RebiasResult)
    if result.intervals is None:
        return result
    shown = {
        form: shown_estimate(result.intervals.of(form), result.n_videos, "video") for form in FORMS
    }
    return replace(result, intervals=Intervals(**shown))


def _entry(report: Report, result: RecallResult | RebiasResult) -> dict[str, Any]:
    return {
        "subject": report.subject,
        "parameters": report.parameters,
        "seed": report.seed,
        "inputs": report.inputs,
        "inputs_hash": report.inputs_hash,
        "result": as_json(result),
        "computed_at": report.created_at.isoformat(),
        "signature": report.signature,
    }
