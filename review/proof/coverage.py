"""Which reports of a project are about fewer clips than the next release has."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from annotate.models import Project
from review.proof.freezing import current_reports
from review.proof.titles import report_title
from review.proof.verifying.facts import TEXTS
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.retrieval.directions import T2V
from review.retrieval.models import RecallRanking

Name = Report.Name


def partial_reports(
    project: Project, released: Collection[int], unwanted: Collection[str] = ()
) -> Iterator[tuple[str, Report, int]]:
    """Yield the title, the report and how many of the clips it covers, of each current report on
    CapST or Recall@K that doesn't cover all. Skips reports of the `unwanted` kinds."""
    names = [name for name in (Name.CAPST, Name.RECALL) if name not in unwanted]
    for report, inputs in current_reports(project, names):
        covered = _covered(report, inputs)
        if covered is not None and (number := len(covered & set(released))) < len(released):
            yield report_title(report.name, inputs.parameters), report, number


def _covered(report: Report, inputs: Inputs) -> set[int] | None:
    """Return the keys of the clips; None for a report on whole videos."""
    if report.name == Name.CAPST:
        return {clip for clip, _, lists in inputs.labels if None not in lists}
    rankings = RecallRanking.objects.filter(report=report, way=T2V, kind__in=TEXTS)
    clips = [set(ranking.array("clips").tolist()) for ranking in rankings]
    return set.intersection(*clips) if clips else None
