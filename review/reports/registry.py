"""What is computed from a project's stored labels, by the name of its report.

Each function gives the inputs of its reports; whether they must be computed anew is for
`review.reports.services` to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from annotate.models import Project
from review.agreement.report import agreement_inputs
from review.capst.report import capst_inputs
from review.capst.report_leakage import leakage_inputs
from review.captions.report import overlap_inputs
from review.composed.report import composed_retrieval_inputs
from review.leaderboard.report import leaderboard_inputs
from review.leaderboard.report_correlation import SOURCES as CORRELATED
from review.leaderboard.report_correlation import correlation_inputs
from review.ratings.report import ratings_inputs
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.retrieval.report import recall_inputs
from review.retrieval.report_rebias import rebias_inputs
from review.summary.report import SOURCES as UNIFIED_FROM
from review.summary.report import unified_inputs
from review.threshold.report import threshold_inputs

REPORTS: Mapping[str, Callable[[Project], Iterable[Inputs]]] = {
    Report.Name.THRESHOLD: threshold_inputs,
    Report.Name.RATINGS: ratings_inputs,
    Report.Name.COMPOSED_RETRIEVAL: composed_retrieval_inputs,
    Report.Name.AGREEMENT: agreement_inputs,
    Report.Name.LEADERBOARD: leaderboard_inputs,
    Report.Name.CORRELATION: correlation_inputs,
    Report.Name.RECALL: recall_inputs,
    Report.Name.REBIAS: rebias_inputs,
    Report.Name.CAPST: capst_inputs,
    Report.Name.LEAKAGE: leakage_inputs,
    Report.Name.OVERLAP: overlap_inputs,
    Report.Name.UNIFIED: unified_inputs,
}
# What is computed from other reports, and from which.
FOLLOWS: Mapping[str, tuple[str, ...]] = {
    Report.Name.CORRELATION: CORRELATED,
    Report.Name.UNIFIED: UNIFIED_FROM,
}
