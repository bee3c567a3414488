"""Export mAP@K as files: fractions from 0 to 1, each with its signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields
from itertools import product
from typing import Any

from review.composed.computing import BASELINES, ComposedScores
from review.composed.report import ComposedParameters
from review.composed.scoring import CONVENTIONS, KS, Scores
from review.reports.files import FileTable
from review.reports.models import Report
from review.reports.results import as_json, parameters_of, result_of

PARAMETERS = [field.name for field in fields(ComposedParameters)]
COLUMNS = (
    *PARAMETERS[:3],
    "convention",
    "baseline",
    *(f"map_at_{k}" for k in KS),
    *PARAMETERS[3:],
    "targets",
    "computed_at",
    "signature",
)


def map_table(reports: Sequence[Report]) -> FileTable:
    """Return the reports. CSV has one row per model, convention and baseline."""
    return FileTable(
        COLUMNS,
        (
            _row(report, baseline, convention)
            for report in reports
            for baseline, convention in product(BASELINES, CONVENTIONS)
            if _scores(report, baseline, convention).map
        ),
        lambda: [_entry(report) for report in reports],
    )


def _row(report: Report, baseline: str, convention: str) -> list[object]:
    scores = _scores(report, baseline, convention)
    model, _, frames, *counts = astuple(parameters_of(report, ComposedParameters))
    return [
        model,
        space_of(report),
        frames,
        convention,
        baseline,
        *(scores.map[k] for k in KS),
        *counts,
        report.inputs,
        report.created_at,
        report.signature,
    ]


def space_of(report: Report) -> str:
    return report.subject.partition(".")[0]


def _scores(report: Report, baseline: str, convention: str) -> Scores:
    return result_of(report, ComposedScores).baselines[baseline].by(convention)


def _entry(report: Report) -> dict[str, Any]:
    """Return a report's entry, without the rankings, which the pages show."""
    return {
        "space": space_of(report),
        "parameters": report.parameters,
        "targets": report.inputs,
        "baselines": as_json(result_of(report, ComposedScores).baselines),
        "computed_at": report.created_at.isoformat(),
        "signature": report.signature,
    }
