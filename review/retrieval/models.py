"""Imported vectors of clips and captions."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from annotate.models import Caption, Clip, Project, User


class VectorSet(models.Model):
    """Vectors of clips and captions by a model that ran elsewhere, from one file.

    All are unit vectors of `dimension` numbers.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="vector_sets")
    name = models.CharField(max_length=80)
    dimension = models.PositiveIntegerField()
    file_name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    is_used = models.BooleanField(default=True, help_text="whether pages still offer it")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                "project", Lower("name"), name="vector_set_name_once_per_project"
            ),
            models.CheckConstraint(condition=~models.Q(name=""), name="vector_set_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class ImportedVector(models.Model):
    """One vector of the set: of the caption, or of the clip itself if `caption` is None.

    `vector` is float32, little-endian.
    """

    vector_set = models.ForeignKey(VectorSet, on_delete=models.CASCADE, related_name="vectors")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="+")
    caption = models.ForeignKey(Caption, on_delete=models.CASCADE, null=True, related_name="+")
    vector = models.BinaryField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["vector_set", "clip"],
                condition=models.Q(caption=None),
                name="imported_vector_once_per_clip",
            ),
            models.UniqueConstraint(
                fields=["vector_set", "caption"], name="imported_vector_once_per_caption"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.vector_set}: {self.caption or self.clip}"
