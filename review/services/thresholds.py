"""Adopting a threshold, and handing what falls below it to people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from annotate.models import Caption, Project, User, WorkItem
from inference.models import QualityScore, QualityThreshold
from inference.queries import (
    AT_ONCE,
    clips_to_describe,
    latest_captions,
    scorers_of,
    threshold_in_force,
)
from inference.services.thresholds import adopt_threshold
from review.models import StudyCaption, Verification
from review.services.verification_queue import open_verifications


@dataclass(frozen=True)
class Handed:
    """How many captions people verify since now, and how many nobody needs to look at any more."""

    opened: int
    withdrawn: int


def low_captions(project: Project, scorer: str, threshold: float) -> QuerySet[QualityScore]:
    """The scores below `threshold` of machine captions that are the newest of their clip and that
    nobody has verified, lowest first."""
    newest = latest_captions(clips_to_describe(project)).filter(
        source=Caption.Source.MACHINE, word_count__gt=0
    )
    return (
        QualityScore.objects.filter(
            project=project, scorer=scorer, value__lt=threshold, caption__in=newest
        )
        .exclude(
            caption__in=Verification.objects.filter(caption__project=project).values("caption")
        )
        .order_by("value", "caption")
    )


@transaction.atomic
def adopt(
    *, project: Project, scorer: str, value: float, admin: User | None
) -> tuple[QualityThreshold, Handed]:
    """Keep captions from `value` on, and hand those below it to people. Raises InferenceError."""
    adopted = adopt_threshold(project=project, scorer=scorer, value=value, admin=admin)
    return adopted, hand_out_low_captions(project=project)


@transaction.atomic
def hand_out_low_captions(*, project: Project) -> Handed:
    """Have one person verify each caption below an adopted threshold, lowest score first, and
    withdraw what nobody has begun and is below none now. Studies are left alone. Safe to repeat."""
    priorities = _priorities(project)
    items = WorkItem.objects.filter(project=project, kind=WorkItem.Kind.VERIFY)
    there = dict(items.exclude(state=WorkItem.State.CANCELLED).values_list("subject", "pk"))
    sampled = set(
        StudyCaption.objects.filter(study__project=project).values_list("caption", flat=True)
    )
    high = there.keys() - priorities.keys() - sampled
    withdrawn = _withdraw([there[caption] for caption in sorted(high)])
    open_verifications(project=project, priorities=priorities)
    return Handed(len(priorities.keys() - there.keys()), withdrawn)


def _priorities(project: Project) -> dict[int, float]:
    """caption -> the lower its score, the higher; of each caption below an adopted threshold."""
    priorities: dict[int, float] = {}
    for found in scorers_of(project):
        threshold = threshold_in_force(project, found["scorer"])
        if threshold is not None:
            low = low_captions(project, threshold.scorer, threshold.value)
            for caption, value in low.values_list("caption", "value"):
                priorities[caption] = max(-value, priorities.get(caption, -value))
    return priorities


def _withdraw(keys: Sequence[int]) -> int:
    """Delete those of the work items that nobody has taken up."""
    withdrawn = 0
    for start in range(0, len(keys), AT_ONCE):
        some = WorkItem.objects.filter(pk__in=keys[start : start + AT_ONCE])
        locked = list(some.order_by("pk").select_for_update(of=("self",)).values_list("pk"))
        _, by_model = WorkItem.objects.filter(
            pk__in=[pk for (pk,) in locked], assignments=None
        ).delete()
        withdrawn += by_model.get(WorkItem._meta.label, 0)
    return withdrawn
