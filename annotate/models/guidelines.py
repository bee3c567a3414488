"""The versions of the guidelines of each kind of work, and their examples."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotate.kinds import kind_choices
from annotate.models.corpus import Clip
from annotate.models.dated import Dated
from annotate.models.people import Membership, User
from annotate.models.projects import Project


class GuidelineExample(Dated):
    """A clip with a result of one kind of work, and why it is good or bad. Rows are never changed;
    an edited example is another row.

    `parts`: [heading, text] of each part of the result, as the kind of work names them.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16, choices=kind_choices)
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="+")
    parts = models.JSONField()
    is_good = models.BooleanField(default=True)
    comment = models.TextField()
    written_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(comment=""), name="guideline_example_explained"),
        ]

    def __str__(self) -> str:
        return f"{'Do' if self.is_good else 'Don’t'}: {self.clip.name}"

    @property
    def fragment(self) -> str:
        """Return the seconds of the clip in its video's file, as a media fragment."""
        fps = self.clip.video.fps
        start, end = (float(at / fps) for at in (self.clip.start_frame, self.clip.end_frame))
        return f"#t={start:.3f},{end:.3f}"


class ShownExample(models.Model):
    """An example that the guideline shows now, in order of `place`. Its clip is not handed out as
    work of this kind, because everybody who does this work can read the result."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16, choices=kind_choices)
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="+")
    example = models.OneToOneField(
        GuidelineExample, on_delete=models.CASCADE, related_name="placement"
    )
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["clip", "kind"], name="example_once_per_clip"),
            models.UniqueConstraint(fields=["project", "kind", "place"], name="example_in_place"),
        ]

    def __str__(self) -> str:
        return f"{self.place}. {self.example}"


class GuidelineVersion(Dated):
    """A guideline as it was after a change of its text or its examples (their keys, in order).
    Rows are never changed."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16, choices=kind_choices)
    number = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    examples = models.JSONField(default=list)
    change = models.CharField(max_length=200)
    changed_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind", "number"], name="guideline_version_once"
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of the guideline {self.kind}"


class SeenGuideline(models.Model):
    """The text of a guideline that a person has seen last, as the digests of its paragraphs
    (`annotate/guidelines/changes.py`)."""

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16, choices=kind_choices)
    digests = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["membership", "kind"], name="guideline_seen_once"),
        ]

    def __str__(self) -> str:
        return f"{self.membership}: {self.kind}"
