"""The numbers of mAP@K as files: fractions from 0 to 1, each with how it was made."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from itertools import product
from typing import Any

from review.composed.report import BASELINES, CONVENTIONS, KS
from review.display.spreadsheets import guarded
from review.reports.models import Report

PARAMETERS = ("triplets", "queries", "verified", "gallery")
COLUMNS = (
    "model",
    "space",
    "convention",
    "baseline",
    *(f"map_at_{k}" for k in KS),
    *PARAMETERS,
    "targets",
    "computed_at",
    "signature",
)


def map_csv(reports: Sequence[Report]) -> str:
    """One row a model, convention and baseline."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for report in reports:
        for baseline, convention in product(BASELINES, CONVENTIONS):
            scores = report.result["baselines"][baseline][convention]
            writer.writerow(
                [
                    guarded(report.parameters["model"]),
                    report.subject,
                    convention,
                    baseline,
                    *(scores["map"][str(k)] for k in KS),
                    *(report.parameters[name] for name in PARAMETERS),
                    report.inputs,
                    report.created_at.isoformat(),
                    report.signature,
                ]
            )
    return buffer.getvalue()


def map_json(reports: Sequence[Report]) -> str:
    return json.dumps([_entry(report) for report in reports], indent=2, ensure_ascii=False) + "\n"


def _entry(report: Report) -> dict[str, Any]:
    """Without the rankings, which the pages show."""
    return {
        "space": report.subject,
        "parameters": report.parameters,
        "targets": report.inputs,
        "baselines": report.result["baselines"],
        "computed_at": report.created_at.isoformat(),
        "signature": report.signature,
    }
