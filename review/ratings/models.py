"""Ratings of how well a caption fits its clip, from 0 to 5 (LoVR, appendix B.4)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotate.models import Assignment, Caption, Project, User
from annotate.models.dated import Dated
from review.studies.models import Study

IN_SCALE = Q(value__in=[0, 1, 2, 3, 4, 5])


class Rating(Dated):
    """One person's rating of one caption. Rows never change."""

    caption = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="ratings")
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="ratings")
    rater = models.ForeignKey(User, on_delete=models.PROTECT, related_name="ratings")
    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="rating")
    value = models.PositiveSmallIntegerField()
    remark = models.TextField(blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["caption", "rater"], name="rating_once_per_person"),
            models.CheckConstraint(condition=IN_SCALE, name="rating_on_the_scale"),
        ]

    def __str__(self) -> str:
        return f"{self.value} for {self.caption}"


class RatingExample(Dated):
    """A caption of the training set, with its right rating and an explanation.

    Examples appear in order of `place`. A retired example is kept with its answers.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="rating_examples")
    caption = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="+")
    value = models.PositiveSmallIntegerField()
    explanation = models.TextField()
    place = models.PositiveIntegerField(default=0)
    is_used = models.BooleanField(default=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["place", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "caption"],
                condition=Q(is_used=True),
                name="rating_example_once_per_caption",
            ),
            models.CheckConstraint(condition=IN_SCALE, name="rating_example_on_the_scale"),
            models.CheckConstraint(
                condition=~Q(explanation=""), name="rating_example_is_explained"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.value} for {self.caption}, explained"


class TrainingAnswer(Dated):
    """A person's answer to an example, given before they saw the right one. Rows never change."""

    example = models.ForeignKey(RatingExample, on_delete=models.CASCADE, related_name="answers")
    rater = models.ForeignKey(User, on_delete=models.PROTECT, related_name="training_answers")
    value = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["example", "rater"], name="training_answer_once"),
            models.CheckConstraint(condition=IN_SCALE, name="training_answer_on_the_scale"),
        ]

    def __str__(self) -> str:
        return f"{self.rater}: {self.value}"
