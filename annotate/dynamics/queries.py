"""Videos about which people disagree: whether they are dynamic."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from annotate.models import DynamicsDecision, Project, Video, WorkItem

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

# The reason stored when an admin excludes a video as static.
DECIDED_STATIC = "An admin decided that it is not dynamic."


class Disputed(TypedDict):
    dynamic: int
    static: int
    decided: bool | None


def disputed_videos(project: Project) -> QuerySet[WithAnnotations[Video, Disputed]]:
    """Return the videos that as many people find dynamic as not. Each carries `decided`, the answer
    of an admin if there is one. A video that is left out for another reason isn't disputed.
    """
    newest = DynamicsDecision.objects.filter(video=OuterRef("pk")).order_by("-pk")
    return (
        Video.objects.filter(project=project, excluded_because__in=["", DECIDED_STATIC])
        .annotate(
            dynamic=_count(is_dynamic=True),
            static=_count(is_dynamic=False),
            decided=Subquery(newest.values("is_dynamic")[:1]),
        )
        .filter(dynamic=F("static"), dynamic__gt=0)
    )


def undecided_videos(project: Project) -> QuerySet[WithAnnotations[Video, Disputed]]:
    """Return the disputed videos about which neither a third person nor an admin has decided."""
    return disputed_videos(project).filter(decided=None)


def unjudged_videos(project: Project) -> QuerySet[Video]:
    """Return the included videos that too few people have judged yet."""
    checks = WorkItem.objects.filter(project=project, kind="dynamics", state=WorkItem.State.OPEN)
    videos = Video.objects.filter(excluded_because="", clips__in=checks.values("clip"))
    return videos.exclude(pk__in=undecided_videos(project).values("pk"))


def current_decision(video: Video) -> bool | None:
    """Return the answer of an admin's decision about the video; None without one."""
    newest = DynamicsDecision.objects.filter(video=video).order_by("-pk")
    return newest.values_list("is_dynamic", flat=True).first()


def _count(*, is_dynamic: bool) -> Count:
    return Count("dynamics_verdicts", filter=Q(dynamics_verdicts__is_dynamic=is_dynamic))
