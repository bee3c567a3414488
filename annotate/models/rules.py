"""What a project sets for each kind of work."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotate.models.projects import Project


class WorkRules(models.Model):
    """The rules of one kind of work in a project; a kind without a row has the defaults.

    `annotate/rules.py` reads and stores them.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="work_rules")
    kind = models.CharField(max_length=16)
    guideline = models.TextField(blank=True, help_text="Markdown; the default text if empty")
    has_gold = models.BooleanField(default=False)
    has_training = models.BooleanField(default=False, help_text="whether it begins with a training")
    watched_percent = models.PositiveSmallIntegerField(
        default=0, help_text="how much of the clip is to be played before it is submitted"
    )

    class Meta:
        verbose_name_plural = "work rules"
        constraints = [
            models.UniqueConstraint(fields=["project", "kind"], name="work_rules_once"),
            models.CheckConstraint(
                condition=Q(watched_percent__lte=100), name="work_rules_watched_at_most_all"
            ),
        ]

    def __str__(self) -> str:
        return f"rules of {self.kind}"
