"""The settings and the draft of the next release, and the archives of releases."""

from __future__ import annotations

from django.db import models

from annotate.models import Project
from annotate.models.dated import Dated
from review.frozen.models import Release


class Level(models.TextChoices):
    """The effect of a gate's finding."""

    BLOCK = "block", "Blocks"
    WARN = "warn", "Warns"
    OFF = "off", "Off"


class GateSetting(models.Model):
    """The level and limit of a gate if a project differs from the default. `limit` is None for a
    gate without one."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="release_gates")
    gate = models.CharField(max_length=40)
    level = models.CharField(max_length=5, choices=Level.choices)
    limit = models.FloatField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "gate"], name="gate_set_once_per_project"),
            models.CheckConstraint(
                condition=models.Q(level__in=Level.values), name="gate_level_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gate}: {self.level}"


class ReleaseDraft(models.Model):
    """An admin's notes and choice for the next release. `choice` also applies to later releases
    (`review.releases.choice.Choice`); the notes end with their release."""

    project = models.OneToOneField(
        Project, on_delete=models.CASCADE, related_name="release_draft", primary_key=True
    )
    notes = models.TextField(blank=True)
    choice = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"draft of {self.project_id}"


class ReleaseArchive(Dated):
    """The ZIP of a release in a format, as a file in the storage. It can be made again from the
    release, with the same bytes. `withdrawn`: the fingerprint of what had been taken out of the
    release when it was made; with another one it is outdated."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="archives")
    format = models.CharField(max_length=20)
    file = models.CharField(max_length=200, help_text="its name in the storage")
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    withdrawn = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "format"], name="release_archive_once_per_format"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.release} {self.format}"


class ReleaseHash(Dated):
    """The release hash of a format, computed once for each state of what was taken down. `sha256`
    is empty if the release can't be written in the format. `withdrawn`: the fingerprint of what was
    taken down. Rows are only added; the newest of a state counts."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="hashes")
    format = models.CharField(max_length=20)
    sha256 = models.CharField(max_length=64, blank=True)
    withdrawn = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.release} {self.format} {self.sha256[:12]}"
