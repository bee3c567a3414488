"""Known answers, what people answered, and the rules for each kind of work."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.db import models
from django.db.models import Q

from annotate.kinds import kind_choices
from annotate.models import Assignment, Project, User, WorkItem
from annotate.models.dated import Dated


def new_seed() -> str:
    return secrets.token_hex(16)


@dataclass(frozen=True)
class Requirements:
    """What an admin sets in a QualityRule."""

    pass_share: float | None
    tries: int
    gold_rate: float
    gold_limit: float
    gold_least: int


class QualityRule(models.Model):
    """What a project requires before and during one kind of work.

    `pass_share` is the share of training items that must be right, None for no training.
    `gold_rate` is the share of work that is gold; `gold_limit` the accuracy on gold below which a
    person's queue pauses once they have answered `gold_least` items. The seed decides who gets gold
    when, and no page shows it.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="quality_rules")
    kind = models.CharField(max_length=16, choices=kind_choices)
    pass_share = models.FloatField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=3)
    retrain_after = models.DateTimeField(null=True, blank=True)
    gold_rate = models.FloatField(default=0)
    gold_limit = models.FloatField(default=0.7)
    gold_least = models.PositiveSmallIntegerField(default=5)
    seed = models.CharField(max_length=32, default=new_seed, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "kind"], name="quality_rule_once_per_kind"),
            models.CheckConstraint(
                condition=Q(pass_share=None) | Q(pass_share__gte=0, pass_share__lte=1),
                name="quality_rule_pass_share_is_a_share",
            ),
            models.CheckConstraint(
                condition=Q(gold_rate__gte=0, gold_rate__lte=0.5),
                name="quality_rule_gold_rate_is_at_most_half",
            ),
            models.CheckConstraint(
                condition=Q(gold_limit__gte=0, gold_limit__lte=1),
                name="quality_rule_gold_limit_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return f"Quality of {self.kind} in {self.project}"


class KnownAnswer(Dated):
    """An item of training or gold with its right answer.

    `source` is the finished work whose `content`, the fields of a draft, is the right answer.
    `facts` are the lines on words that a text must or must not have (review/quality/facts.py).
    Items of a training appear in order of `place`. A retired one is kept with its answers.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="known_answers")
    item = models.OneToOneField(WorkItem, on_delete=models.CASCADE, related_name="known_answer")
    source = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="+")
    content = models.JSONField()
    facts = models.JSONField(default=list)
    explanation = models.TextField(blank=True)
    place = models.PositiveIntegerField(default=0)
    is_used = models.BooleanField(default=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["place", "id"]

    def __str__(self) -> str:
        return f"Known answer: {self.item}"


class GivenAnswer(Dated):
    """A person's answer to a known item, and whether it is right. Rows never change.

    `share` is the share of its parts that are right, 0 to 1. `attempt` counts the times that the
    person goes through the training, from 1; gold is answered once.
    """

    known_answer = models.ForeignKey(KnownAnswer, on_delete=models.PROTECT, related_name="answers")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="given_answers")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, related_name="given_answers"
    )
    attempt = models.PositiveSmallIntegerField(default=1)
    content = models.JSONField()
    is_right = models.BooleanField()
    share = models.FloatField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["known_answer", "person", "attempt"], name="given_answer_once_per_attempt"
            ),
            models.CheckConstraint(
                condition=Q(share__gte=0, share__lte=1), name="given_answer_share_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {'right' if self.is_right else 'wrong'}, {self.known_answer}"


class TrainingPass(Dated):
    """A person has passed the training of a kind of work, or an admin let them in without it. Rows
    never change."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="training_passes")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="training_passes")
    kind = models.CharField(max_length=16, choices=kind_choices)
    right = models.PositiveIntegerField()
    items = models.PositiveIntegerField()
    granted_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["project", "person", "kind"], name="training_pass_by_person")
        ]

    def __str__(self) -> str:
        return f"{self.person} may {self.kind} in {self.project}"


class Pause(Dated):
    """A person gets no more work of a kind until an admin ends the pause. Their work stays."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="pauses")
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="pauses")
    kind = models.CharField(max_length=16, choices=kind_choices)
    right = models.PositiveIntegerField()
    answered = models.PositiveIntegerField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "person", "kind"],
                condition=Q(ended_at=None),
                name="pause_one_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} pauses {self.kind} in {self.project}"
