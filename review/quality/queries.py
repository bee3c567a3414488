"""Known answers that a person may get, and what people answered."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotate.kinds import kind_facts
from annotate.models import Assignment, Membership, Project, User, WorkItem
from metrics.intervals import wilson_interval
from review.comparisons.gold import clips_seen_more_often
from review.quality.grading import FAR_OFF
from review.quality.known_pairs import (
    gold_pairs,
    training_pairs,
    votes_on_new_pairs,
)
from review.quality.models import GivenAnswer, KnownAnswer, Pause, QualityRule, TrainingPass
from review.ratings.models import TrainingAnswer
from review.ratings.queries import examples_in_use

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
    if kind == "rate":
        return examples_in_use(project).exists()
    return known_answers(project, kind, Purpose.TRAINING).exists()


def for_person(answers: QuerySet[KnownAnswer], person: User, kind: str) -> QuerySet[KnownAnswer]:
    """Exclude clips on which the person has done this work, or work that bars them from it; for
    comparisons only pairs, because people compare several pairs of one clip."""
    if kind == "compare":
        return training_pairs(answers, person)
    kinds = [kind, *kind_facts(kind).barred_by]
    worked = Assignment.objects.filter(
        annotator=person,
        item__clip=OuterRef("item__clip"),
        item__kind__in=kinds,
        item__purpose=Purpose.WORK,
    )
    return answers.exclude(Exists(worked))


def gold_for(project: Project, person: User, kind: str) -> QuerySet[KnownAnswer]:
    """Return the gold that this person may still get; of comparisons, what isn't opened yet."""
    if kind == "compare":
        return gold_pairs(known_answers(project, kind, Purpose.GOLD), project, person)
    own = Assignment.objects.filter(annotator=person, item=OuterRef("item"))
    gold = for_person(known_answers(project, kind, Purpose.GOLD), person, kind)
    return gold.exclude(Exists(own.exclude(state=State.EXPIRED)))


def next_gold(
    project: Project, person: User, kind: str, instead_of: int | None = None
) -> KnownAnswer | None:
    """Return the gold that comes next for this person, or None if real work does. `instead_of`: in
    comparisons, the clip of the next real pair.

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
    if instead_of is not None:
        gold = gold.exclude(item__clip__in=clips_seen_more_often(person, instead_of))
    keys = list(gold.order_by("pk").values_list("pk", flat=True))
    if not keys:
        return None
    chosen = keys[int.from_bytes(digest[8:16], "big") % len(keys)]
    return KnownAnswer.objects.select_related("item__clip").get(pk=chosen)


def _had_before(project: Project, person: User, kind: str) -> int:
    """Return how many items of work or gold the person took, or of comparisons were opened."""
    if kind == "compare":
        items = WorkItem.with_known_answers.filter(project=project, kind=kind, reserved_for=person)
        return items.count()
    taken = Assignment.objects.filter(annotator=person, item__project=project, item__kind=kind)
    return taken.exclude(item__purpose=Purpose.TRAINING).count()


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
    if kind == "rate":
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
    """Return finished work whose answer could become a known one, newest first. Nobody else will be
    asked for it, so that the answer reveals nothing."""
    taken = WorkItem.with_known_answers.filter(
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
    if kind == "compare":
        work = votes_on_new_pairs(work, project)
    if name:
        work = work.filter(item__clip__name__icontains=name)
    return work.select_related("item__clip__video", "item__project", "annotator").order_by(
        "-submitted_at", "-pk"
    )
