"""The page Statistics."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.http import QueryDict

from annotate import access
from annotate.access import UserRequest
from annotate.models import Membership, Project
from annotate.text.csv_rows import read_records
from review.reports.files import Tables
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.queries import Request
from review.reports.results import result_of
from review.statistics import NAME
from review.statistics.benchmark_table import benchmark_table, table_files
from review.statistics.columns import cells_of, columns_of, heads_of
from review.statistics.files import COUNTED, TOKENS, Counted, statistics_table
from review.statistics.models import BenchmarkRow
from review.statistics.report import KIND, Statistics, statistics_inputs
from review.statistics.rows import figures_of, level_rows, words_rows
from review.statistics.services import HEAD

CHANGED = "Clips or captions have changed. A worker will count them."
PRINTED = Path(__file__).parent / "printed"


class StatisticsPage(ReportPage[None]):
    """Counts alone, without any text or author, so that every member may read them."""

    key = "corpus/statistics"  # marks Corpus in the menu
    title = "Statistics"
    template = "review/statistics/statistics.html"
    kinds = (KIND,)
    admins_recompute = True
    due_words = CHANGED
    asks_when_due = True

    def reader(self, request: UserRequest, slug: str) -> Membership:
        return access.member(request, slug)

    def context(
        self, membership: Membership, query: QueryDict, subject: None = None
    ) -> dict[str, Any]:
        project = membership.project
        report = _newest(project)
        is_due = _is_due(project, report)
        context = {
            "membership": membership,
            "project": project,
            "report": report,
            "counted": COUNTED,
            "tokens_counted": TOKENS,
            "state": self.state(project, is_due=is_due),
        }
        if report is None:
            return context
        statistics = result_of(report, Statistics)
        words = words_rows(statistics)
        return context | {
            "levels": level_rows(statistics),
            "words": words,
            "has_tokens": any(row.tokens for row in words),
            "is_sampled": any(row.is_sampled for row in words),
            "figures": figures_of(statistics),
            "left_out": statistics.left_out,
            "benchmarks": benchmark_table(project, statistics),
            "paper": project.pipeline.name,
        }

    def is_due(self, project: Project, requests: Mapping[str, Request]) -> bool:
        """Return whether clips or captions have changed since they were counted."""
        return _is_due(project, _newest(project))

    def tables(self, membership: Membership, query: QueryDict, subject: None) -> Tables:
        project = membership.project
        report = _newest(project)
        if report is None:
            return {}
        statistics = result_of(report, Statistics)
        made = (report.created_at, report.signature)
        counted = Counted(project.name, project.slug, "", project.is_simulated, *made)
        return {
            "statistics": lambda: statistics_table(counted, statistics),
            "table-1": lambda: table_files(counted, benchmark_table(project, statistics)),
        }


def benchmark_rows_context(membership: Membership) -> dict[str, Any]:
    project = membership.project
    columns = columns_of(project)
    return {
        "membership": membership,
        "project": project,
        "paper": project.pipeline.name,
        "heads": heads_of(columns),
        "keys": ",".join([*HEAD, *(column.key for column in columns)]),
        "rows": [
            (row, cells_of(columns, row.values))
            for row in BenchmarkRow.objects.filter(project=project)
        ],
    }


def printed_rows(project: Project) -> str:
    """Return the rows printed in the paper of the project's protocol, as CSV, without benchmarks
    that the project already has."""
    lines = (PRINTED / f"{project.protocol}.csv").read_text().splitlines()
    have = {row.name.casefold() for row in BenchmarkRow.objects.filter(project=project)}
    new = [line for line in lines[1:] if next(read_records([line])).cells[0].casefold() not in have]
    return "\n".join([lines[0], *new])


def _newest(project: Project) -> Report | None:
    return Report.objects.newest(project, NAME).first()


def _is_due(project: Project, report: Report | None) -> bool:
    inputs = next(iter(statistics_inputs(project)), None)
    return inputs is not None and (report is None or report.inputs_hash != inputs.hash)
