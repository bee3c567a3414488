"""The order in which captions below a threshold are verified, by their expected errors.

The plain order is by score. This one is drawn: captions with scores at which people found more
errors tend to come earlier, but each has a known probability, so that the errors of all captions
can be estimated from those verified so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.models import Project, User
from annotate.programs import that_count
from metrics.design import draw_probabilities, draw_without_replacement, weighted_mean
from metrics.design.captions import WeightedMean
from review.errors import ReviewError
from review.reports.models import Report
from review.reports.results import result_of
from review.threshold import NAME
from review.threshold.computing import Thresholds
from review.threshold.models import OrderedCaption, VerificationOrder
from review.verification.models import Verification

BATCH_SIZE = 1000


@dataclass(frozen=True)
class Ordered:
    """The progress of an order: the errors per caption of all captions, estimated from the verified
    captions at its beginning.
    """

    order: VerificationOrder
    captions: int
    errors: WeightedMean


def draw_order(
    *, project: Project, scores: Mapping[int, tuple[str, float]], seed: int, admin: User | None
) -> dict[int, float]:
    """Draw an order of captions, given by scorer and score, and return their priorities, above 0
    and at most 1. Raises ReviewError if a scorer has no report of a threshold study.
    """
    captions = sorted(scores)
    expected = _expected_errors(project, [scores[caption] for caption in captions])
    probabilities = draw_probabilities(expected)
    draws = draw_without_replacement(probabilities, len(captions), seed)
    order = VerificationOrder.objects.create(project=project, seed=seed, created_by=admin)
    OrderedCaption.objects.bulk_create(
        (
            OrderedCaption(
                order=order,
                caption_id=captions[draw.place],
                place=place,
                probability=draw.probability,
                expected=expected[draw.place],
            )
            for place, draw in enumerate(draws)
        ),
        batch_size=BATCH_SIZE,
    )
    return {captions[draw.place]: 1 - place / len(draws) for place, draw in enumerate(draws)}


def newest_order(project: Project) -> Ordered | None:
    """Return the newest order with its estimate; None if none was drawn."""
    order = VerificationOrder.objects.filter(project=project).first()
    if order is None:
        return None
    rows = list(order.captions.order_by("place").values_list("caption", "probability"))
    verified: dict[int, int] = {}
    verifications = that_count(
        Verification.objects.filter(caption__in=order.captions.values("caption")),
        project,
        "reviewer",
    )
    for caption, content, topic in verifications.order_by("-pk").values_list(
        "caption", "content_errors", "topic_errors"
    ):
        verified[caption] = content + topic  # the first one counts
    values, probabilities = [], []
    for caption, probability in rows:
        if caption not in verified:
            break
        values.append(float(verified[caption]))
        probabilities.append(min(probability, 1.0))
    return Ordered(order, len(rows), weighted_mean(values, probabilities, len(rows)))


def _expected_errors(project: Project, scores: Sequence[tuple[str, float]]) -> list[float]:
    fits = {
        report.subject: result_of(report, Thresholds).per_type.fit
        for report in Report.objects.newest(project, NAME)
    }
    if any(scorer not in fits or not fits[scorer].scores for scorer, _ in scores):
        raise ReviewError(
            "Errors can be expected only where a threshold study has found some. Start one, or "
            "hand the captions out by score."
        )
    expected = []
    for scorer, score in scores:
        fit = fits[scorer]
        place = int(np.searchsorted(fit.scores, score))
        expected.append(float(fit.fitted[min(place, len(fit.fitted) - 1)]))
    return expected
