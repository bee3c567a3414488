"""A person's progress in their training of a kind of work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.models import Project, User
from annotate.rules import rules_for
from review.quality.models import GivenAnswer, KnownAnswer, QualityRule, TrainingPass
from review.quality.queries import (
    Accuracy,
    Purpose,
    for_person,
    known_answers,
    rating_trainings,
    rule_for,
)
from review.ratings.queries import unanswered_examples


@dataclass(frozen=True)
class Training:
    """A person's progress in their training of a kind of work.

    `given` has the answers of the current attempt, by known answer.
    """

    rule: QualityRule
    items: Sequence[KnownAnswer]
    given: dict[int, GivenAnswer]
    attempt: int
    has_passed: bool

    @property
    def right(self) -> int:
        return sum(answer.is_right for answer in self.given.values())

    @property
    def next_item(self) -> KnownAnswer | None:
        return next((item for item in self.items if item.pk not in self.given), None)

    @property
    def is_complete(self) -> bool:
        return self.next_item is None

    @property
    def share(self) -> float:
        return self.right / len(self.items) if self.items else 1

    @property
    def is_enough(self) -> bool:
        """Whether this attempt, if complete, has the share that the rule asks for."""
        return self.is_complete and self.share >= (self.rule.pass_share or 0)

    @property
    def tries_left(self) -> int:
        done = self.attempt if self.is_complete else self.attempt - 1
        return max(0, self.rule.tries - done)


def training_of(project: Project, person: User, kind: str) -> Training:
    rule = rule_for(project, kind)
    items = list(training_items(project, person, kind).select_related("item__clip"))
    answers = GivenAnswer.objects.filter(
        person=person,
        known_answer__project=project,
        known_answer__item__kind=kind,
        known_answer__item__purpose=Purpose.TRAINING,
    )
    if rule.retrain_after:
        answers = answers.filter(created_at__gt=rule.retrain_after)
    rows = list(answers)
    attempt = max((answer.attempt for answer in rows), default=0)
    given = {answer.known_answer_id: answer for answer in rows if answer.attempt == attempt}
    used = {item.pk for item in items}
    return Training(
        rule=rule,
        items=items,
        given={key: answer for key, answer in given.items() if key in used},
        attempt=attempt,
        has_passed=has_passed(project, person, kind, rule),
    )


def training_items(project: Project, person: User, kind: str) -> QuerySet[KnownAnswer]:
    """Return the training of this person, in its order."""
    return for_person(known_answers(project, kind, Purpose.TRAINING), person, kind)


def has_passed(project: Project, person: User, kind: str, rule: QualityRule) -> bool:
    passes = TrainingPass.objects.filter(project=project, person=person, kind=kind)
    if rule.retrain_after:
        passes = passes.filter(created_at__gt=rule.retrain_after)
    return passes.exists()


def has_failed(project: Project, person: User, kind: str) -> bool:
    """Return whether the person has used all tries of the training of this kind and not passed."""
    if not rules_for(project, kind).has_training:
        return False
    if kind == "rate":
        return _failed_ratings(project, person)
    training = training_of(project, person, kind)
    is_over = bool(training.items) and training.is_complete and not training.tries_left
    return is_over and not training.has_passed


def _failed_ratings(project: Project, person: User) -> bool:
    """Return whether a complete training of ratings, which has one try, is not enough."""
    if unanswered_examples(project, person).exists():
        return False
    rule = rule_for(project, "rate")
    answers = rating_trainings(project).get(person.pk, Accuracy(0, 0))
    is_enough = answers.share is None or answers.share >= (rule.pass_share or 0)
    return not is_enough and not has_passed(project, person, "rate", rule)
