"""Rankings of test queries by models that ran elsewhere, or here."""

from __future__ import annotations

from django.db import models

from annotate.models import Project, User
from annotate.models.dated import Dated
from annotate.models.jobs import Job
from review.triplets.models import TripletSet


class ImportedRanking(Dated):
    """One run's rankings for each test query of a set, with the facts in TF-CoVR's tables.

    `clips`: key of a query -> keys of the clips of the gallery, nearest first, without the query's
    own. `is_verified_only`: it ranks the queries that people had verified. `job`: the one that made
    it here; then it has no file, and `file_sha256` is that of its clips. Removed rankings are kept.
    """

    class Group(models.TextChoices):
        """The groups of rows of TF-CoVR's Tables 2 and 3."""

        FINE_TUNED = "fine_tuned", "Fine-tuned on TF-CoVR"
        GENERAL = "general", "General multimodal embeddings (TF-CoVR)"
        ZERO_SHOT = "zero_shot", "Not fine-tuned on TF-CoVR"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="rankings")
    triplets = models.ForeignKey(TripletSet, on_delete=models.CASCADE, related_name="rankings")
    name = models.CharField(max_length=80, help_text="the model")
    group = models.CharField(max_length=10, choices=Group.choices)
    has_video = models.BooleanField(default=True)
    has_text = models.BooleanField(default=True)
    fusion = models.CharField(max_length=40, blank=True)
    query_frames = models.PositiveSmallIntegerField(null=True, blank=True)
    target_frames = models.PositiveSmallIntegerField(null=True, blank=True)
    seed = models.PositiveIntegerField(null=True, blank=True)
    is_verified_only = models.BooleanField(default=False)
    clips = models.JSONField()
    job = models.ForeignKey(Job, on_delete=models.RESTRICT, null=True, related_name="rankings")
    file_name = models.CharField(max_length=200)
    file_sha256 = models.CharField(max_length=64)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(has_video=True) | models.Q(has_text=True),
                name="ranking_has_a_modality",
            ),
        ]

    def __str__(self) -> str:
        return self.name if self.seed is None else f"{self.name}, seed {self.seed}"
