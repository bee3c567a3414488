"""Imported vectors of clips and captions, and the ranks of the queries of recall."""

from __future__ import annotations

import numpy as np
from django.db import models
from django.db.models.functions import Lower
from numpy.typing import NDArray

from annotate.models import Caption, Clip, Project, User
from annotate.models.dated import Dated
from review.reports.models import Report


class VectorSet(Dated):
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


class RecallRanking(models.Model):
    """The queries of one kind of caption in one direction, from a report of recall.

    Arrays of 64-bit integers, little-endian, with a row per query: the caption (text to video) or
    clip that is the query; its clip; its rank, from 1; and the keys of the first clips or captions
    that it finds, -1 beyond the end of the gallery.
    """

    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="rankings")
    kind = models.CharField(max_length=20)
    way = models.CharField(max_length=3)
    n_gallery = models.PositiveIntegerField()
    queries = models.BinaryField()
    clips = models.BinaryField()
    ranks = models.BinaryField()
    nearest = models.BinaryField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["report", "kind", "way"], name="recall_ranking_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}, {self.way}"

    @classmethod
    def of(cls, kind: str, way: str, n_gallery: int, **arrays: NDArray[np.int64]) -> RecallRanking:
        """Return an unsaved ranking without its report."""
        packed = {name: array.astype("<i8").tobytes() for name, array in arrays.items()}
        return cls(kind=kind, way=way, n_gallery=n_gallery, **packed)

    def array(self, name: str) -> NDArray[np.int64]:
        """Return the array of this field: (n,), or (n, places) of the nearest."""
        numbers = np.frombuffer(getattr(self, name), dtype="<i8")
        n_queries = len(self.queries) // numbers.itemsize
        return numbers.reshape(n_queries, -1) if name == "nearest" else numbers
