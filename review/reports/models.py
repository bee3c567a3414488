"""Numbers computed from stored labels, with how they were made."""

from __future__ import annotations

from django.db import models

from annotate.models import Project
from annotate.models.dated import Dated


class ReportQuerySet(models.QuerySet["Report"]):
    def newest(self, project: Project, name: str) -> ReportQuerySet:
        """Return the current report of each subject, newest first."""
        of_name = self.model.objects.filter(project=project, name=name).order_by()
        newest = of_name.values("subject").annotate(newest=models.Max("pk"))
        return self.filter(pk__in=newest.values("newest")).order_by("-pk")


class Report(Dated):
    """A computed result. Rows are never changed: a newer one of the same name and subject
    supersedes it.

    `name` is that of a registered kind (`registry.py`). `subject` is what it is about if a project
    has several: the scorer of a threshold. `inputs_hash` is the SHA-256 of its labels and
    parameters, and `inputs` the number of labels. `signature` is one line on how the numbers were
    made.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="reports")
    name = models.CharField(max_length=20)
    subject = models.CharField(max_length=64, blank=True)
    parameters = models.JSONField(default=dict)
    inputs_hash = models.CharField(max_length=64)
    inputs = models.PositiveIntegerField()
    seed = models.PositiveIntegerField(default=0)
    code_version = models.CharField(max_length=40)
    result = models.JSONField()
    signature = models.CharField(max_length=500)

    objects = ReportQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["project", "name", "subject", "-id"], name="report_current"),
        ]

    def __str__(self) -> str:
        return self.signature

    @property
    def is_superseded(self) -> bool:
        newer = Report.objects.filter(
            project=self.project_id, name=self.name, subject=self.subject, pk__gt=self.pk
        )
        return newer.exists()
