"""Tags of clips, and changes of many clips at once."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from annotate.models.corpus import Clip
from annotate.models.jobs import Job
from annotate.models.people import User
from annotate.models.projects import Project

MAX_TAG_LENGTH = 40


class Tag(models.Model):
    """A word with which the people of a project mark clips. It ends with its last clip."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="tags")
    name = models.CharField(max_length=MAX_TAG_LENGTH)
    clips = models.ManyToManyField(Clip, related_name="tags")

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint("project", Lower("name"), name="tag_once_per_project"),
        ]

    def __str__(self) -> str:
        return self.name


class ClipChange(models.Model):
    """One action on many clips. `clips` are their keys, `values` the form's values.

    `before` has a row [key, earlier value] for each changed thing, for undoing it. `job` makes the
    change in the background if the clips are many; `changed` is None until then.
    """

    class Action(models.TextChoices):
        ASSIGN = "assign", "Assign work"
        PRIORITIZE = "prioritize", "Prioritize work"
        TAG = "tag", "Add a tag"
        UNTAG = "untag", "Remove a tag"
        EXCLUDE = "exclude", "Withdraw"
        INCLUDE = "include", "Take back"
        ARCHIVE = "archive", "Archive"
        RESTORE = "restore", "Restore"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="clip_changes")
    action = models.CharField(max_length=10, choices=Action.choices)
    values = models.JSONField(default=dict)
    clips = models.JSONField(default=list)
    before = models.JSONField(default=list)
    changed = models.PositiveIntegerField(null=True)
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, related_name="+")
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["project", "-id"], name="clip_change_by_age")]

    def __str__(self) -> str:
        clips = "clip" if len(self.clips) == 1 else "clips"
        return f"{self.get_action_display()}: {len(self.clips)} {clips}"
