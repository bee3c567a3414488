"""The page of how many objects temporal captions name (CaReBench, appendix E)."""

from __future__ import annotations

from typing import Any

from annotate.models import Clip, Membership, Project
from metrics.leakage import QUANTILES
from review.capst.few import few_clips
from review.models import Report
from review.queries.recomputing import last_request
from review.reports.leakage import is_old

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
        "project": project,
        "membership": membership,
        "request_state": last_request(project, NAME),
        "reports": reports,
        "shown": shown,
        "paper": PAPER,
    }
    return context | (_shown_context(project, shown) if shown else {})


def _shown_context(project: Project, report: Report) -> dict[str, Any]:
    result = report.result
    most = result["most"]
    clips = Clip.objects.in_bulk([one["clip"] for one in most])
    highest = max([1, *(one[kind] or 0 for one in most for kind in ("spatial", "temporal"))])
    return {
        "spreads": [(name, result[name]) for name in ("spatial", "temporal")],
        "quantiles": [f"{round(100 * one)} %" for one in QUANTILES],
        "most": [(clips[one["clip"]], one) for one in most if one["clip"] in clips],
        "highest": highest,
        "warning": few_clips([result["n_both"]]),
        "is_old": is_old(project, report),
    }
