"""Source videos, and the clips that are cut from them."""

from __future__ import annotations

from fractions import Fraction

from django.db import models

from annotate.models.dated import Dated
from annotate.models.labels import ActionLabel
from annotate.models.people import User
from annotate.models.projects import Project

MAX_REASON_LENGTH = 200


class Video(Dated):
    """A source file with its probe, and the constant-frame-rate H.264 file that people watch.

    A row exists only once the file is fully imported. `frames`, `fps_num / fps_den` and the size
    in pixels are those of the playback file; `probe` describes the source file.
    """

    class Split(models.TextChoices):
        TRAIN = "train"
        VALIDATION = "validation"
        TEST = "test"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="videos")
    original_name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField(help_text="bytes of the source file")
    probe = models.JSONField(default=dict)
    fps_num = models.PositiveIntegerField()
    fps_den = models.PositiveIntegerField()
    frames = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    has_audio = models.BooleanField(default=False)
    shots = models.JSONField(default=list, help_text="first frame of each shot, 0 included")
    filmstrip = models.JSONField(
        default=dict, help_text="columns, rows, tile_width, tile_height, frames"
    )
    frame_hashes = models.CharField(
        max_length=128,
        blank=True,
        help_text="16 hexadecimal digits for each hashed frame; empty: not hashed yet",
    )
    source_file = models.CharField(max_length=200, help_text="name in the media storage")
    playback_file = models.CharField(max_length=200)
    playback_sha256 = models.CharField(max_length=64, blank=True)
    playback_size = models.BigIntegerField(default=0, help_text="bytes, known once it is hashed")
    poster_file = models.CharField(max_length=200)
    filmstrip_file = models.CharField(max_length=200)
    category = models.CharField(max_length=100, blank=True)
    subcategory = models.CharField(max_length=100, blank=True)
    license = models.CharField(max_length=120, blank=True)
    source_url = models.URLField(max_length=500, blank=True)
    excluded_because = models.CharField(
        max_length=MAX_REASON_LENGTH,
        blank=True,
        help_text="why no clip of it is described; empty: it is kept",
    )
    cut_from = models.CharField(
        max_length=200,
        blank=True,
        help_text="the long video of which this file is a part, without suffix; they share a split",
    )
    split = models.CharField(
        max_length=10, choices=Split.choices, blank=True, help_text="of the benchmark"
    )
    imported_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "sha256"], name="video_once_per_project"),
            models.CheckConstraint(
                condition=models.Q(frames__gt=0, fps_num__gt=0, fps_den__gt=0),
                name="video_has_frames",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "category", "subcategory", "id"], name="video_by_category"
            ),
            models.Index(fields=["project", "subcategory", "id"], name="video_by_subcategory"),
        ]

    def __str__(self) -> str:
        return self.original_name

    @property
    def fps(self) -> Fraction:
        return Fraction(self.fps_num, self.fps_den)

    @property
    def duration(self) -> Fraction:
        """Return the exact duration in seconds."""
        return self.frames / self.fps


class ClipQuerySet(models.QuerySet["Clip"]):
    def for_corpus(self) -> ClipQuerySet:
        return self.select_related("video", "label").defer("video__probe", "video__shots")


class Clip(Dated):
    """A half-open frame range [start_frame, end_frame) of a video; the subject of all work.

    `name` is its name in the release: a file name without suffix, unique in the project. `label` is
    the one action that it shows, if the project's clips are labeled.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="clips")
    video = models.ForeignKey(Video, on_delete=models.CASCADE, related_name="clips")
    name = models.CharField(max_length=200)
    start_frame = models.PositiveIntegerField(default=0)
    end_frame = models.PositiveIntegerField()
    duration_ms = models.PositiveIntegerField(help_text="rounded, for sorting and charts")
    label = models.ForeignKey(
        ActionLabel, on_delete=models.PROTECT, null=True, related_name="clips"
    )
    excluded_because = models.CharField(
        max_length=MAX_REASON_LENGTH,
        blank=True,
        help_text="why this clip alone is not described; empty: as its video",
    )

    objects = ClipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="clip_name_once_per_project"),
            models.UniqueConstraint(
                fields=["video", "start_frame", "end_frame"], name="clip_range_once_per_video"
            ),
            models.CheckConstraint(
                condition=models.Q(start_frame__lt=models.F("end_frame")),
                name="clip_has_frames",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "duration_ms", "id"], name="clip_by_duration"),
            models.Index(fields=["project", "id"], name="clip_by_age"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def short_name(self) -> str:
        """Return the name for pages of work: the clip's own name can reveal its content."""
        return f"Clip {self.pk}"

    @property
    def frames(self) -> int:
        return self.end_frame - self.start_frame

    @property
    def left_out_because(self) -> str:
        """Return why the clip, or its video, is left out; empty: it is kept."""
        return self.excluded_because or self.video.excluded_because

    @property
    def spans_its_video(self) -> bool:
        return self.start_frame == 0 and self.end_frame == self.video.frames

    @property
    def last_frame(self) -> int:
        """Return the clip's last frame, counted from 0 in its video, as the player does."""
        return self.end_frame - 1

    @property
    def shots(self) -> int:
        """Return the number of shots that the clip shows, completely or in part."""
        shots: list[int] = self.video.shots
        return 1 + sum(self.start_frame < first < self.end_frame for first in shots)

    @property
    def seconds(self) -> float:
        return float(self.frames / self.video.fps)


class ClipFile(Dated):
    """The frames of a clip that is a part of its video, cut into a file of their own for releases.

    Releases count on its content, so it is never made again.
    """

    clip = models.OneToOneField(Clip, on_delete=models.CASCADE, related_name="file")
    name = models.CharField(max_length=200, help_text="name in the media storage")
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField(help_text="bytes")

    def __str__(self) -> str:
        return self.name


class NearDuplicate(Dated):
    """Two videos whose frames look alike. The pair is settled when one of them is excluded, or when
    an admin keeps both.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="near_duplicates")
    first = models.ForeignKey(Video, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Video, on_delete=models.CASCADE, related_name="near_duplicates")
    distance = models.FloatField(help_text="mean number of different bits of 64 of the hashes")
    kept_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    kept_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="near_duplicate_once"),
            models.CheckConstraint(
                condition=models.Q(first__lt=models.F("second")), name="near_duplicate_in_order"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "distance", "id"], name="near_duplicate_by_distance")
        ]

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"


class DynamicsVerdict(Dated):
    """One person's verdict whether a video is dynamic (LoVR, appendix B.1). It never changes."""

    video = models.ForeignKey(Video, on_delete=models.CASCADE, related_name="dynamics_verdicts")
    assignment = models.OneToOneField(
        "annotate.Assignment", on_delete=models.PROTECT, related_name="dynamics_verdict"
    )
    is_dynamic = models.BooleanField()
    remark = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.video} is {'dynamic' if self.is_dynamic else 'static'}"


class DynamicsDecision(Dated):
    """An admin's decision whether a video is dynamic, where people disagree. Never changed: the
    newest counts, and one without an answer takes the decision before it back.
    """

    video = models.ForeignKey(Video, on_delete=models.CASCADE, related_name="dynamics_decisions")
    is_dynamic = models.BooleanField(null=True)
    reason = models.CharField(max_length=500)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        answers = {True: "dynamic", False: "static", None: "undecided"}
        return f"{self.video} is {answers[self.is_dynamic]}"
