"""The releases whose content was restored to a project."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.models import Project, User


class ImportedRelease(models.Model):
    """The files of a release that were imported: `sha256` is the digest of their content. Rows
    never change.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    file = models.CharField(max_length=200, help_text="the name of the ZIP or the folder")
    format = models.CharField(max_length=10)
    sha256 = models.CharField(max_length=64)
    imported_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    imported_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "sha256"], name="release_imported_once"),
        ]

    def __str__(self) -> str:
        return self.file
