"""Withdraw the videos of many clips, archive them or the clips themselves, and take them back."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import F, QuerySet

from annotate.archive.kinds import ArchiveKind
from annotate.archive.queries import archived_keys
from annotate.archive.services import archive_thing, restore_thing
from annotate.clip_changes.action import Before, ClipAction, Values
from annotate.corpus.archiving import ArchiveClip, ArchiveVideo
from annotate.corpus.services.exclusion import take_back_clip, withdraw_clip
from annotate.models import Clip, Project, Role, User, Video

VIDEO, CLIP = ArchiveVideo(), ArchiveClip()
# Tables that are archived or restored.
VIDEOS, CLIPS = "videos", "clips"


class OfVideos(ClipAction):
    """An action on the videos of the clips."""

    roles = (Role.ADMIN,)
    noun = ("video with all its clips", "videos with all their clips")

    def videos(self, project: Project, clips: QuerySet[Clip]) -> QuerySet[Video]:
        of_clips = clips.order_by().values("video")
        return Video.objects.filter(project=project, pk__in=of_clips).select_related("project")


class Exclude(OfVideos):
    fields = ("reason",)
    says = "Its work waits, and counts, runs, reports and releases leave it out. Texts are kept."
    is_withdrawal = True

    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Video]:
        return self.videos(project, clips).filter(excluded_because="")

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        for clip in _first_clips(rows):
            withdraw_clip(clip=clip, reason=values["reason"], admin=actor)
        return [[video.pk, ""] for video in rows]

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        videos = Video.objects.filter(project=project, pk__in=[key for key, _ in before])
        rows = list(videos.filter(excluded_because=" ".join(values["reason"].split())))
        for clip in _first_clips(rows):
            take_back_clip(clip=clip, admin=actor)
        return len(rows)


class Include(OfVideos):
    says = "It is in the benchmark again, with its work where it was. Archived ones stay archived."
    is_withdrawal = True

    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Video]:
        videos = self.videos(project, clips).exclude(excluded_because="")
        return videos.exclude(pk__in=archived_keys(project, VIDEO.name))

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        before = [[video.pk, video.excluded_because] for video in rows]
        for clip in _first_clips(rows):
            take_back_clip(clip=clip, admin=actor)
        return before

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        reasons = dict(map(tuple, before))
        videos = Video.objects.filter(project=project, pk__in=list(reasons), excluded_because="")
        rows = list(videos)
        for clip in _first_clips(rows):
            withdraw_clip(clip=clip, reason=reasons[clip.video_id], admin=actor)
        return len(rows)


def _first_clips(videos: list[Video]) -> list[Clip]:
    """Return one clip of each of the videos."""
    clips = Clip.objects.filter(video__in=[video.pk for video in videos]).order_by("-pk")
    return list({clip.video_id: clip for clip in clips}.values())


class Archiving(ClipAction):
    """An action on the videos of the clips or, by the value `scope`, on the clips themselves."""

    roles = (Role.ADMIN,)
    noun = OfVideos.noun
    whole_video: ClassVar = "A clip that is its whole video is left out: choose the videos for it."

    def noun_of(self, values: Values) -> tuple[str, str]:
        return ("clip", "clips") if _is_about_clips(values) else self.noun

    def things(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Any]:
        """Return the chosen videos, or the chosen clips that are only part of their video."""
        chosen = clips.order_by()
        if not _is_about_clips(values):
            return Video.objects.filter(
                project=project, pk__in=chosen.values("video")
            ).select_related("project")
        parts = Clip.objects.filter(project=project, pk__in=chosen.values("pk"))
        return parts.exclude(start_frame=0, end_frame=F("video__frames")).select_related(
            "project", "video"
        )


class Archive(Archiving):
    fields = ("scope", "note")
    says = VIDEO.says

    def says_of(self, values: Values) -> str:
        return f"{CLIP.says} {self.whole_video}" if _is_about_clips(values) else self.says

    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Any]:
        return self.things(project, clips, values).filter(excluded_because="")

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        _archive(project, rows, values, values["note"], actor)
        return [[thing.pk, None] for thing in rows]

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        return _restore(project, [key for key, _ in before], values, actor)


class Restore(Archiving):
    fields = ("scope",)
    says = "Everything is as it was before it was archived."

    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Any]:
        archived = archived_keys(project, _kind(values).name)
        return self.things(project, clips, values).filter(pk__in=archived)

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        _restore(project, [thing.pk for thing in rows], values, actor)
        return [[thing.pk, None] for thing in rows]

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        things = _kind(values).things(project).filter(pk__in=[key for key, _ in before])
        rows = list(things.filter(excluded_because=""))
        _archive(project, rows, values, "", actor)
        return len(rows)


def _is_about_clips(values: Values) -> bool:
    """Return whether the clips themselves are chosen."""
    return bool(values["scope"] == CLIPS)


def _kind(values: Values) -> ArchiveKind[Any]:
    return CLIP if _is_about_clips(values) else VIDEO


def _archive(project: Project, rows: list[Any], values: Values, reason: str, actor: User) -> None:
    kind = _kind(values)
    for thing in rows:
        archive_thing(project=project, kind=kind, thing=thing, reason=reason, admin=actor)


def _restore(project: Project, keys: list[int], values: Values, actor: User) -> int:
    kind = _kind(values)
    archived = archived_keys(project, kind.name)
    things = list(kind.things(project).filter(pk__in=keys).filter(pk__in=archived))
    for thing in things:
        restore_thing(project=project, kind=kind, thing=thing, admin=actor)
    return len(things)
