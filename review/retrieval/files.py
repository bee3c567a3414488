"""Export recall (0 to 1) and ReBias (percent) as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from annotate.models import Caption, Project
from inference.queries import outdated_videos
from review.display.tables import yes
from review.reports.files import FileTable
from review.reports.models import Report
from review.reports.results import as_json, result_of
from review.reports.small_samples import shown_estimate
from review.retrieval.computing import (
    FORMS,
    HALVES,
    FullBothWays,
    Intervals,
    RebiasResult,
    Seconds,
    Way,
)
from review.retrieval.directions import DIRECTIONS, KS
from review.retrieval.queries import GALLERY_OF
from review.retrieval.results import RecallResult
from review.retrieval.rows import Bias, ModelRow
from review.retrieval.sections import shown_curve
from review.retrieval.time_table import making_seconds

COLUMNS = (
    *("model", "frames", "subject", "simulated", "old", "captions", "direction"),
    *(f"recall_at_{k}{end}" for k in KS for end in ("", "_low", "_high")),
    *("median_rank", "queries", "gallery", "captions_by_source", "outdated_captions"),
    *("seconds_with_io", "seconds_with_io_sd", "seconds_without_io", "seconds_without_io_sd"),
    *("timed_runs", "seconds_decode", "seconds_embed_clips", "seconds_embed_captions"),
    *("embedded_on", "searched_on", "computed_at", "signature"),
    *(f"rebias_{form}{end}" for form in FORMS for end in ("", "_low", "_high")),
    *("rebias_computed_at", "rebias_signature"),
)
CURVE_COLUMNS = (
    *("model", "frames", "subject", "simulated", "old", "captions", "direction", "k"),
    *("recall", "recall_low", "recall_high", "hits", "queries", "gallery", "videos"),
    *("computed_at", "signature"),
)


def recall_table(project: Project, rows: Sequence[ModelRow]) -> FileTable:
    """Return recall and ReBias. CSV has one row per model, kind of caption and direction, ReBias in
    those of spatial and temporal captions, with its signature. A caption of a whole video is
    outdated if the captions that it was made from have been replaced.
    """
    outdated = outdated_videos(project)
    return FileTable(
        COLUMNS,
        (
            _line(project, row, kind, way, outdated)
            for row in rows
            for kind in row.recalls
            for way in DIRECTIONS
        ),
        lambda: [
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
        ],
    )


def _line(project: Project, row: ModelRow, kind: str, way: str, outdated: int) -> list[Any]:
    report = row.report
    assert report is not None
    result = result_of(report, RecallResult)
    numbers = result.kinds[kind].way(way)
    bias = row.rebias_report if kind in HALVES else None
    forms = (row.table5, row.equation1) if bias else (None, None)
    return [
        *(row.model, row.frames, row.subject),
        *(yes(project.is_simulated), yes(row.is_old), kind, way),
        *(number for k in KS for number in _recall_ends(numbers, k)),
        *(numbers.median_rank, numbers.n_queries, numbers.n_gallery),
        row.sources.get(kind, ""),
        outdated if kind == Caption.Kind.FULL_VIDEO else 0,
        *_times(numbers.seconds),
        *(making_seconds(result.made, kind) or ("", "", "")),
        *(_devices(result, kind), result.searched_on),
        *(report.created_at, report.signature),
        *(end for form in forms for end in _ends(form)),
        *((bias.created_at, bias.signature) if bias else ("", "")),
    ]


def _recall_ends(way: Way, k: int) -> tuple[float | None, float | None, float | None]:
    """Return recall at K and its interval, if it is shown."""
    curve = shown_curve(way)
    if curve is None or not curve.low:
        return way.recall[k], None, None
    place = min(k, len(curve.low)) - 1
    return way.recall[k], curve.low[place], curve.high[place]


def _devices(result: RecallResult, kind: str) -> str:
    """Return the devices that made the gallery's and the captions' vectors, as far as stored."""
    made = [result.made[part] for part in (GALLERY_OF[kind], kind)]
    return ", ".join(dict.fromkeys(name for making in made for name in making.devices if name))


def _times(seconds: Seconds) -> tuple[float | None, ...]:
    with_io, without_io = seconds.spreads
    return seconds.with_io, with_io, seconds.without_io, without_io, seconds.n_runs


def _ends(bias: Bias | None) -> tuple[float | None, float | None, float | None]:
    return (bias.value, bias.low, bias.high) if bias else (None, None, None)


def recall_curve_table(project: Project, rows: Sequence[ModelRow]) -> FileTable:
    """Return one row per model, kind of caption, direction and K, up to 50 or to the end of the
    gallery.
    """
    return FileTable(
        CURVE_COLUMNS,
        (
            line
            for row in rows
            for kind in row.recalls
            for way in DIRECTIONS
            for line in _curve_lines(project, row, kind, way)
        ),
    )


def _curve_lines(project: Project, row: ModelRow, kind: str, name: str) -> Iterator[list[Any]]:
    way = row.vectors.kinds[kind].way(name)
    curve, report = shown_curve(way), row.report
    assert report is not None
    if curve is None:
        return
    about = [row.model, row.frames, row.subject, yes(project.is_simulated), yes(row.is_old)]
    for k, hits in enumerate(curve.hits, 1):
        ends = (curve.low[k - 1], curve.high[k - 1]) if curve.low else ("", "")
        yield [
            *(*about, kind, name, k, hits / way.n_queries, *ends, hits),
            *(way.n_queries, way.n_gallery, curve.n_videos, report.created_at, report.signature),
        ]


def _recall(report: Report) -> RecallResult:
    result = result_of(report, RecallResult)
    kinds = {
        kind: FullBothWays(
            **{
                name: replace(way, curve=shown_curve(way) or way.curve)
                for name in DIRECTIONS
                for way in [result.kinds[kind].way(name)]
            }
        )
        for kind in GALLERY_OF
        if kind in result.kinds
    }
    return replace(result, kinds=kinds)


def _rebias(report: Report) -> RebiasResult:
    result = result_of(report, RebiasResult)
    if result.intervals is None:
        return result
    cells = {
        form: shown_estimate(result.intervals.of(form), result.n_videos, "video") for form in FORMS
    }
    return replace(result, intervals=Intervals(**cells))


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
