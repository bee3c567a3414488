"""Adopt a threshold, and assign captions below it to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from django.db import transaction
from django.db.models import QuerySet

from annotate.models import Assignment, Caption, Project, User, WorkItem
from annotate.programs import that_count
from inference.models import QualityScore, QualityThreshold
from inference.queries import BATCH_SIZE, current_threshold
from inference.scores.services import adopt_threshold
from review.studies.models import Study, StudyCaption
from review.threshold.basis import Basis
from review.threshold.models import ThresholdBasis
from review.threshold.ordering import draw_order
from review.threshold.queries import scores_of_current
from review.verification.models import Verification
from review.verification.queueing import open_verifications


@dataclass(frozen=True)
class Handed:
    """The number of captions newly assigned for verification, and of those withdrawn."""

    opened: int
    withdrawn: int


def low_captions(project: Project, scorer: str, threshold: float) -> QuerySet[QualityScore]:
    """Return the scores below `threshold` of current machine captions that nobody has verified,
    lowest first, without clips to be captioned by hand.
    """
    verified = that_count(Verification.objects.filter(project=project), project, "reviewer")
    to_write = WorkItem.objects.filter(project=project, kind="hand", state=WorkItem.State.OPEN)
    return (
        scores_of_current(project)
        .filter(scorer=scorer, value__lt=threshold)
        .exclude(caption__in=verified.values("caption"))
        .exclude(clip__in=to_write.values("clip"))
        .order_by("value", "caption")
    )


@transaction.atomic
def adopt(
    *,
    project: Project,
    scorer: str,
    value: float,
    admin: User | None,
    hand_out: bool = False,
    rests_on: Basis | None = None,
) -> tuple[QualityThreshold, Handed]:
    """Keep captions that score `value` or more. Those below wait for models to refine them, as in
    LoVR (section 3.2.2), unless `hand_out` assigns them to people at once. Stores what a new
    threshold `rests_on`. Raises InferenceError.
    """
    _lock(project)
    before = current_threshold(project, scorer)
    adopted = adopt_threshold(
        project=project,
        scorer=scorer,
        value=value,
        admin=admin,
        rests_on=asdict(rests_on) if rests_on else None,
    )
    if rests_on and adopted != before:
        ThresholdBasis.objects.create(threshold=adopted, **asdict(rests_on))
    if hand_out:
        return adopted, hand_out_low_captions(project=project)
    return adopted, Handed(0, _withdraw(_plan(project, _thresholds(project)).high))


@transaction.atomic
def hand_out_low_captions(
    *, project: Project, by_expected_errors: bool = False, seed: int = 0, admin: User | None = None
) -> Handed:
    """Assign each caption below an adopted threshold to one person, lowest score first, and
    withdraw unstarted work that is no longer below any threshold. Studies don't change. Safe to
    repeat.

    `by_expected_errors`: captions not assigned before come before the others, in an order drawn by
    `seed` (`review.threshold.ordering`). Raises ReviewError if no study says which errors to
    expect.
    """
    _lock(project)
    plan = _plan(project, _thresholds(project))
    withdrawn = _withdraw(plan.high)
    priorities = dict(plan.priorities)
    if by_expected_errors and plan.new:
        scores = {caption: plan.scores[caption] for caption in plan.new}
        priorities |= draw_order(project=project, scores=scores, seed=seed, admin=admin)
    open_verifications(project=project, priorities=priorities)
    return Handed(len(plan.new), withdrawn)


def foresee(*, project: Project, scorer: str, value: float) -> Handed:
    """Return what adopting this value would do, without changing anything."""
    plan = _plan(project, _thresholds(project) | {scorer: value})
    begun = Assignment.objects.filter(item__project=project, item__kind="verify")
    return Handed(len(plan.new), len(set(plan.high) - set(begun.values_list("item", flat=True))))


def is_of_videos(project: Project, scorer: str) -> bool:
    """Return whether the scorer scores captions of whole videos, which no model refines."""
    scored = QualityScore.objects.filter(project=project, scorer=scorer)
    return scored.filter(caption__kind=Caption.Kind.FULL_VIDEO).exists()


def _lock(project: Project) -> None:
    """Adopt one threshold at a time, and let no study start at the same time, so that its new work
    isn't withdrawn.
    """
    Project.objects.lock(project.pk)


@dataclass(frozen=True)
class _Plan:
    """`priorities`: the priority of each caption below a threshold, higher for lower scores;
    `scores`: the scorer and the score behind it. `new` of them have no work yet. `high`: work about
    captions below no threshold.
    """

    priorities: dict[int, float]
    scores: dict[int, tuple[str, float]]
    new: set[int]
    high: list[int]


def _plan(project: Project, thresholds: Mapping[str, float]) -> _Plan:
    priorities: dict[int, float] = {}
    scores: dict[int, tuple[str, float]] = {}
    for scorer, threshold in thresholds.items():
        low = low_captions(project, scorer, threshold)
        for caption, value in low.values_list("caption", "value"):
            if -value >= priorities.get(caption, -value):
                priorities[caption], scores[caption] = -value, (scorer, value)
    items = WorkItem.objects.filter(project=project, kind="verify")
    present = dict(items.exclude(state=WorkItem.State.CANCELLED).values_list("subject", "pk"))
    sampled = set(
        StudyCaption.objects.filter(
            study__project=project, study__kind=Study.Kind.THRESHOLD
        ).values_list("caption", flat=True)
    )
    high = present.keys() - priorities.keys() - sampled
    return _Plan(
        priorities,
        scores,
        new=priorities.keys() - present.keys(),
        high=[present[caption] for caption in sorted(high)],
    )


def _thresholds(project: Project) -> dict[str, float]:
    """Return the adopted threshold of each scorer that has one."""
    rows = QualityThreshold.objects.filter(project=project).order_by("pk")
    return dict(rows.values_list("scorer", "value"))


def _withdraw(keys: Sequence[int]) -> int:
    """Delete the work items that nobody has started."""
    withdrawn = 0
    for start in range(0, len(keys), BATCH_SIZE):
        batch = WorkItem.objects.filter(pk__in=keys[start : start + BATCH_SIZE])
        locked = list(batch.order_by("pk").select_for_update(of=("self",)).values_list("pk"))
        _, by_model = WorkItem.objects.filter(
            pk__in=[pk for (pk,) in locked], assignments=None
        ).delete()
        withdrawn += by_model.get(WorkItem._meta.label, 0)
    return withdrawn
