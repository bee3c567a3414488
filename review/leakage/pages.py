"""The page of the number of objects that temporal captions name (CaReBench, appendix E)."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from django.http import QueryDict

from annotate.models import Clip, Membership, Project
from metrics.leakage import Leakage
from review.leakage import NAME
from review.leakage.report import KIND, LeakageParameters, is_old
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.results import parameters_of, result_of
from review.reports.small_samples import shown_estimate, small_sample_warning
from review.reports.state import ASKED_FOR

# The names of metrics.leakage.QUANTILES.
QUANTILE_NAMES = ("Least", "25 %", "Median", "75 %", "Most")
PAPER = {"spatial": 10.76, "temporal": 6.82}


class LeakagePage(ReportPage[None]):
    """The page; `method` in the URL selects the way of finding objects."""

    key = "leakage"
    title = "Leakage"
    template = "review/leakage/leakage.html"
    kinds = (KIND,)
    due_words = ASKED_FOR

    def context(
        self, membership: Membership, query: QueryDict, subject: None = None
    ) -> dict[str, Any]:
        context = _context(membership, query.get("method", ""))
        return context | {"state": self.state(membership.project)}


def _context(membership: Membership, subject: str) -> dict[str, Any]:
    """Return the context. `subject`: the way of finding objects to show; by default the one with
    the most captions.
    """
    project = membership.project
    reports = sorted(Report.objects.newest(project, NAME), key=lambda report: -report.inputs)
    report = next(
        (report for report in reports if report.subject == subject), reports[0] if reports else None
    )
    context = {
        "project": project,
        "membership": membership,
        "extractors": [
            (listed.subject, parameters_of(listed, LeakageParameters).extractor)
            for listed in reports
        ],
        "report": report,
        "paper": PAPER,
    }
    return context | (_report_context(project, report) if report else {})


def _report_context(project: Project, report: Report) -> dict[str, Any]:
    result = result_of(report, Leakage)
    clips = Clip.objects.in_bulk([leak.clip for leak in result.most])
    highest = max(
        [1, *(count or 0 for leak in result.most for count in (leak.spatial, leak.temporal))]
    )
    return {
        "result": result,
        "ratio": shown_estimate(result, result.n_both),
        "spreads": [
            (name, spread, list(zip_longest(QUANTILE_NAMES, spread.quantiles)))
            for name, spread in (("spatial", result.spatial), ("temporal", result.temporal))
        ],
        "quantiles": QUANTILE_NAMES,
        "most": [(clips[leak.clip], leak) for leak in result.most if leak.clip in clips],
        "highest": highest,
        "warning": small_sample_warning([result.n_both]),
        "is_old": is_old(project, report),
    }
