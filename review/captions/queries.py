"""The model captions of a project, and the runs that can become sets."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from annotate.archive.queries import archived_keys
from annotate.models import Project
from annotate.models.jobs import ACTIVE
from inference.models import InferenceRun
from review.captions.models import CaptionSet, SetCaption


def listed_sets(project: Project) -> QuerySet[CaptionSet]:
    """Return the sets by name, those in use first, without archived ones."""
    sets = CaptionSet.objects.filter(project=project).select_related("run__model", "created_by")
    sets = sets.exclude(pk__in=archived_keys(project, "caption-set"))
    return sets.order_by("-is_used", "name", "pk")


def runs_without_set(project: Project) -> QuerySet[InferenceRun]:
    """Return the finished caption runs with captions and without a set, newest first, each with
    `made`.
    """
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
    """Return the captions by clip name, only of names that contain `words`."""
    # Filter by project, so that a page is read along the index of clip names.
    project = caption_set.project_id
    captions = SetCaption.objects.filter(caption_set=caption_set, clip__project=project)
    if words:
        captions = captions.filter(clip__name__icontains=words)
    return captions.order_by("clip__name", "pk")


def retired_sets(project: Project) -> set[int]:
    """Return the keys of the caption sets that pages no longer offer."""
    sets = CaptionSet.objects.filter(project=project, is_used=False)
    return set(sets.values_list("pk", flat=True))
