"""The reports of this app and the pages that show them, one line each."""

from __future__ import annotations

from metrics.leakage import Leakage
from review.agreement.pages import AgreementPage
from review.agreement.report import AgreementResult, agreement_inputs
from review.assessment.computing import Assessment
from review.assessment.pages import AssessmentPage
from review.assessment.report import assessment_inputs
from review.capst.pages import PAGE as CAPST
from review.capst.report import capst_inputs
from review.capst.results import CapstResult, capst_clip_counts
from review.captions.computing import Overlap
from review.captions.pages import PAGE as CAPTION_SETS
from review.captions.queries import retired_sets
from review.captions.report import overlap_inputs
from review.composed.computing import Composed
from review.composed.pages import RetrievalPage
from review.composed.report import composed_retrieval_inputs
from review.identification.computing import Identification
from review.identification.pages import IdentificationPage
from review.identification.report import identification_inputs
from review.leaderboard.computing import LeaderboardResult
from review.leaderboard.correlating import Correlations
from review.leaderboard.correlation_page import CorrelationPage
from review.leaderboard.leaderboard_page import LeaderboardPage
from review.leaderboard.report import leaderboard_inputs
from review.leaderboard.report_correlation import SOURCES as CORRELATED
from review.leaderboard.report_correlation import correlation_inputs
from review.leakage.pages import LeakagePage
from review.leakage.report import leakage_inputs
from review.programs.pages import ProgramsPage
from review.programs.report import ProgramResult, programs_inputs
from review.ratings.computing import Ratings
from review.ratings.pages import PAGE as RATINGS
from review.ratings.report import ratings_inputs
from review.reliability.pages import ReliabilityPage
from review.reliability.report import RESULTS as RELIABILITY_RESULTS
from review.reliability.report import SOURCES as RELIABILITY_FROM
from review.reliability.report import reliability_inputs
from review.reports.models import Report
from review.reports.page import register_page
from review.reports.registry import ReportKind, register_report
from review.retrieval.computing import RebiasResult
from review.retrieval.pages import PAGE as RECALL
from review.retrieval.queries import retired_vectors
from review.retrieval.report import recall_inputs
from review.retrieval.report_rebias import rebias_inputs
from review.retrieval.results import RecallResult, recall_clip_counts
from review.statistics.pages import StatisticsPage
from review.statistics.report import Statistics, statistics_inputs
from review.summary.pages import MetricsPage
from review.summary.report import SOURCES as UNIFIED_FROM
from review.summary.report import unified_inputs
from review.summary.report_page import StoredReportPage
from review.summary.results import UNIFIED_RESULTS
from review.threshold.computing import Thresholds
from review.threshold.pages import PAGE as THRESHOLD
from review.threshold.report import threshold_inputs

Name = Report.Name


def register_reports() -> None:
    for kind in (
        ReportKind(Name.THRESHOLD, threshold_inputs, Thresholds, of_people=True),
        ReportKind(Name.RATINGS, ratings_inputs, Ratings, of_people=True),
        ReportKind(Name.COMPOSED_RETRIEVAL, composed_retrieval_inputs, Composed),
        ReportKind(Name.AGREEMENT, agreement_inputs, AgreementResult, of_people=True),
        ReportKind(Name.LEADERBOARD, leaderboard_inputs, LeaderboardResult, of_people=True),
        ReportKind(Name.CORRELATION, correlation_inputs, Correlations, follows=CORRELATED),
        ReportKind(
            Name.RECALL,
            recall_inputs,
            RecallResult,
            retired=retired_vectors,
            clip_counts=recall_clip_counts,
            has_intervals=False,
        ),
        ReportKind(
            Name.REBIAS,
            rebias_inputs,
            RebiasResult,
            retired=retired_vectors,
            clip_counts=lambda result: [result.n_videos],
        ),
        ReportKind(
            Name.CAPST,
            capst_inputs,
            CapstResult,
            retired=retired_sets,
            clip_counts=capst_clip_counts,
        ),
        ReportKind(
            Name.LEAKAGE, leakage_inputs, Leakage, clip_counts=lambda result: [result.n_both]
        ),
        ReportKind(
            Name.OVERLAP,
            overlap_inputs,
            Overlap,
            retired=retired_sets,
            clip_counts=lambda result: [result.n],
        ),
        ReportKind(Name.UNIFIED, unified_inputs, UNIFIED_RESULTS, follows=UNIFIED_FROM),
        ReportKind(Name.STATISTICS, statistics_inputs, Statistics),
        ReportKind(Name.IDENTIFICATION, identification_inputs, Identification, of_people=True),
        ReportKind(Name.ASSESSMENT, assessment_inputs, Assessment, of_people=True),
        ReportKind(
            Name.RELIABILITY,
            reliability_inputs,
            RELIABILITY_RESULTS,
            follows=RELIABILITY_FROM,
            of_people=True,
        ),
        ReportKind(Name.PROGRAMS, programs_inputs, ProgramResult, follows=(Name.AGREEMENT,)),
    ):
        register_report(kind)
    for page in (
        MetricsPage(),
        StoredReportPage(),
        CAPTION_SETS,
        LeaderboardPage(),
        CorrelationPage(),
        AgreementPage(),
        RECALL,
        CAPST,
        LeakagePage(),
        RetrievalPage(),
        RATINGS,
        THRESHOLD,
        StatisticsPage(),
        IdentificationPage(),
        AssessmentPage(),
        ReliabilityPage(),
        ProgramsPage(),
    ):
        register_page(page)
