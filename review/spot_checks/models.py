"""Finished work drawn for a check, and whether it is right."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotate.kinds import kind_choices
from annotate.models import Assignment, Project, User
from annotate.models.dated import Dated


class SpotCheck(Dated):
    """A random sample of finished work of one kind, at most `per_person` items of each person. The
    same seed draws the same items."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="spot_checks")
    kind = models.CharField(max_length=16, choices=kind_choices)
    per_person = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField()
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"Spot check {self.pk} of {self.kind}"


class SpotCheckItem(models.Model):
    """One drawn piece of work; `is_right` is None until it is judged."""

    check_of = models.ForeignKey(SpotCheck, on_delete=models.CASCADE, related_name="items")
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="+")
    place = models.PositiveIntegerField()
    is_right = models.BooleanField(null=True, blank=True)
    remark = models.TextField(blank=True)
    judged_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    judged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["check_of", "assignment"], name="spot_check_item_once"),
            models.CheckConstraint(
                condition=Q(is_right=None, judged_by=None, judged_at=None)
                | Q(is_right__isnull=False, judged_by__isnull=False, judged_at__isnull=False),
                name="spot_check_item_is_judged_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} in {self.check_of}"
