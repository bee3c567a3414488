"""The captions of models in a project, and what could become some."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from django.db.models import Avg, Count, Q, QuerySet

from annotate.models import Project
from annotate.models.jobs import ACTIVE
from inference.models import InferenceRun
from review.captions.models import CaptionSet, SetCaption

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class Described(TypedDict):
    """What a set has: clips, and words in the mean of its captions."""

    clip_count: int
    mean_words: float | None


def listed_sets(project: Project) -> QuerySet[WithAnnotations[CaptionSet, Described]]:
    """By name, those in use first; each with `clip_count` and `mean_words`."""
    return (
        CaptionSet.objects.filter(project=project)
        .select_related("run__model", "created_by")
        .annotate(clip_count=Count("captions"), mean_words=Avg("captions__caption__word_count"))
        .order_by("-is_used", "name", "pk")
    )


def runs_without_set(project: Project) -> QuerySet[InferenceRun]:
    """The caption runs that are over and have captions, newest first; each with `made`."""
    runs = InferenceRun.objects.filter(
        project=project, kind=InferenceRun.Kind.CAPTION, caption_set=None
    )
    return (
        runs.exclude(state__in=ACTIVE)
        .select_related("model")
        .annotate(made=Count("items", filter=Q(items__result__isnull=False)))
        .filter(made__gt=0)
        .order_by("-pk")
    )


def captions_of(caption_set: CaptionSet, words: str = "") -> QuerySet[SetCaption]:
    """By the clips' names, those whose name holds `words`."""
    found = SetCaption.objects.filter(caption_set=caption_set)
    if words:
        found = found.filter(clip__name__icontains=words)
    return found.select_related("clip", "caption").order_by("clip__name", "pk")


def retired_sets(project: Project) -> set[int]:
    """Return the keys of the caption sets that pages no longer offer."""
    sets = CaptionSet.objects.filter(project=project, is_used=False)
    return set(sets.values_list("pk", flat=True))
