"""Withdraw or reopen write-ups when a project's limits for clips change."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotate.corpus.clip_limits import under_limits
from annotate.corpus.services.opening import open_writing
from annotate.models import Clip, Project, WorkItem
from annotate.queue.kinds import people_needed
from annotate.queue.services.withdrawing import withdraw_work_about

LIMITS = ("min_clip_seconds", "min_frame_side")


def writing_under(project: Project, min_seconds: float, min_side: int) -> QuerySet[WorkItem]:
    """Return the open write-ups that these limits would withdraw."""
    clips = Clip.objects.filter(under_limits(min_seconds, min_side), project=project)
    return WorkItem.objects.filter(
        project=project,
        kind="write",
        state=WorkItem.State.OPEN,
        clip__in=clips.order_by().values("pk"),
    )


def apply_limits(project: Project, before: tuple[float, int]) -> None:
    """Withdraw the open write-ups of clips below the project's limits, and reopen those of clips
    that were below the limits only `before`. Drafts stay with their authors. Call it in the
    transaction that stores the limits.
    """
    now = (project.min_clip_seconds, project.min_frame_side)
    withdraw_work_about(list(writing_under(project, *now).order_by("pk")))
    if not project.pipeline.opens("write"):
        return
    others = Clip.objects.filter(video=OuterRef("video")).exclude(pk=OuterRef("pk"))
    is_cut = Q(start_frame=0, end_frame=F("video__frames")) & Exists(others)
    clips = (
        Clip.objects.filter(
            under_limits(*before), project=project, video__excluded_because="", excluded_because=""
        )
        .exclude(under_limits(*now))
        .exclude(is_cut)
        .order_by("pk")
    )
    WorkItem.objects.filter(
        kind="write", state=WorkItem.State.CANCELLED, clip__in=clips.values("pk")
    ).update(state=WorkItem.State.OPEN)
    open_writing(clips=clips.iterator(), writers=people_needed(project, "write"))
