"""A release: what was complete at one moment, frozen, hashed and numbered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import Q

from annotate.models import Caption, Clip, Project, User, Video
from annotate.models.dated import Dated
from review.frozen.takedowns import ReleasedItem, Withdrawn, withdrawn_from


def scene_id(vid: str, number: int) -> str:
    """Return LoVR's name of a clip."""
    return f"{vid}-Scene-{number:03d}"


class Release(Dated):
    """`content_hash` is the SHA-256 of the release's content only: the same content built twice,
    under any version, has the same hash (docs/formats.md lists the bytes).

    Rows are never changed. An export reads only these, and `clips`, or `videos` in LoVR's form, or
    `queries` in TF-CoVR's, so that it is always the same.
    """

    class Format(models.TextChoices):
        CAREBENCH = "carebench", "CaReBench"
        LOVR = "lovr", "LoVR"
        TFCOVR = "tfcovr", "TF-CoVR"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="releases")
    version = models.CharField(max_length=40)
    format = models.CharField(max_length=20, choices=Format.choices, default=Format.CAREBENCH)
    content_hash = models.CharField(max_length=64)
    clip_count = models.PositiveIntegerField()
    project_name = models.CharField(max_length=120, blank=True)
    license = models.CharField(max_length=120, blank=True)
    metadata_sha256 = models.CharField(max_length=64, blank=True)
    metadata_size = models.BigIntegerField(default=0, help_text="bytes of json/metadata.json")
    video_size = models.BigIntegerField(default=0, help_text="bytes of all its videos")
    caption_files = models.JSONField(
        default=list,
        help_text="LoVR, TF-CoVR: [path, size, SHA-256] of each file but the videos",
    )
    assessment_files = models.JSONField(
        null=True, help_text="LoVR: the table of what people judged, as name -> text of the file"
    )
    proof = models.JSONField(
        help_text="the reports of that time: [path, size, SHA-256] of each file, and what they are",
    )
    triplet_facts = models.JSONField(
        null=True,
        help_text="TF-CoVR: how the set was generated, its counts, and the model of the vectors",
    )
    notes = models.TextField(blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "version"], name="release_version_once_per_project"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.slug} {self.version}"

    @property
    def total_size(self) -> int:
        """Bytes of the captions, the videos and the reports; an archive has a little more."""
        proof = sum(int(size) for _, size, _ in self.proof["files"])
        return self.metadata_size + self.video_size + proof

    @cached_property
    def withdrawn(self) -> Withdrawn:
        """What admins have taken down since, read once for each object."""
        return withdrawn_from(
            self.project_id,
            lambda of: (item for _, item in released_items(of, release=self)),
        )


class ReleasedClipQuerySet(models.QuerySet["ReleasedClip"]):
    def for_listing(self) -> ReleasedClipQuerySet:
        """Return the clips in the order of the export, with the texts that a page shows."""
        return self.select_related("caption", "spatial_caption", "temporal_caption").order_by("pk")


class ReleasedClip(models.Model):
    """One clip of a release with exactly the captions and the video that were frozen for it.

    `provenance` says where the video is from and, under numbers instead of names, who captioned it.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="clips")
    clip = models.ForeignKey(Clip, on_delete=models.PROTECT, related_name="+")
    file_name = models.CharField(max_length=210)
    category = models.CharField(max_length=100, blank=True)
    subcategory = models.CharField(max_length=100, blank=True)
    video_sha256 = models.CharField(max_length=64, blank=True)
    video_size = models.BigIntegerField(default=0)
    provenance = models.JSONField(default=dict)
    caption = models.ForeignKey(Caption, on_delete=models.PROTECT, related_name="+")
    spatial_caption = models.ForeignKey(Caption, on_delete=models.PROTECT, related_name="+")
    temporal_caption = models.ForeignKey(Caption, on_delete=models.PROTECT, related_name="+")
    # Checked events of the temporal caption, and checked objects of the spatial one.
    checked_events = models.JSONField(null=True)
    checked_objects = models.JSONField(null=True)

    objects = ReleasedClipQuerySet.as_manager()

    class Meta:
        ordering = ["file_name"]
        constraints = [
            models.UniqueConstraint(fields=["release", "clip"], name="released_clip_once"),
            models.UniqueConstraint(fields=["release", "file_name"], name="released_file_once"),
        ]

    def __str__(self) -> str:
        return self.file_name


class ReleasedVideo(models.Model):
    """One segmented video of a release in LoVR's form, under the name that its files have there.

    `full_caption` describes the whole video; None if it had none that was up to date.
    `provenance` says what file the video was imported from, and its frames and frame rate.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="videos")
    video = models.ForeignKey(Video, on_delete=models.PROTECT, related_name="+")
    vid = models.CharField(max_length=240)
    full_caption = models.ForeignKey(Caption, on_delete=models.PROTECT, null=True, related_name="+")
    video_sha256 = models.CharField(max_length=64)
    video_size = models.BigIntegerField()
    fps_num = models.PositiveIntegerField()
    fps_den = models.PositiveIntegerField()
    provenance = models.JSONField(default=dict)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["release", "video"], name="released_video_once"),
            models.UniqueConstraint(fields=["release", "vid"], name="released_vid_once"),
        ]

    def __str__(self) -> str:
        return self.vid


class ReleasedScene(models.Model):
    """One clip of a released video, with the caption and the frames that were frozen for it.

    `number` is the clip's place in the order of time among all clips that its video is cut into.
    """

    video = models.ForeignKey(ReleasedVideo, on_delete=models.CASCADE, related_name="scenes")
    clip = models.ForeignKey(Clip, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    start_frame = models.PositiveIntegerField()
    end_frame = models.PositiveIntegerField()
    caption = models.ForeignKey(Caption, on_delete=models.PROTECT, related_name="+")
    clip_file = models.JSONField(
        null=True, help_text="[size, SHA-256] of the clip as a file; null: it isn't in the release"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["video", "number"], name="released_scene_number_once"),
            models.UniqueConstraint(fields=["video", "clip"], name="released_scene_once"),
        ]

    def __str__(self) -> str:
        return scene_id(self.video.vid, self.number)

    @property
    def last_frame(self) -> int:
        """The last frame that the clip shows, from 0, in its video."""
        return self.end_frame - 1


class ReleasedLabel(models.Model):
    """One action label of a release in TF-CoVR's form. `source` is its domain; `counts_as` is the
    key of the label that it counts as, if an admin has let them count as one for targets."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="labels")
    key = models.CharField(max_length=40)
    caption = models.CharField(max_length=300)
    event = models.CharField(max_length=100, blank=True)
    source = models.CharField(max_length=40, blank=True)
    counts_as = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["release", "key"], name="released_label_once"),
        ]

    def __str__(self) -> str:
        return self.key


class ReleasedTripletClip(models.Model):
    """One labeled clip of a release in TF-CoVR's form, whether or not a query has it.

    `number` counts the clips from 0 by name. `is_in_gallery`: test queries are looked for in it.
    `provenance` says where the clip's file is from. `vector` is its float32, little-endian, if all
    clips had one.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="triplet_clips")
    clip = models.ForeignKey(Clip, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    label = models.ForeignKey(
        ReleasedLabel, on_delete=models.CASCADE, null=True, related_name="clips"
    )
    split = models.CharField(max_length=10, choices=Video.Split.choices)
    is_in_gallery = models.BooleanField()
    source_video = models.CharField(max_length=200)
    video_sha256 = models.CharField(max_length=64)
    video_size = models.BigIntegerField()
    provenance = models.JSONField(default=dict)
    vector = models.BinaryField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "number"], name="released_triplet_clip_once_per_number"
            ),
            models.UniqueConstraint(fields=["release", "clip"], name="released_triplet_clip_once"),
            models.UniqueConstraint(
                fields=["release", "name"], name="released_triplet_clip_once_per_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name


def released_items(of: Withdrawn, **release: Any) -> Iterator[tuple[int, ReleasedItem]]:
    """Yield the items that releases have of these clips, videos and captions, with the release's
    key, in the order of its files. `release`: a condition on the release, as for a query of
    ReleasedClip. The number of statements doesn't depend on the number of releases."""
    fields = ("caption", "spatial_caption", "temporal_caption")
    captions = Q(caption__in=of.captions) | Q(spatial_caption__in=of.captions)
    captions |= Q(temporal_caption__in=of.captions)
    clips = ReleasedClip.objects.filter(Q(clip__in=of.clips) | captions, **release).order_by("pk")
    for key, name, clip, *keys in clips.values_list("release", "file_name", "clip", *fields):
        yield key, ReleasedItem(name, clip, None, list(zip(fields, keys, strict=True)))
    videos = ReleasedVideo.objects.filter(
        Q(video__in=of.videos) | Q(full_caption__in=of.captions), **release
    ).order_by("pk")
    for key, vid, video, caption in videos.values_list("release", "vid", "video", "full_caption"):
        yield key, ReleasedItem(vid, None, video, [("cap", caption)])
    scenes = ReleasedScene.objects.filter(
        Q(clip__in=of.clips) | Q(caption__in=of.captions),
        **{f"video__{name}": value for name, value in release.items()},
    ).order_by("pk")
    columns = ("video__release", "video__vid", "number", "clip", "caption")
    for key, vid, number, clip, caption in scenes.values_list(*columns):
        yield key, ReleasedItem(scene_id(vid, number), clip, None, [("cap", caption)])
    labeled = ReleasedTripletClip.objects.filter(clip__in=of.clips, **release).order_by("pk")
    for key, name, clip in labeled.values_list("release", "name", "clip"):
        yield key, ReleasedItem(name, clip, None)
