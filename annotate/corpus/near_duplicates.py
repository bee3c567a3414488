"""The pairs of videos that look alike."""

from __future__ import annotations

from collections.abc import Collection

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from annotate.models import Clip, NearDuplicate, Project, Video

PAGE_SIZE = 20
BOTH_IN = Q(first__excluded_because="", second__excluded_because="")


def open_pairs(project: Project) -> QuerySet[NearDuplicate]:
    """Return the unsettled pairs, most similar first."""
    pairs = NearDuplicate.objects.filter(BOTH_IN, project=project, kept_at=None)
    return pairs.order_by("distance", "pk")


def lookalikes(project: Project, videos: Collection[int]) -> dict[int, str]:
    """Return, for each of these videos with an open pair, the name of the most similar video."""
    pairs = open_pairs(project).filter(Q(first__in=videos) | Q(second__in=videos))
    rows = pairs.values_list("first", "first__original_name", "second", "second__original_name")
    names: dict[int, str] = {}
    for first, first_name, second, second_name in rows:
        names.setdefault(first, second_name)
        names.setdefault(second, first_name)
    return {video: name for video, name in names.items() if video in videos}


def settled_pairs(project: Project) -> QuerySet[NearDuplicate]:
    """Return the pairs that an admin kept or that lost a video, newest first."""
    pairs = NearDuplicate.objects.filter(project=project)
    return pairs.exclude(pk__in=open_pairs(project).order_by().values("pk")).order_by("-pk")


def pair_page(pairs: QuerySet[NearDuplicate], number: str | None) -> Page[NearDuplicate]:
    """Return pairs with their videos, each with `clip`, the first clip of the video."""
    page = Paginator(
        pairs.select_related("first", "second", "kept_by").defer(
            *(
                f"{side}__{field}"
                for side in ("first", "second")
                for field in ("probe", "shots", "filmstrip")
            )
        ),
        PAGE_SIZE,
    ).get_page(number)
    videos: list[Video] = [video for pair in page for video in (pair.first, pair.second)]
    clips = Clip.objects.filter(video__in={video.pk for video in videos})
    first = {clip.video_id: clip for clip in clips.order_by("-start_frame", "end_frame")}
    for video in videos:
        video.clip = first.get(video.pk)  # type: ignore[attr-defined]  # for the template
    return page
