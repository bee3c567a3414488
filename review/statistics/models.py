"""Rows of other benchmarks, shown beside a project's own in the papers' Table 1."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower

from annotate.models import Project, User
from annotate.models.dated import Dated


class BenchmarkRow(Dated):
    """What an admin states of another benchmark, with its `source`, such as a citation.

    `values`: the key of a column (`review.statistics.columns`) -> a number, yes or no as a boolean,
    or a text. A column without an entry is unknown.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="benchmark_rows")
    name = models.CharField(max_length=80)
    source = models.CharField(max_length=300)
    values = models.JSONField(default=dict)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                "project", Lower("name"), name="benchmark_row_name_once_per_project"
            ),
            models.CheckConstraint(
                condition=~models.Q(name="") & ~models.Q(source=""),
                name="benchmark_row_has_a_name_and_a_source",
            ),
        ]

    def __str__(self) -> str:
        return self.name
