"""The numbers of recall and ReBias as files: shares from 0 to 1 and, of ReBias, percent."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from review.models import Report
from review.queries.vectors import GALLERY_OF
from review.recall.rows import ModelRow
from review.reports.recall import DIRECTIONS, KS
from review.spreadsheets import guarded

COLUMNS = (
    *("model", "frames", "subject", "captions", "direction"),
    *(f"recall_at_{k}" for k in KS),
    *("median_rank", "queries", "gallery", "seconds_with_io", "seconds_without_io"),
    *("rebias_table5", "rebias_equation1", "computed_at", "signature"),
)


def recall_csv(rows: Sequence[ModelRow]) -> str:
    """One row a model, kind of caption and direction; ReBias stands in those of spatial and
    temporal captions."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        for kind in row.recalls:
            for way in DIRECTIONS:
                writer.writerow(_line(row, kind, way))
    return buffer.getvalue()


def _line(row: ModelRow, kind: str, way: str) -> list[Any]:
    report = row.report
    assert report is not None  # it has recalls
    numbers = report.result["kinds"][kind][way]
    is_half = kind in ("spatial", "temporal")
    biases = [form.value if form and is_half else None for form in (row.table5, row.equation1)]
    return [
        *(guarded(row.model), row.frames, row.subject, kind, way),
        *(numbers["recall"][str(k)] for k in KS),
        *(numbers["median_rank"], numbers["n_queries"], numbers["n_gallery"]),
        *(numbers["seconds"]["with_io"], numbers["seconds"]["without_io"]),
        *biases,
        *(report.created_at.isoformat(), report.signature),
    ]


def recall_json(rows: Sequence[ModelRow]) -> str:
    entries = [
        {
            "model": row.model,
            "frames": row.frames,
            "recall": _entry(row.report, GALLERY_OF),
            "rebias": _entry(row.rebias_report, ()),
        }
        for row in rows
    ]
    return json.dumps(entries, indent=2, ensure_ascii=False) + "\n"


def _entry(report: Report | None, kinds: Any) -> dict[str, Any] | None:
    if report is None:
        return None
    result = dict(report.result)
    if "kinds" in result:
        result["kinds"] = {k: result["kinds"][k] for k in kinds if k in result["kinds"]}
    return {
        "subject": report.subject,
        "parameters": report.parameters,
        "seed": report.seed,
        "inputs": report.inputs,
        "inputs_hash": report.inputs_hash,
        "result": result,
        "computed_at": report.created_at.isoformat(),
        "signature": report.signature,
    }
