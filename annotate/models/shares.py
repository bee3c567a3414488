"""Which part of a project's clips a member works on."""

from __future__ import annotations

from django.db import models

from annotate.models.people import Membership


class AssignedSubcategory(models.Model):
    """A subcategory whose clips a member works on; an empty one means the whole category."""

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="assigned")
    category = models.CharField(max_length=100)
    subcategory = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["category", "subcategory"]
        constraints = [
            models.UniqueConstraint(
                fields=["membership", "category", "subcategory"], name="subcategory_assigned_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.category}: {self.subcategory or 'all'}"
