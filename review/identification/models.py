"""Tests of whether a text alone identifies its clip among others of the subcategory."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotate.models import Assignment, Caption, Clip, Project, User
from annotate.models.dated import Dated


class IdentificationTest(Dated):
    """One test of a project's final texts. `options`: the clips to pick from, at most; `people`:
    who pick for each text."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="identification_tests"
    )
    options = models.PositiveSmallIntegerField()
    people = models.PositiveSmallIntegerField()
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project"], condition=Q(ended_at=None), name="one_identification_test_runs"
            ),
            models.CheckConstraint(
                condition=Q(options__gte=4, options__lte=10), name="identification_of_4_to_10"
            ),
        ]

    def __str__(self) -> str:
        return f"identification {self.pk} of {self.project}"


class TestedText(models.Model):
    """A text of a test. `clips` are the keys of the clips to pick from: its own first, then the
    most similar ones. Pages never show them in this order. They are chosen when the first text of
    its `group` is given out: the texts of one kind and subcategory, numbered within the test."""

    test = models.ForeignKey(IdentificationTest, on_delete=models.CASCADE, related_name="texts")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="+")
    caption = models.ForeignKey(Caption, on_delete=models.PROTECT, related_name="+")
    group = models.PositiveIntegerField()
    clips = models.JSONField(default=list)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["test", "caption"], name="text_tested_once"),
        ]

    def __str__(self) -> str:
        return f"{self.caption} in {self.test}"


class IdentificationTask(models.Model):
    """A text given to one person; `clips` are its clips in the order that this person sees."""

    text = models.ForeignKey(TestedText, on_delete=models.CASCADE, related_name="tasks")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    clips = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["text", "person"], name="identification_task_once"),
        ]

    def __str__(self) -> str:
        return f"{self.text} for {self.person}"


class IdentifiedClip(Dated):
    """The clip that a person picked. Rows are never changed: the newest of a task counts."""

    task = models.ForeignKey(IdentificationTask, on_delete=models.CASCADE, related_name="picks")
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="+")
    clip = models.ForeignKey(Clip, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.clip} for {self.task}"
