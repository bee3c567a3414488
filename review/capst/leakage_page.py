"""The page of how many objects temporal captions name (CaReBench, appendix E)."""

from __future__ import annotations

from typing import Any

from annotate.models import Clip, Membership
from metrics.leakage import QUANTILES
from review.capst.few import few_clips
from review.models import Report
from review.queries.recomputing import last_request
from review.reports.leakage import leakage_inputs

NAME = Report.Name.LEAKAGE
PAPER = {"spatial": 10.76, "temporal": 6.82}


def leakage_context(membership: Membership, subject: str) -> dict[str, Any]:
    """`subject`: which way of finding objects to show; else the one with the most captions."""
    project = membership.project
    reports = sorted(Report.objects.newest(project, NAME), key=lambda one: -one.inputs)
    shown = next(
        (one for one in reports if one.subject == subject), reports[0] if reports else None
    )
    context = {
        "project": membership.project,
        "membership": membership,
        "request_state": last_request(project, NAME),
        "reports": reports,
        "shown": shown,
        "paper": PAPER,
    }
    return context | (_shown_context(membership, shown) if shown else {})


def _shown_context(membership: Membership, report: Report) -> dict[str, Any]:
    result = report.result
    most = result["most"]
    clips = Clip.objects.in_bulk([one["clip"] for one in most])
    highest = max((one["temporal"] or 0 for one in most), default=0)
    highest = max([highest, *((one["spatial"] or 0) for one in most), 1])
    return {
        "spreads": [(name, result[name]) for name in ("spatial", "temporal")],
        "quantiles": [f"{round(100 * one)} %" for one in QUANTILES],
        "most": [(clips[one["clip"]], one) for one in most if one["clip"] in clips],
        "highest": highest,
        "warning": few_clips([result["n_both"]]),
        "is_old": _is_old(membership, report),
    }


def _is_old(membership: Membership, report: Report) -> bool:
    return any(
        inputs.subject == report.subject and inputs.hash != report.inputs_hash
        for inputs in leakage_inputs(membership.project)
    )
