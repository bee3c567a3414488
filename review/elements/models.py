"""The events and objects of a caption, as a model found them or a person corrected them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.models import Assignment, Caption, User
from inference.models import ModelSpec


class Extraction(models.Model):
    """The events or the objects that a caption names, in its order, as a model found them or a
    person corrected them. Rows are never changed: a correction is a new row with a parent.

    `recipe` is the SHA-256 of how the model was asked, and `method` what people read of that; both
    are those of the model whose list a person has checked. A list that a published data set has
    beside its human caption has neither model nor author, and no recipe; it counts as checked.
    `most_elements`: how many it was asked
    for at most. What somebody has checked is current for every model, the newest first; of what
    nobody has checked, the newest of a recipe.
    """

    class Kind(models.TextChoices):
        EVENTS = "events"
        OBJECTS = "objects"

    caption = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="extractions")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    elements = models.JSONField(default=list)
    most_elements = models.PositiveSmallIntegerField(null=True)
    recipe = models.CharField(max_length=64)
    method = models.CharField(max_length=200)
    model = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, null=True, related_name="+")
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, null=True, related_name="extractions"
    )
    parent = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="corrections"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(model=None) | Q(author=None), name="extraction_by_model_or_person"
            ),
        ]
        indexes = [
            models.Index(fields=["caption", "kind", "-id"], name="extraction_current"),
        ]

    def __str__(self) -> str:
        return f"{len(self.elements)} {self.kind} of {self.caption}"

    @property
    def is_checked(self) -> bool:
        return self.model_id is None
