"""The newest report of each way of scoring, as far as the page of the thresholds shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotate.models import Project
from review.reports.models import Report
from review.threshold.report import COUNTINGS, threshold_inputs


@dataclass(frozen=True)
class Estimated:
    """A report, as far as it is shown: `by_rule` has each rule's estimate in the chosen counting,
    `estimate` that of the chosen rule. `is_old`: labels have changed since."""

    report: Report
    by_rule: dict[str, dict[str, Any]]
    estimate: dict[str, Any]
    spearman: float | None
    auc: float | None
    fit: dict[str, Any]
    sample: list[tuple[float, float]]
    is_old: bool

    @property
    def people(self) -> int:
        return int(self.report.parameters["people"])

    @property
    def captions(self) -> int:
        return len(self.sample)

    @property
    def is_even(self) -> bool:
        """Whether so many people have verified each caption, and none more or fewer."""
        return self.report.inputs == self.captions * self.people


def estimated_thresholds(project: Project, rule: str, counting: str) -> dict[str, Estimated]:
    """By scorer, what its newest report says; and whether that follows the labels as they are."""
    hashes = {inputs.subject: inputs.hash for inputs in threshold_inputs(project)}
    place = 2 + COUNTINGS.index(counting)
    found = {}
    for report in Report.objects.newest(project, Report.Name.THRESHOLD):
        counted = report.result[counting]
        found[report.subject] = Estimated(
            report=report,
            by_rule=counted["rules"],
            estimate=counted["rules"][rule],
            spearman=counted["spearman"],
            auc=counted["auc"],
            fit=counted["fit"],
            sample=[(point[1], point[place]) for point in report.result["points"]],
            is_old=hashes.get(report.subject) != report.inputs_hash,
        )
    return found
