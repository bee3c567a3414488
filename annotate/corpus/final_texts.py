"""The three texts of a clip that a release freezes: merged, spatial and temporal."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from annotate.corpus.precedence import with_rank
from annotate.models import Caption, Clip, WorkItem

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

# Sources of texts that are split.
FULL_TEXTS = (Caption.Source.MERGED, Caption.Source.PUBLISHED)


class FinalTextKeys(TypedDict):
    merged_id: int
    spatial_id: int
    temporal_id: int


def with_final_texts(clips: QuerySet[Clip]) -> QuerySet[WithAnnotations[Clip, FinalTextKeys]]:
    """Return the clips whose split belongs to the latest merged text, with `merged_id`,
    `spatial_id` and `temporal_id`."""
    of_clip = with_rank(Caption.objects.filter(clip=OuterRef("pk"))).order_by("-precedence", "-id")
    merged = of_clip.filter(kind=Caption.Kind.GENERAL, source__in=FULL_TEXTS)
    from_merged = of_clip.filter(parents=OuterRef("merged_id"))
    return (
        clips.annotate(
            merged_id=Subquery(merged.values("pk")[:1]),
        )
        .annotate(
            spatial_id=Subquery(from_merged.filter(kind=Caption.Kind.SPATIAL).values("pk")[:1]),
            temporal_id=Subquery(from_merged.filter(kind=Caption.Kind.TEMPORAL).values("pk")[:1]),
        )
        .filter(merged_id__isnull=False, spatial_id__isnull=False, temporal_id__isnull=False)
    )


def worked_through() -> Q:
    """Return the condition on clips that they are written, merged and split."""
    of_clip = WorkItem.objects.filter(clip=OuterRef("pk"), state=WorkItem.State.DONE)
    done = [Exists(of_clip.filter(kind=kind)) for kind in ("write", "merge", "split")]
    return Q(*done)
