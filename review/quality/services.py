"""Every change of known answers and of the rules for them, by admins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from django.db import transaction
from django.db.models import Max
from django.urls import reverse
from django.utils import timezone

from annotate.audit import record_event
from annotate.kinds import Kind
from annotate.models import Assignment, Notice, Project, User, WorkItem
from annotate.notices.services import notify
from annotate.ordering import DOWN, UP, moved
from annotate.rules import store_rule
from review.errors import ReviewError
from review.quality.facts import FactInvalid, read_facts
from review.quality.grader import Grader
from review.quality.grading import GRADERS
from review.quality.models import KnownAnswer, Pause, QualityRule, Requirements, TrainingPass
from review.quality.queries import (
    Purpose,
    finished_sources,
    has_training,
    known_answers,
    rule_for,
)
from review.quality.training import training_of

# An item with a known answer never runs out of places.
PLACES = 30_000
NO_GOLD = "This work takes too long for a hidden check, so it has no gold."


@transaction.atomic
def set_rule(
    *, project: Project, kind: str, admin: User, requirements: Requirements
) -> QualityRule:
    """Store what the project requires before and during this kind of work. Raises ReviewError if
    the kind has no known answers."""
    Project.objects.lock(project.pk)
    grader = GRADERS.get(kind)
    if grader is None:
        raise ReviewError("This kind of work can't have training or gold.")
    if requirements.gold_rate and not grader.has_gold:
        raise ReviewError(NO_GOLD)
    if requirements.pass_share is not None and not has_training(project, kind):
        raise ReviewError("Add an answer to the training first. Without one, nobody could pass it.")
    if requirements.gold_rate and not known_answers(project, kind, Purpose.GOLD).exists():
        raise ReviewError("Add an answer as gold first.")
    values = asdict(requirements)
    before = rule_for(project, kind)
    earlier = {name: getattr(before, name) for name in values}
    rule, _ = QualityRule.objects.update_or_create(project=project, kind=kind, defaults=values)
    _note_kinds(project)
    record_event(
        actor=admin,
        verb="set quality rule",
        subject=rule,
        project=project,
        before={"kind": kind, **earlier},
        after={"kind": kind, **values},
    )
    return rule


@transaction.atomic
def add_known_answer(
    *,
    project: Project,
    kind: str,
    source_id: int,
    purpose: str,
    explanation: str,
    admin: User,
    facts: Sequence[str] = (),
    outcome: str = "",
) -> KnownAnswer:
    """Use the answer of finished work as a known one, with what texts must have and must not
    (`facts`, by line), or with the right vote (`outcome`) if it isn't the one that was cast. Raises
    ReviewError."""
    Project.objects.lock(project.pk)
    grader = GRADERS.get(kind)
    if grader is None or purpose not in (Purpose.TRAINING, Purpose.GOLD):
        raise ReviewError("This kind of work can't have training or gold.")
    if purpose == Purpose.TRAINING and kind == "rate":
        raise ReviewError("Ratings have their own training. Add an example on Training examples.")
    if purpose == Purpose.GOLD and not grader.has_gold:
        raise ReviewError(NO_GOLD)
    if outcome and not grader.chooses_outcome:
        raise ReviewError("Only for a comparison can you say which vote is right.")
    source = finished_sources(project, kind).filter(pk=source_id).first()
    if source is None:
        raise ReviewError(
            "This work can't be a known answer: it isn't finished, or it is one already."
        )
    explanation = explanation.strip()
    if purpose == Purpose.TRAINING and not explanation:
        raise ReviewError("Explain the answer: people in training learn from the explanation.")
    _refuse_unmet(grader, source, facts)
    real = source.item
    item, _ = WorkItem.with_known_answers.update_or_create(
        clip=real.clip,
        kind=kind,
        subject=real.subject,
        purpose=purpose,
        defaults={
            "project": project,
            "context": real.context | grader.shown_with(source),
            "needed": PLACES,
            "open_slots": PLACES,
            "state": WorkItem.State.OPEN,
        },
    )
    last = known_answers(project, kind, purpose).aggregate(last=Max("place"))["last"]
    known_answer, _ = KnownAnswer.objects.update_or_create(
        item=item,
        defaults={
            "project": project,
            "source": source,
            "content": grader.content_of(source, outcome),
            "facts": list(facts),
            "explanation": explanation,
            "place": 0 if last is None else last + 1,
            "is_used": True,
            "created_by": admin,
        },
    )
    _note_kinds(project)
    record_event(
        actor=admin,
        verb="add known answer",
        subject=known_answer,
        project=project,
        after={"kind": kind, "purpose": purpose, "source": source.pk},
    )
    return known_answer


@transaction.atomic
def retire_known_answer(*, known_answer: KnownAnswer, admin: User) -> None:
    """Hand the item out no more; keep what people answered. Safe to repeat."""
    Project.objects.lock(known_answer.project_id)
    if KnownAnswer.objects.filter(pk=known_answer.pk, is_used=True).update(is_used=False):
        # A done item is not hidden from people who could have been asked.
        WorkItem.with_known_answers.filter(pk=known_answer.item_id).update(
            state=WorkItem.State.DONE
        )
        _note_kinds(known_answer.project)
        record_event(
            actor=admin,
            verb="retire known answer",
            subject=known_answer,
            project=known_answer.project,
        )


@transaction.atomic
def move_known_answer(*, known_answer: KnownAnswer, direction: str, admin: User) -> None:
    """Swap a training item with the previous (UP) or next (DOWN) one; at either end do nothing.
    Raises ReviewError."""
    if direction not in (UP, DOWN):
        raise ReviewError("Move it up or down.")
    Project.objects.lock(known_answer.project_id)
    used = list(
        known_answers(known_answer.project, known_answer.item.kind, known_answer.item.purpose)
    )
    if known_answer not in used:
        raise ReviewError("This answer is no longer used. Reload the page.")
    order = moved(used, known_answer, up=direction == UP)
    if order == used:
        return
    for place, answer in enumerate(order):
        answer.place = place
    KnownAnswer.objects.bulk_update(order, ["place"])
    record_event(
        actor=admin,
        verb="move known answer",
        subject=known_answer,
        project=known_answer.project,
        before={"place": used.index(known_answer)},
        after={"place": order.index(known_answer)},
    )


@transaction.atomic
def train_again(*, project: Project, kind: str, admin: User) -> None:
    """Require the training again from everybody, for example after a change of the guideline."""
    rule = rule_for(project, kind)
    if rule.pass_share is None:
        raise ReviewError("This kind of work begins without a training.")
    rule.retrain_after = timezone.now()
    rule.save(update_fields=["retrain_after"])
    record_event(
        actor=admin, verb="train again", subject=rule, project=project, after={"kind": kind}
    )


@transaction.atomic
def let_in(*, project: Project, person: User, kind: str, admin: User) -> TrainingPass:
    """Allow a person to do the work without passing its training."""
    training = training_of(project, person, kind)
    passed = TrainingPass.objects.create(
        project=project,
        person=person,
        kind=kind,
        right=training.right,
        items=len(training.items),
        granted_by=admin,
    )
    record_event(
        actor=admin,
        verb="let in without training",
        subject=passed,
        project=project,
        after={"person": person.pk, "kind": kind},
    )
    _tell_admitted(passed, "An admin let you in without training: {kind}.")
    return passed


@transaction.atomic
def end_pause(*, pause: Pause, admin: User) -> None:
    """Give the person work of this kind again; gold is counted from zero. Safe to repeat."""
    if Pause.objects.filter(pk=pause.pk, ended_at=None).update(
        ended_at=timezone.now(), ended_by=admin
    ):
        record_event(
            actor=admin,
            verb="end pause",
            subject=pause,
            project=pause.project,
            after={"person": pause.person_id, "kind": pause.kind},
        )
        _tell_admitted(pause, "Your work is no longer paused: {kind}.")


def _tell_admitted(reason: Pause | TrainingPass, text: str) -> None:
    notify(
        people=[reason.person],
        project=reason.project,
        kind=Notice.Kind.ADMITTED,
        subject=reason,
        text=text.format(kind=Kind(reason.kind).label),
        address=reverse("annotate:my_work", args=[reason.project.slug]),
    )


def _refuse_unmet(grader: Grader, source: Assignment, facts: Sequence[str]) -> None:
    """Refuse invalid facts, and facts that the known text itself doesn't meet."""
    if facts and not grader.takes_facts:
        raise ReviewError("Only texts can be checked for words.")
    try:
        asked = read_facts(facts, grader.fields)
    except FactInvalid as error:
        raise ReviewError(str(error)) from error
    texts = grader.texts(source.item, source.draft)
    if unmet := [str(fact) for fact in asked if not fact.is_met(texts)]:
        raise ReviewError(f"The known answer itself doesn’t meet a line: {' '.join(unmet)}")


def _note_kinds(project: Project) -> None:
    """Store which kinds have training or gold, so that the queue reads it with the other rules."""
    required = QualityRule.objects.filter(project=project)
    gold = {
        rule.kind: True
        for rule in required
        if rule.gold_rate and known_answers(project, rule.kind, Purpose.GOLD).exists()
    }
    training = {
        rule.kind: True
        for rule in required
        if rule.pass_share is not None and has_training(project, rule.kind)
    }
    store_rule(project=project, rule="has_gold", values=gold)
    store_rule(project=project, rule="has_training", values=training)
