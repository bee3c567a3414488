"""Known answers that a person may get, and what they answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotate.models import Assignment, Membership, Project, User, WorkItem
from annotate.queue.services.statements import BARRED_BY
from metrics.intervals import wilson_interval
from review.quality.grading import FAR_OFF, GRADERS
from review.quality.known_pairs import (
    gold_pairs,
    gold_pairs_now,
    training_pairs,
    votes_on_new_pairs,
)
from review.quality.models import GivenAnswer, KnownAnswer, Pause, QualityRule, TrainingPass
from review.ratings.models import TrainingAnswer
from review.ratings.queries import examples_in_use, unanswered_examples

Purpose = WorkItem.Purpose
State = Assignment.State


@dataclass(frozen=True)
class Accuracy:
    """How many gold answers of a person were right."""

    right: int
    answered: int

    @property
    def share(self) -> float | None:
        return self.right / self.answered if self.answered else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's interval at 95 %; None without answers."""
        return wilson_interval(self.right, self.answered)


def rule_for(project: Project, kind: str) -> QualityRule:
    """Return the stored rule, or an unsaved one that asks for nothing."""
    rule = QualityRule.objects.filter(project=project, kind=kind).first()
    return rule or QualityRule(project=project, kind=kind)


def known_answers(project: Project, kind: str, purpose: str) -> QuerySet[KnownAnswer]:
    """Return the known answers in use, in their order."""
    return KnownAnswer.objects.filter(
        project=project, item__kind=kind, item__purpose=purpose, is_used=True
    ).order_by("place", "pk")


def has_training(project: Project, kind: str) -> bool:
    """Return whether a training of this kind has items; ratings have examples of their own."""
    if kind == WorkItem.Kind.RATE:
        return examples_in_use(project).exists()
    return known_answers(project, kind, Purpose.TRAINING).exists()


def has_passed(project: Project, person: User, kind: str, rule: QualityRule) -> bool:
    passes = TrainingPass.objects.filter(project=project, person=person, kind=kind)
    if rule.retrain_after:
        passes = passes.filter(created_at__gt=rule.retrain_after)
    return passes.exists()


def for_person(answers: QuerySet[KnownAnswer], person: User, kind: str) -> QuerySet[KnownAnswer]:
    """Leave out clips on which the person has done this work, or work that bars them from it; of
    comparisons only pairs, as people compare several pairs of one clip."""
    if kind == WorkItem.Kind.COMPARE:
        return training_pairs(answers, person)
    kinds = [kind, *BARRED_BY.get(WorkItem.Kind(kind), [])]
    worked = Assignment.objects.filter(
        annotator=person,
        item__clip=OuterRef("item__clip"),
        item__kind__in=kinds,
        item__purpose=Purpose.WORK,
    )
    return answers.exclude(Exists(worked))


def training_items(project: Project, person: User, kind: str) -> QuerySet[KnownAnswer]:
    """Return the training of this person, in its order."""
    return for_person(known_answers(project, kind, Purpose.TRAINING), person, kind)


def gold_for(project: Project, person: User, kind: str) -> QuerySet[KnownAnswer]:
    """Return the gold that this person may still get; of comparisons, what isn't opened yet."""
    if kind == WorkItem.Kind.COMPARE:
        return gold_pairs(known_answers(project, kind, Purpose.GOLD), project, person)
    own = Assignment.objects.filter(annotator=person, item=OuterRef("item"))
    gold = for_person(known_answers(project, kind, Purpose.GOLD), person, kind)
    return gold.exclude(Exists(own.exclude(state=State.EXPIRED)))


def next_gold(project: Project, person: User, kind: str) -> KnownAnswer | None:
    """Return the gold that comes next for this person, or None if real work does.

    Each item that they take is gold by a chance of `gold_rate`, which a secret seed decides, so the
    answer is the same until they take one; or, in comparisons, until one is opened for them.
    """
    rule = QualityRule.objects.filter(project=project, kind=kind).first()
    if rule is None or not rule.gold_rate:
        return None
    number = _had_before(project, person, kind)
    digest = sha256(f"{rule.seed} {person.pk} {number}".encode()).digest()
    if int.from_bytes(digest[:8], "big") / 2**64 >= rule.gold_rate:
        return None
    gold = gold_for(project, person, kind)
    if kind == WorkItem.Kind.COMPARE:
        gold = gold_pairs_now(gold, project, person)
    keys = list(gold.order_by("pk").values_list("pk", flat=True))
    if not keys:
        return None
    chosen = keys[int.from_bytes(digest[8:16], "big") % len(keys)]
    return KnownAnswer.objects.select_related("item__clip").get(pk=chosen)


def _had_before(project: Project, person: User, kind: str) -> int:
    """Return how many items of work or gold the person took, or of comparisons were opened."""
    if kind == WorkItem.Kind.COMPARE:
        items = WorkItem.of_any_purpose.filter(project=project, kind=kind, reserved_for=person)
        return items.count()
    taken = Assignment.objects.filter(annotator=person, item__project=project, item__kind=kind)
    return taken.exclude(item__purpose=Purpose.TRAINING).count()


@dataclass(frozen=True)
class Training:
    """Where a person is in their training of a kind of work.

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


def rating_trainings(project: Project) -> dict[int, Accuracy]:
    """Return how many training examples of ratings each person rated as the grader of ratings
    calls right."""
    near = Q(difference__gt=-FAR_OFF, difference__lt=FAR_OFF)
    rows = (
        TrainingAnswer.objects.filter(example__project=project, example__is_used=True)
        .annotate(difference=F("value") - F("example__value"))
        .order_by()
        .values_list("rater")
        .annotate(right=Count("pk", filter=near), answered=Count("pk"))
    )
    return {rater: Accuracy(right, answered) for rater, right, answered in rows}


def has_failed(project: Project, person: User, kind: str) -> bool:
    """Return whether the person has used all tries of the training of this kind and not passed."""
    if kind not in project.training_kinds:
        return False
    if kind == WorkItem.Kind.RATE:
        return _failed_ratings(project, person)
    training = training_of(project, person, kind)
    is_over = bool(training.items) and training.is_complete and not training.tries_left
    return is_over and not training.has_passed


def _failed_ratings(project: Project, person: User) -> bool:
    """Return whether a complete training of ratings, which has one try, is not enough."""
    if unanswered_examples(project, person).exists():
        return False
    rule = rule_for(project, WorkItem.Kind.RATE)
    answers = rating_trainings(project).get(person.pk, Accuracy(0, 0))
    is_enough = answers.share is None or answers.share >= (rule.pass_share or 0)
    return not is_enough and not has_passed(project, person, WorkItem.Kind.RATE, rule)


def running_pause(project: Project, person: User, kind: str) -> Pause | None:
    return Pause.objects.filter(project=project, person=person, kind=kind, ended_at=None).first()


def gold_accuracy(project: Project, person: User, kind: str) -> Accuracy:
    """Return the accuracy since the person's last pause ended."""
    ended = Pause.objects.filter(project=project, person=person, kind=kind).exclude(ended_at=None)
    last = ended.order_by("-ended_at").values_list("ended_at", flat=True).first()
    answers = GivenAnswer.objects.filter(
        person=person,
        known_answer__project=project,
        known_answer__item__kind=kind,
        known_answer__item__purpose=Purpose.GOLD,
    )
    if last:
        answers = answers.filter(created_at__gt=last)
    right = answers.filter(is_right=True).count()
    return Accuracy(right, answers.count())


@dataclass(frozen=True)
class PersonQuality:
    """What one person answered in one kind of work."""

    membership: Membership
    training: Accuracy
    gold: Accuracy
    has_passed: bool
    pause: Pause | None


def people_quality(project: Project, kind: str) -> list[PersonQuality]:
    """Return everybody who has answered training or gold of this kind, by name. Four queries."""
    counts: dict[int, dict[str, Accuracy]] = {}
    answers = (
        GivenAnswer.objects.filter(known_answer__project=project, known_answer__item__kind=kind)
        .order_by()
        .values_list("person", "known_answer__item__purpose")
        .annotate(answered=Count("pk"), right=Count("pk", filter=Q(is_right=True)))
    )
    for person, purpose, answered, right in answers:
        counts.setdefault(person, {})[purpose] = Accuracy(right, answered)
    if kind == WorkItem.Kind.RATE:
        for person, accuracy in rating_trainings(project).items():
            counts.setdefault(person, {})[Purpose.TRAINING] = accuracy
    rule = rule_for(project, kind)
    passes = TrainingPass.objects.filter(project=project, kind=kind)
    if rule.retrain_after:
        passes = passes.filter(created_at__gt=rule.retrain_after)
    passed = set(passes.values_list("person", flat=True))
    pauses = {
        pause.person_id: pause
        for pause in Pause.objects.filter(project=project, kind=kind, ended_at=None)
    }
    members = Membership.objects.filter(project=project, user__in={*counts, *passed, *pauses})
    none = Accuracy(0, 0)
    return [
        PersonQuality(
            membership=member,
            training=counts.get(member.user_id, {}).get(Purpose.TRAINING, none),
            gold=counts.get(member.user_id, {}).get(Purpose.GOLD, none),
            has_passed=member.user_id in passed,
            pause=pauses.get(member.user_id),
        )
        for member in members.select_related("user").order_by("user__name", "pk")
    ]


def finished_sources(project: Project, kind: str, name: str = "") -> QuerySet[Assignment]:
    """Return finished work whose answer could be a known one, the newest first. Nobody else is
    still asked for it, so that the answer gives nothing away."""
    taken = WorkItem.of_any_purpose.filter(
        clip=OuterRef("item__clip"),
        kind=kind,
        subject=OuterRef("item__subject"),
        known_answer__is_used=True,
    )
    work = Assignment.objects.filter(
        item__project=project,
        item__kind=kind,
        item__purpose=Purpose.WORK,
        item__state=WorkItem.State.DONE,
        state=State.SUBMITTED,
        is_late=False,
    ).exclude(Exists(taken))
    if kind == WorkItem.Kind.COMPARE:
        work = votes_on_new_pairs(work, project)
    if name:
        work = work.filter(item__clip__name__icontains=name)
    return work.select_related("item__clip__video", "item__project", "annotator").order_by(
        "-submitted_at", "-pk"
    )


def kinds_with_graders(kinds: Sequence[WorkItem.Kind]) -> list[WorkItem.Kind]:
    return [kind for kind in kinds if kind in GRADERS]
