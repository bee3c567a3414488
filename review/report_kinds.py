"""The pages of reports, one line each; a page names the kinds of reports that it adds."""

from __future__ import annotations

from review.agreement.pages import AgreementPage
from review.assessment.pages import AssessmentPage
from review.capst.pages import PAGE as CAPST
from review.captions.pages import PAGE as CAPTION_SETS
from review.composed.pages import RetrievalPage
from review.identification.pages import IdentificationPage
from review.leaderboard.correlation_page import CorrelationPage
from review.leaderboard.leaderboard_page import LeaderboardPage
from review.leakage.pages import LeakagePage
from review.programs.pages import ProgramsPage
from review.ratings.pages import PAGE as RATINGS
from review.reliability.pages import ReliabilityPage
from review.reports.page import register_page
from review.retrieval.pages import PAGE as RECALL
from review.statistics.pages import StatisticsPage
from review.summary.pages import MetricsPage
from review.summary.report_page import StoredReportPage
from review.threshold.pages import PAGE as THRESHOLD


def register_reports() -> None:
    # Releases list the reports in this order.
    for page in (
        THRESHOLD,
        RATINGS,
        RetrievalPage(),
        AgreementPage(),
        LeaderboardPage(),
        CorrelationPage(),
        RECALL,
        CAPST,
        LeakagePage(),
        CAPTION_SETS,
        MetricsPage(),
        StatisticsPage(),
        IdentificationPage(),
        AssessmentPage(),
        ReliabilityPage(),
        ProgramsPage(),
        StoredReportPage(),
    ):
        register_page(page)
