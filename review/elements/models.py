"""The events and objects of a caption, as a model found them or a person corrected them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotate.models import Assignment, Caption, User
from annotate.models.dated import Dated
from inference.models import ModelSpec


class Extraction(Dated):
    """The events or the objects in a caption, in order, found by a model or corrected by a person.
    Rows are never changed: a correction is a new row with a parent.

    `recipe` is the SHA-256 of the model's instructions, and `method` their readable form; a checked
    list has those of the model whose list was checked. A list that a published data set adds to its
    human caption has neither model, author nor recipe; it counts as checked. `most_elements`: the
    largest number that the model was asked for. A checked list, the newest first, is current for
    every model; without one, the newest of a recipe.
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
