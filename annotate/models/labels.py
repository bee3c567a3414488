"""Fine-grained actions, which label clips (TF-CoVR)."""

from __future__ import annotations

from django.db import models

from annotate.models.projects import Project
from annotate.text.events import LONGEST_EVENT, without_event


class ActionLabel(models.Model):
    """`key` is the label's id in its data set and tells labels apart: several share a caption.

    `domain` is the kind of sport, as far as texts about its labels are written apart. `event` is
    what the action is part of (TF-CoVR: the apparatus), empty if unknown.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="action_labels")
    key = models.CharField(max_length=40)
    caption = models.CharField(max_length=300)
    domain = models.CharField(max_length=40, blank=True)
    event = models.CharField(max_length=LONGEST_EVENT, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="action_label_once_per_key"),
            models.CheckConstraint(
                condition=~models.Q(key="") & ~models.Q(caption=""),
                name="action_label_has_key_and_caption",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.caption}"

    @property
    def action(self) -> str:
        """The caption without the event."""
        return without_event(self.caption, self.event)
