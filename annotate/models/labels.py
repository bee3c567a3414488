"""Labels of clips: fine-grained actions (TF-CoVR)."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.models.projects import Project
from annotate.text.events import MAX_EVENT_LENGTH, without_event

MAX_CAPTION_LENGTH = 300


class ActionLabel(models.Model):
    """`key` is the label's id in its data set and identifies the label, since captions repeat.

    `domain` is the sport, if texts about its labels are written separately. `event` is the event of
    the action (TF-CoVR: the apparatus), "" if unknown. If `counts_as` is set, both labels have the
    same caption, and an admin has let them count as one for targets.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="action_labels")
    key = models.CharField(max_length=40)
    caption = models.CharField(max_length=MAX_CAPTION_LENGTH)
    domain = models.CharField(max_length=40, blank=True)
    event = models.CharField(max_length=MAX_EVENT_LENGTH, blank=True)
    counts_as = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

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


class LabelCorrection(models.Model):
    """What a label meant until an admin corrected it. Rows never change."""

    label = models.ForeignKey(ActionLabel, on_delete=models.CASCADE, related_name="corrections")
    caption = models.CharField(max_length=MAX_CAPTION_LENGTH)
    event = models.CharField(max_length=MAX_EVENT_LENGTH, blank=True)
    corrected_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"correction of {self.label}"


class ClipLabelCorrection(models.Model):
    """The label that a clip had until an admin gave it another one; None if it had none. Rows never
    change.
    """

    clip = models.ForeignKey(
        "annotate.Clip", on_delete=models.CASCADE, related_name="label_corrections"
    )
    label = models.ForeignKey(ActionLabel, on_delete=models.CASCADE, null=True, related_name="+")
    corrected_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"correction of the label of {self.clip}"
