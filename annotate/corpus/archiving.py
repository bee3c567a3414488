"""Archive a video with its clips, or one of its clips: it is left out until it is restored."""

from __future__ import annotations

from typing import ClassVar

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from annotate.archive.kinds import ArchiveKind
from annotate.corpus.services.exclusion import (
    exclude_clip,
    exclude_video,
    include_clip,
    include_video,
)
from annotate.corpus.services.sign_offs import open_sign_offs
from annotate.errors import AnnotateError
from annotate.file_store import clip_poster_name, remove_files
from annotate.models import (
    Archived,
    Clip,
    ClipLabelCorrection,
    NearDuplicate,
    Project,
    User,
    Video,
    WorkItem,
)

BECAUSE = "Archived"
# Other exclusions leave this work open: a check says why a video is left out.
ALSO = ("dynamics", "triplet")


class ArchiveVideo(ArchiveKind[Video]):
    name = "video"
    label = "Video"
    says = (
        "The video is left out with all its clips: work about it waits, and counts, new runs, new "
        "reports and new releases leave it out. Stored reports become outdated where they counted "
        "it. Releases stay as they are, and texts, drafts and judgments are kept."
    )
    parts: ClassVar = (Clip, WorkItem, NearDuplicate, ClipLabelCorrection)

    def things(self, project: Project) -> QuerySet[Video]:
        return Video.objects.filter(project=project)

    def address(self, thing: Video) -> str:
        clip = Clip.objects.filter(video=thing).order_by("start_frame", "-end_frame").first()
        slug = thing.project.slug
        if clip is None:
            return reverse("annotate:corpus", args=[slug])
        return reverse("annotate:clip", args=[slug, clip.pk])

    def archived(self, thing: Video, row: Archived, admin: User) -> None:
        if thing.excluded_because:
            raise AnnotateError(f"It is left out already: {thing.excluded_because}")
        because = f"{BECAUSE}: {row.reason}" if row.reason else BECAUSE
        exclude_video(video=thing, because=because, actor=admin, also=ALSO)

    def restored(self, thing: Video, row: Archived, admin: User) -> None:
        if thing.excluded_because.startswith(BECAUSE):
            include_video(video=thing, actor=admin, also=ALSO)
            # The number of sign-offs can have changed in the meantime.
            open_sign_offs(thing.project, Clip.objects.filter(video=thing))

    def deleted(self, thing: Video) -> None:
        names = [thing.source_file, thing.playback_file, thing.poster_file, thing.filmstrip_file]
        transaction.on_commit(lambda: remove_files(names))


class ArchiveClip(ArchiveKind[Clip]):
    name = "clip"
    label = "Clip"
    says = (
        "This clip is left out: work about it waits, and counts, new runs, new reports and "
        "new releases leave it out. The video and its other clips stay. Stored reports become "
        "outdated where they counted it. Releases stay as they are, and texts, drafts and "
        "judgments are kept."
    )
    parts: ClassVar = (WorkItem, ClipLabelCorrection)

    def things(self, project: Project) -> QuerySet[Clip]:
        return Clip.objects.filter(project=project).select_related("video", "project")

    def address(self, thing: Clip) -> str:
        return reverse("annotate:clip", args=[thing.project.slug, thing.pk])

    def refusal(self, thing: Clip) -> str:
        if thing.spans_its_video:
            return "This clip is its whole video. Archive or delete the video."
        return ""

    def archived(self, thing: Clip, row: Archived, admin: User) -> None:
        because = f"{BECAUSE}: {row.reason}" if row.reason else BECAUSE
        exclude_clip(clip=thing, because=because, actor=admin, also=ALSO)

    def restored(self, thing: Clip, row: Archived, admin: User) -> None:
        include_clip(clip=thing, actor=admin, also=ALSO)
        open_sign_offs(thing.project, Clip.objects.filter(pk=thing.pk))

    def deleted(self, thing: Clip) -> None:
        names = [clip_poster_name(thing.video, thing.start_frame, thing.end_frame)]
        transaction.on_commit(lambda: remove_files(names))
