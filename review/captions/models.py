"""Sets of captions by one model or one person, which comparisons and metrics are about."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower

from annotate.models import Caption, Clip, Project, User
from annotate.models.dated import Dated
from inference.models import InferenceRun
from review.reports.instructions import Theme


class CaptionSet(Dated):
    """One caption of the same kind for each of its clips, by a run or from a file of predictions.

    `name` is the model's name. `sha256` is that of the file, "" for a run. `prompt`, `system`,
    `frames` and `theme` state the model's input: from its recipe for a run, from the importing
    person for a file; empty means unknown.
    """

    Theme = Theme

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="caption_sets")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=10, choices=Caption.Kind.choices)
    run = models.OneToOneField(
        InferenceRun, on_delete=models.PROTECT, null=True, related_name="caption_set"
    )
    file_name = models.CharField(max_length=200, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    prompt = models.TextField(blank=True)
    system = models.TextField(blank=True)
    frames = models.CharField(max_length=100, blank=True)
    theme = models.CharField(
        max_length=10, choices=Theme.choices, default=Theme.UNKNOWN, blank=True
    )
    clip_count = models.PositiveIntegerField(default=0, help_text="clips that it describes")
    word_count = models.PositiveBigIntegerField(default=0, help_text="of all its captions")
    is_used = models.BooleanField(default=True, help_text="whether pages still offer it")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                "project", Lower("name"), name="caption_set_name_once_per_project"
            ),
            models.CheckConstraint(condition=~models.Q(name=""), name="caption_set_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def mean_words(self) -> float | None:
        """The mean number of words; None for a set without captions."""
        return self.word_count / self.clip_count if self.clip_count else None


class SetCaption(models.Model):
    """The set's caption of one clip."""

    caption_set = models.ForeignKey(CaptionSet, on_delete=models.CASCADE, related_name="captions")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="+")
    caption = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="sets")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["caption_set", "clip"], name="set_caption_once"),
        ]

    def __str__(self) -> str:
        return f"{self.caption_set} about {self.clip}"
