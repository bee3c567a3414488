"""What can be taken down, and the effects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotate.models import Caption, Clip, Project
from review.frozen.models import Release, released_items
from review.frozen.takedowns import (
    Covered,
    ReleasedItem,
    Takedown,
    covered_by,
    joined_of,
    names_of,
)

What = Takedown.What
LISTED = 5
SEARCHED = 20


@dataclass(frozen=True)
class Subject:
    """A thing that can be taken down: its kind, its key, and its name."""

    what: What
    key: int
    name: str

    @property
    def value(self) -> str:
        """Return it as one value of a form."""
        return f"{self.what}-{self.key}"

    @property
    def title(self) -> str:
        return f"{self.what.label}: {self.name}"


@dataclass(frozen=True)
class Affected:
    """A release with the names of its items that a takedown covers."""

    release: Release
    items: Sequence[str]

    @property
    def listed(self) -> Sequence[str]:
        return self.items[:LISTED]

    @property
    def unlisted(self) -> int:
        return max(0, len(self.items) - LISTED)


@dataclass(frozen=True)
class Preview:
    """The effects of a takedown. `clips`: the number of covered clips. `shown_in`: a whole video
    that still shows a covered clip. `made_from`: the number of other texts made from a caption.
    """

    subject: Subject
    affected: Sequence[Affected]
    clips: int
    shown_in: str = ""
    made_from: int = 0


def subjects_of(clip: Clip) -> list[Subject]:
    """Return what can be taken down about a clip: itself, its video, and its captions in
    releases.
    """
    captions = Caption.objects.filter(clip=clip, pk__in=_released_captions(clip)).order_by("pk")
    return [
        Subject(What.CLIP, clip.pk, clip.name),
        Subject(What.VIDEO, clip.video_id, clip.video.original_name),
        *(Subject(What.CAPTION, caption.pk, _named(caption)) for caption in captions),
    ]


def _named(caption: Caption) -> str:
    words = caption.text.split()
    more = "…" if len(words) > 8 else ""
    return f"{caption.get_kind_display()} “{' '.join(words[:8])}{more}”"


def _released_captions(clip: Clip) -> set[int]:
    captions = frozenset(Caption.objects.filter(clip=clip).values_list("pk", flat=True))
    covered = joined_of([Covered(Takedown(), captions=captions)])
    items = released_items(covered, release__project=clip.project_id)
    return {key for _, item in items for _, key in item.captions if key in captions}


def proposed(project: Project, what: str, key: int) -> Takedown | None:
    """Return a takedown of this, not stored; None if the project has no such thing."""
    takedown = Takedown(project=project, what=what)
    if what == What.CLIP:
        clips = Clip.objects.select_related("video").filter(project=project)
        takedown.clip = clips.filter(pk=key).first()
        return takedown if takedown.clip else None
    if what == What.VIDEO:
        takedown.video = project.videos.filter(pk=key).first()
        return takedown if takedown.video else None
    captions = Caption.objects.select_related("clip").filter(project=project)
    takedown.caption = captions.filter(pk=key).first()
    return takedown if takedown.caption else None


def name_of(takedown: Takedown) -> str:
    if takedown.clip:
        return takedown.clip.name
    if takedown.video:
        return takedown.video.original_name
    assert takedown.caption is not None
    clip = takedown.caption.clip
    return f"{clip.name if clip else ''}, {_named(takedown.caption)}"


def affected_by(takedown: Takedown) -> list[Affected]:
    """Return the releases with items that a takedown covers, newest first. The number of statements
    doesn't depend on the number of releases."""
    [covered] = covered_by([takedown])
    by_release: dict[int, list[ReleasedItem]] = defaultdict(list)
    of = joined_of([covered])
    for release, item in released_items(of, release__project=takedown.project_id):
        by_release[release].append(item)
    releases = Release.objects.filter(pk__in=by_release).order_by("-pk").select_related("project")
    # A takedown that isn't stored has no key.
    return [
        Affected(release, names_of([covered], by_release[release.pk])[covered.takedown.pk])
        for release in releases
    ]


def preview_of(takedown: Takedown) -> Preview:
    [covered] = covered_by([takedown])
    clip, caption = takedown.clip, takedown.caption
    has_whole = "whole_videos" in takedown.project.pipeline.keys
    return Preview(
        subject=Subject(What(takedown.what), key_of(takedown), name_of(takedown)),
        affected=affected_by(takedown),
        clips=len(covered.clips),
        shown_in=clip.video.original_name
        if clip and has_whole and not clip.spans_its_video
        else "",
        made_from=Caption.objects.filter(parents=caption).count() if caption else 0,
    )


def key_of(takedown: Takedown) -> int:
    key = takedown.clip_id or takedown.video_id or takedown.caption_id
    assert key is not None
    return key


def takedowns_of(project: Project) -> QuerySet[Takedown]:
    """Return all takedowns, newest first, with everything that a page shows."""
    return (
        Takedown.objects.filter(project=project)
        .select_related(
            *("clip__video", "video", "caption__clip", "created_by"), "reinstatement__created_by"
        )
        .order_by("-pk")
    )


def find_clips(project: Project, text: str) -> QuerySet[Clip]:
    """Return clips with this text in their name or in that of their video's file."""
    named = Q(name__icontains=text) | Q(video__original_name__icontains=text)
    clips = Clip.objects.filter(named, project=project).select_related("video")
    return clips.order_by("name", "pk")[:SEARCHED]
