"""The basis of adopted thresholds, and captions assigned in an order by expected errors."""

from __future__ import annotations

from django.db import models

from annotate.models import Caption, Project, User
from annotate.models.dated import Dated
from inference.models import QualityThreshold


class ThresholdBasis(models.Model):
    """The estimate that the page showed when a threshold was adopted. Rows never change.

    `rule` and `counting` are those of the report with this signature; `estimate` is its threshold,
    None if it had none.
    """

    threshold = models.OneToOneField(
        QualityThreshold, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    rule = models.CharField(max_length=20)
    counting = models.CharField(max_length=20)
    estimate = models.FloatField(null=True)
    signature = models.CharField(max_length=500)

    def __str__(self) -> str:
        return f"basis of {self.threshold}"


class VerificationOrder(Dated):
    """A draw of all captions below the thresholds that nobody had been asked about."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    seed = models.PositiveIntegerField()
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"order {self.pk}"


class OrderedCaption(models.Model):
    """A drawn caption. `probability`: of drawing it among those that were left. `expected`: its
    expected errors by its score.
    """

    order = models.ForeignKey(VerificationOrder, on_delete=models.CASCADE, related_name="captions")
    caption = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="+")
    place = models.PositiveIntegerField()
    probability = models.FloatField()
    expected = models.FloatField()

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["order", "caption"], name="ordered_caption_once"),
            models.UniqueConstraint(fields=["order", "place"], name="ordered_caption_place_once"),
            models.CheckConstraint(
                condition=models.Q(probability__gt=0, probability__lte=1.000001, expected__gte=0),
                name="ordered_caption_had_a_chance",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.caption} at {self.place}"
