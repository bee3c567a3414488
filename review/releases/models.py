"""What a project has set for its releases: gates, and what the next one is to contain."""

from __future__ import annotations

from django.db import models

from annotate.models import Project


class Level(models.TextChoices):
    """What a finding of a gate does."""

    BLOCK = "block", "Blocks"
    WARN = "warn", "Warns"
    OFF = "off", "Off"


class GateSetting(models.Model):
    """The level of a gate and its limit, where a project differs from the default. `limit` is None
    for a gate without one."""

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
    """What an admin has typed and chosen for the next release. `choice` stays for the one after it
    (`review.releases.choice.Choice`); the notes end with their release."""

    project = models.OneToOneField(
        Project, on_delete=models.CASCADE, related_name="release_draft", primary_key=True
    )
    notes = models.TextField(blank=True)
    choice = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"draft of {self.project_id}"
