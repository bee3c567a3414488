"""Which reports of a project are about fewer clips than the next release has."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from annotate.models import Project
from review.proof.freezing import current_reports
from review.reports.models import Report
from review.reports.registry import REPORTS


def partial_reports(
    project: Project, released: Collection[int], unwanted: Collection[str] = ()
) -> Iterator[tuple[str, Report, int]]:
    """Yield the title, the report and how many of the clips it covers, of each current report on
    CapST or Recall@K that doesn't cover all. Skips reports of the `unwanted` kinds."""
    names = [kind.name for kind in REPORTS.values() if kind.covered and kind.name not in unwanted]
    for report, inputs in current_reports(project, names):
        kind = REPORTS[report.name]
        covered = kind.covered(report, inputs) if kind.covered else None
        if covered is not None and (number := len(covered & set(released))) < len(released):
            yield kind.title_of(inputs.parameters), report, number
