"""A release: what was complete at one moment, frozen, hashed and numbered."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.models import Caption, Clip, Project, User, Video


class Release(models.Model):
    """`content_hash` is the SHA-256 of the release's content alone: the same content built twice,
    under whatever version, has the same hash (docs/formats.md says over which bytes).

    Rows are never changed. What an export writes comes from here and from `clips`, or `videos` in
    LoVR's form, alone, so that it is the same for ever.
    """

    class Format(models.TextChoices):
        CAREBENCH = "carebench", "CaReBench"
        LOVR = "lovr", "LoVR"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="releases")
    version = models.CharField(max_length=40)
    format = models.CharField(max_length=20, choices=Format.choices, default=Format.CAREBENCH)
    content_hash = models.CharField(max_length=64)
    clip_count = models.PositiveIntegerField()
    project_name = models.CharField(max_length=120, blank=True)
    licence = models.CharField(max_length=120, blank=True)
    metadata_sha256 = models.CharField(max_length=64, blank=True)
    metadata_size = models.BigIntegerField(default=0, help_text="bytes of json/metadata.json")
    video_size = models.BigIntegerField(default=0, help_text="bytes of all its videos")
    caption_files = models.JSONField(
        default=list, help_text="LoVR: [path, size, SHA-256] of each file of captions"
    )
    assessment_files = models.JSONField(
        null=True, help_text="LoVR: the table of what people judged, as name -> text of the file"
    )
    proof = models.JSONField(
        null=True,
        help_text="the reports of that time: [path, size, SHA-256] of each file, and what they are",
    )
    notes = models.TextField(blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

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
        proof = sum(size for _, size, _ in (self.proof or {}).get("files", ()))
        return self.metadata_size + self.video_size + proof


class ReleasedClipQuerySet(models.QuerySet["ReleasedClip"]):
    def for_listing(self) -> ReleasedClipQuerySet:
        """In the order of the export, with the texts that a page shows."""
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
    # The events of the temporal and the objects of the spatial caption, as people checked them.
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
        return f"{self.video.vid}-Scene-{self.number:03d}"

    @property
    def last_frame(self) -> int:
        """The last frame that the clip shows, from 0, in its video."""
        return self.end_frame - 1


class ReleaseArchive(models.Model):
    """The ZIP of a release in a format, as a file in the storage. It can be made again from the
    release, with the same bytes."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="archives")
    format = models.CharField(max_length=20)
    file = models.CharField(max_length=200, help_text="its name in the storage")
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "format"], name="release_archive_once_per_format"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.release} {self.format}"
