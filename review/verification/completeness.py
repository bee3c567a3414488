"""Which parts of a project are complete, and what each other clip waits for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotate.corpus.final_texts import FinalTextKeys, with_final_texts, worked_through
from annotate.corpus.pieces import KEPT, left_out_clips
from annotate.models import Assignment, Caption, Clip, Project, WorkItem

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

State = WorkItem.State


class CompleteClip(NamedTuple):
    """A clip with the captions that a release would freeze now."""

    clip_id: int
    name: str
    start_frame: int
    end_frame: int
    video_id: int
    video_frames: int
    category: str
    subcategory: str
    license: str
    caption_id: int
    spatial_id: int
    temporal_id: int

    @property
    def file_name(self) -> str:
        return f"{self.name}.mp4"

    @property
    def texts(self) -> tuple[int, int, int]:
        """The keys of its full, its spatial and its temporal caption."""
        return self.caption_id, self.spatial_id, self.temporal_id

    @property
    def spans_its_video(self) -> bool:
        return self.start_frame == 0 and self.end_frame == self.video_frames


def complete_clips(project: Project) -> QuerySet[WithAnnotations[Clip, FinalTextKeys]]:
    """Return the clips whose three steps are done and whose split belongs to the latest merged
    text, and clips without write-ups because a published data set has their three human captions.

    Each has `merged_id`, `spatial_id` and `temporal_id`.
    """
    return _complete_clips(project, published_clips(project))


def _complete_clips(
    project: Project, published: Q | None
) -> QuerySet[WithAnnotations[Clip, FinalTextKeys]]:
    clips: QuerySet[Clip] = Clip.objects.filter(
        worked_through() | (published or Q()),
        project=project,
        video__excluded_because="",
        excluded_because="",
    )
    return with_final_texts(clips)


def published_clips(project: Project) -> Q | None:
    """Return the condition for clips whose imported caption replaces write-ups and merge, so nobody
    is asked for these; None in a project without such captions, which saves the check for every
    clip."""
    published = Caption.objects.filter(
        project=project, source=Caption.Source.PUBLISHED, kind=Caption.Kind.GENERAL
    ).order_by()
    if not published.exists():
        return None
    items = WorkItem.objects.filter(clip=OuterRef("pk"), kind="write")
    return Q(~Exists(items), pk__in=published.values("clip"))


def complete_rows(project: Project) -> list[CompleteClip]:
    """Return all complete clips by name, read by one statement: a snapshot of one moment."""
    rows = complete_clips(project).values_list(
        "pk",
        "name",
        "start_frame",
        "end_frame",
        "video_id",
        "video__frames",
        "video__category",
        "video__subcategory",
        "video__license",
        "merged_id",
        "spatial_id",
        "temporal_id",
    )
    # Sorted here, because the database's order depends on its collation.
    return sorted((CompleteClip(*row) for row in rows), key=lambda row: row.file_name)


@dataclass(frozen=True)
class Progress:
    """How many clips have come how far.

    A step opens only when the one before is done, and is closed again before that is reopened:
    so of the clips, those split are among those merged, and those merged among those written.
    """

    clips: int
    begun: int  # with at least one submitted write-up
    items: Counter[tuple[str, str]]  # by kind and state
    complete: int
    published: int = 0  # complete with the human captions of a published data set

    @property
    def written(self) -> int:
        return self.items["write", State.DONE]

    @property
    def merged(self) -> int:
        return self.items["merge", State.DONE]

    @property
    def split(self) -> int:
        return self.items["split", State.DONE]

    @property
    def waiting(self) -> list[tuple[str, int]]:
        """Return (what is missing, clips) for all clips that are not complete."""
        opened = sum(n for (kind, _), n in self.items.items() if kind == "write")
        missing = [
            ("Not open for writing", self.clips - opened - self.published),
            ("Waits for a write-up", opened - self.written),
            ("Waits for the merge", self.written - self.merged),
            ("Waits for the split", self.merged - self.split),
            (
                "The split has an older merged text",
                self.split - (self.complete - self.published),
            ),
        ]
        return [(reason, clips) for reason, clips in missing if clips > 0]


def progress_of(project: Project, *, complete: int | None = None) -> Progress:
    """Count the progress in three queries; faster if the number of complete clips is given."""
    submitted = Assignment.objects.filter(item=OuterRef("pk"), state=Assignment.State.SUBMITTED)
    begun = (
        WorkItem.objects.filter(
            project=OuterRef("pk"),
            kind="write",
            clip__video__excluded_because="",
            clip__excluded_because="",
        )
        .exclude(state=State.DONE)
        .filter(Exists(submitted))
    )
    sizes = {
        "clip_count": _count(Clip.objects.filter(project=OuterRef("pk")).filter(KEPT)),
        "begun": _count(begun),
    }
    published = published_clips(project)
    finished = _complete_clips(project, published)
    if complete is None:
        sizes["complete"] = _count(finished)
    if published is not None:
        sizes["published"] = _count(finished.filter(published))
    row = Project.objects.filter(pk=project.pk).annotate(**sizes).values(*sizes).get()
    # A check is why a video is excluded; other work about an excluded video doesn't count.
    left_out = Q(clip__in=left_out_clips(project).values("pk")) & ~Q(kind="dynamics")
    counted = (
        WorkItem.objects.filter(project=project)
        .exclude(left_out)
        .order_by()
        .values_list("kind", "state")
        .annotate(times=Count("pk"))
    )
    items = Counter({(kind, state): times for kind, state, times in counted})
    return Progress(
        clips=row["clip_count"],
        begun=row["begun"] + items["write", State.DONE],
        items=items,
        complete=row["complete"] if complete is None else complete,
        published=row.get("published", 0),
    )


def _count(rows: QuerySet[Any]) -> Coalesce:
    counted = rows.order_by().values("project").annotate(times=Count("pk")).values("times")
    return Coalesce(Subquery(counted), 0)
