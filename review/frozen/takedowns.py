"""What admins have taken out of published releases. Rows are only added, never changed."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import models
from django.db.models import Q

from annotate.models import Caption, Clip, Project, User, Video
from annotate.models.dated import Dated


class Takedown(Dated):
    """A clip, a video with all its clips, or one caption that no release offers anymore. The frozen
    rows of releases stay, but exports leave it out (`Withdrawn`)."""

    class What(models.TextChoices):
        CLIP = "clip", "Clip"
        VIDEO = "video", "Video"
        CAPTION = "caption", "Caption"

    class Reason(models.TextChoices):
        LICENSE = "license", "License"
        CONSENT = "consent", "Consent"
        REQUEST = "request", "Request of a person in the video"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="takedowns")
    what = models.CharField(max_length=10, choices=What.choices)
    clip = models.ForeignKey(Clip, on_delete=models.PROTECT, null=True, related_name="+")
    video = models.ForeignKey(Video, on_delete=models.PROTECT, null=True, related_name="+")
    caption = models.ForeignKey(Caption, on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=10, choices=Reason.choices)
    note = models.TextField(blank=True, help_text="for admins; no release shows it")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(what="clip", clip__isnull=False, video=None, caption=None)
                | Q(what="video", video__isnull=False, clip=None, caption=None)
                | Q(what="caption", caption__isnull=False, clip=None, video=None),
                name="takedown_of_what_it_says",
            ),
            models.CheckConstraint(
                condition=Q(reason__in=["license", "consent", "request"]),
                name="takedown_reason_known",
            ),
        ]

    def __str__(self) -> str:
        return f"takedown {self.pk} of a {self.what}"


class Reinstatement(Dated):
    """The end of a takedown: releases offer the item again."""

    takedown = models.OneToOneField(
        Takedown, on_delete=models.CASCADE, related_name="reinstatement", primary_key=True
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"end of {self.takedown}"


class ReleasedItem(NamedTuple):
    """A clip or a video under its name in a release, with the key of the caption in each field."""

    name: str
    clip: int | None
    video: int | None
    captions: Sequence[tuple[str, int | None]] = ()

    def is_left_out(self, clips: frozenset[int], captions: frozenset[int]) -> bool:
        """Return whether this is a clip that isn't offered: one with a single caption is nothing
        without it."""
        if self.clip is None or self.clip in clips:
            return self.clip is not None
        return len(self.captions) == 1 and self.captions[0][1] in captions


@dataclass(frozen=True)
class Tombstone:
    """A release's record of what it no longer offers: the takedown, and the names of its items in
    this release; captions are named NAME#FIELD."""

    takedown: Takedown
    items: tuple[str, ...]


@dataclass(frozen=True)
class Withdrawn:
    """Withdrawn items, as keys. `clips` includes those of `videos`. For a release: only what it
    contains, with its tombstones and the number of its withdrawn clips."""

    clips: frozenset[int] = frozenset()
    videos: frozenset[int] = frozenset()
    captions: frozenset[int] = frozenset()
    tombstones: tuple[Tombstone, ...] = ()
    clip_count: int = 0

    def __bool__(self) -> bool:
        return bool(self.clips or self.videos or self.captions)

    @property
    def fingerprint(self) -> str:
        """Return a hash that identifies the tombstones; "" without any."""
        keys = " ".join(str(tombstone.takedown.pk) for tombstone in self.tombstones)
        return hashlib.sha256(keys.encode()).hexdigest() if keys else ""


@dataclass(frozen=True)
class Covered:
    """A takedown with the keys of all that it covers."""

    takedown: Takedown
    clips: frozenset[int] = frozenset()
    videos: frozenset[int] = frozenset()
    captions: frozenset[int] = frozenset()


def covered_by(takedowns: Sequence[Takedown]) -> list[Covered]:
    """Return what each of these takedowns of one project covers, in at most two statements. A video
    includes all files that were cut from the same source, and a clip that is a whole video includes
    this video."""
    sources = {t.video.cut_from for t in takedowns if t.video and t.video.cut_from}
    videos_from: dict[str, set[int]] = defaultdict(set)
    if sources:
        project = takedowns[0].project_id
        rows = Video.objects.filter(project=project, cut_from__in=sources).order_by()
        for source, video in rows.values_list("cut_from", "pk"):
            videos_from[source].add(video)
    videos = [_videos_of(takedown, videos_from) for takedown in takedowns]
    clips_of: dict[int, set[int]] = defaultdict(set)
    if every := set().union(*videos):
        clips = Clip.objects.filter(video__in=every).order_by()
        for video, clip in clips.values_list("video", "pk"):
            clips_of[video].add(clip)
    return [
        Covered(
            takedown,
            clips=frozenset().union(_key(takedown.clip_id), *(clips_of[video] for video in own)),
            videos=frozenset(own),
            captions=frozenset(_key(takedown.caption_id)),
        )
        for takedown, own in zip(takedowns, videos, strict=True)
    ]


def _key(key: int | None) -> set[int]:
    return set() if key is None else {key}


def _videos_of(takedown: Takedown, videos_from: Mapping[str, set[int]]) -> set[int]:
    if takedown.video:
        return {takedown.video.pk} | videos_from.get(takedown.video.cut_from, set())
    clip = takedown.clip
    return {clip.video_id} if clip and clip.spans_its_video else set()


def active_takedowns(project_id: int) -> list[Takedown]:
    """Return the takedowns that are not undone, oldest first."""
    rows = Takedown.objects.filter(project=project_id, reinstatement=None).order_by("pk")
    return list(rows.select_related("clip__video", "video"))


def withdrawn_of(project_id: int) -> Withdrawn:
    """Return all that was taken down in a project. One statement where nothing was."""
    return joined_of(covered_by(active_takedowns(project_id)))


def withdrawn_from(
    project_id: int, items: Callable[[Withdrawn], Iterable[ReleasedItem]]
) -> Withdrawn:
    """Return what was taken down from a release; `items` yields its covered items. One statement if
    nothing was."""
    covered = covered_by(active_takedowns(project_id))
    if not covered:
        return Withdrawn()
    rows = list(items(joined_of(covered)))
    names = names_of(covered, rows)
    held = [entry for entry in covered if entry.takedown.pk in names]
    joined = joined_of(held)
    return Withdrawn(
        joined.clips,
        joined.videos,
        joined.captions,
        tuple(Tombstone(entry.takedown, tuple(names[entry.takedown.pk])) for entry in held),
        sum(row.is_left_out(joined.clips, joined.captions) for row in rows),
    )


def joined_of(covered: Iterable[Covered]) -> Withdrawn:
    covered = list(covered)
    return Withdrawn(
        clips=frozenset().union(*(entry.clips for entry in covered)),
        videos=frozenset().union(*(entry.videos for entry in covered)),
        captions=frozenset().union(*(entry.captions for entry in covered)),
    )


def names_of(covered: Sequence[Covered], rows: Iterable[ReleasedItem]) -> dict[int, list[str]]:
    """Return the names of the items of each takedown that covers any, by its key."""
    clips, videos, captions = (
        _by_key((entry.takedown.pk, keys) for entry, keys in of_kind)
        for of_kind in (
            [(entry, entry.clips) for entry in covered],
            [(entry, entry.videos) for entry in covered],
            [(entry, entry.captions) for entry in covered],
        )
    )
    names: dict[int, list[str]] = defaultdict(list)
    for row in rows:
        for takedown in (*clips.get(row.clip, ()), *videos.get(row.video, ())):
            names[takedown].append(row.name)
        for field, key in row.captions:
            for takedown in captions.get(key, ()):
                names[takedown].append(f"{row.name}#{field}")
    return dict(names)


def _by_key(sets: Iterable[tuple[int, frozenset[int]]]) -> dict[int | None, list[int]]:
    takedowns: dict[int | None, list[int]] = defaultdict(list)
    for takedown, keys in sets:
        for key in keys:
            takedowns[key].append(takedown)
    return takedowns
