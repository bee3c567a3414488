"""Parts of long videos from which an admin selects the clips of a benchmark (CaReBench, 3.1)."""

from __future__ import annotations

from django.db import models

from annotate.models.corpus import MAX_REASON_LENGTH, Video
from annotate.models.dated import Dated
from annotate.models.people import User
from annotate.models.projects import Project


class Candidate(Dated):
    """A half-open range [start_frame, end_frame) of a long video that could become a clip.

    `number` is its place among the segments of the video in the annotation file, from 1. A selected
    candidate is cut into a file of its own, the video `cut`. It is withdrawn if that video is left
    out, for the reason given there.
    """

    class State(models.TextChoices):
        UNDECIDED = "undecided"
        SELECTED = "selected"
        REJECTED = "rejected"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="candidates")
    video = models.ForeignKey(Video, on_delete=models.CASCADE, related_name="candidates")
    number = models.PositiveIntegerField()
    start_frame = models.PositiveIntegerField()
    end_frame = models.PositiveIntegerField()
    category = models.CharField(max_length=100, blank=True)
    subcategory = models.CharField(max_length=100)
    state = models.CharField(max_length=10, choices=State.choices, default=State.UNDECIDED)
    reason = models.CharField(max_length=MAX_REASON_LENGTH, blank=True, help_text="of a rejection")
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    cut = models.OneToOneField(
        Video, on_delete=models.SET_NULL, null=True, related_name="candidate"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["video", "start_frame", "end_frame", "subcategory"],
                name="candidate_once_per_video",
            ),
            models.UniqueConstraint(
                fields=["video", "start_frame", "end_frame"],
                condition=models.Q(state="selected"),
                name="candidate_frames_selected_once",
            ),
            models.CheckConstraint(
                condition=models.Q(start_frame__lt=models.F("end_frame")),
                name="candidate_has_frames",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "state", "subcategory", "id"], name="candidate_by_state"
            ),
            models.Index(fields=["project", "subcategory", "id"], name="candidate_by_subcategory"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Return the name of its clip, such as v_00000044_3 for the third segment of v_00000044."""
        return f"{self.source}_{self.number}"

    @property
    def source(self) -> str:
        return self.video.original_name.rpartition(".")[0] or self.video.original_name

    @property
    def seconds(self) -> float:
        return float((self.end_frame - self.start_frame) / self.video.fps)

    @property
    def start_seconds(self) -> float:
        return float(self.start_frame / self.video.fps)
