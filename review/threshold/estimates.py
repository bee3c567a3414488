"""The newest report of each scorer, reduced to what the threshold page shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from annotate.models import Project
from metrics.threshold import RULES, MonotoneFit, ThresholdEstimate
from review.reports.models import Report
from review.reports.results import parameters_of, result_of
from review.studies.card import Card, Interval, Measure, card_of
from review.threshold import NAME
from review.threshold.computing import Thresholds, at_last_look
from review.threshold.report import (
    Labels,
    ThresholdParameters,
    labels_by_scorer,
    threshold_inputs,
)

CHANGE_POINT = "Change point, errors by type"
MEASURE = Measure(
    noun="captions",
    number="Threshold",
    unit="units of the score",
    digits="3",
    width=0.05,
    largest=2,
    at_every_look="that of the last of five planned looks, which hold together",
)


@dataclass(frozen=True)
class Estimated:
    """The shown part of a report: `by_rule` has each rule's estimate in the chosen counting, and
    `estimate` that of the chosen rule. `is_old`: labels have changed since.
    """

    report: Report
    by_rule: Mapping[str, ThresholdEstimate]
    estimate: ThresholdEstimate
    spearman: float | None
    auc: float | None
    fit: MonotoneFit
    sample: list[tuple[float, float]]
    effective: float | None
    is_old: bool
    card: Card

    @property
    def people(self) -> int:
        return parameters_of(self.report, ThresholdParameters).people

    @property
    def captions(self) -> int:
        return len(self.sample)

    @property
    def is_even(self) -> bool:
        """Return whether exactly this many people have verified each caption."""
        return self.report.inputs == self.captions * self.people


def estimated_thresholds(
    project: Project, rule: str, counting: str, query: QueryDict
) -> dict[str, Estimated]:
    """Return the newest report of each scorer, and whether it reflects the current labels."""
    hashes = {inputs.subject: inputs.hash for inputs in threshold_inputs(project)}
    labels = labels_by_scorer(project) if project.intervals_hold_at_every_look else {}
    thresholds = {}
    for report in Report.objects.newest(project, NAME):
        result = result_of(report, Thresholds)
        counted = result.counted(counting)
        thresholds[report.subject] = Estimated(
            report=report,
            by_rule=counted.rules,
            estimate=counted.rules[rule],
            spearman=counted.spearman,
            auc=counted.auc,
            fit=counted.fit,
            effective=result.effective,
            sample=_sample(result, counting),
            is_old=hashes.get(report.subject) != report.inputs_hash,
            card=card_of(
                project,
                MEASURE,
                [_interval(result, labels.get(report.subject))],
                query,
                f"precision-{report.subject[:8]}",
            ),
        )
    return thresholds


def sample_of(report: Report, counting: str) -> list[tuple[float, float]]:
    """Return the (score, mean errors) of each caption of a report."""
    return _sample(result_of(report, Thresholds), counting)


def _interval(result: Thresholds, labels: Labels | None) -> Interval:
    """Return the usual interval of the change point, or with `labels` that of the last look."""
    if labels is None:
        usual = result.per_type.rules[RULES[0]]
        return Interval(
            CHANGE_POINT, len(result.points), usual.low, usual.high, reason=usual.reason
        )
    step = at_last_look(labels.labelled, labels.completed, labels.size)
    if step is None:
        return Interval(CHANGE_POINT, 0, None, None)
    return Interval(CHANGE_POINT, step.n, step.low, step.high)


def _sample(result: Thresholds, counting: str) -> list[tuple[float, float]]:
    return [(point.score, point.errors(counting)) for point in result.points]
