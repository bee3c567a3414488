"""Things that an admin has archived."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.models.people import User
from annotate.models.projects import Project


class Archived(models.Model):
    """One archived thing: `subject` is its key in the table of its `kind`. A restored one has no
    row.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="archived")
    kind = models.CharField(max_length=20)
    subject = models.PositiveBigIntegerField()
    name = models.CharField(max_length=200, help_text="what it was called then")
    reason = models.CharField(max_length=150, blank=True)
    archived_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    archived_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject"], name="archived_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"
