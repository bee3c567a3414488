"""Human captions that a published data set has for the project's clips."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower

from annotate.models import Caption, Project, User
from annotate.models.dated import Dated


class HumanImport(Dated):
    """A file of human captions that an admin has checked, and then imported as a whole.

    `name` is that of the data set, such as "CaReBench v1". `content` has the file until it is
    imported. `options`: how it is read. `preview`: what the import will store and change, and later
    what it did; for a refused file, only the `faults`.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="human_imports")
    name = models.CharField(max_length=80)
    file_name = models.CharField(max_length=200, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    content = models.BinaryField(null=True)
    options = models.JSONField(default=dict)
    preview = models.JSONField(default=dict)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    imported_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                "project", Lower("name"), name="human_import_name_once_per_project"
            ),
            models.CheckConstraint(condition=~models.Q(name=""), name="human_import_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class PublishedCaption(models.Model):
    """A caption that an import has stored."""

    human_import = models.ForeignKey(HumanImport, on_delete=models.CASCADE, related_name="captions")
    caption = models.OneToOneField(Caption, on_delete=models.CASCADE, related_name="published_as")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.caption} of {self.human_import}"
