"""Store what people answer to training and gold, and what follows from it."""

from __future__ import annotations

from django.db import transaction
from django.urls import reverse

from annotate.audit import record_event
from annotate.kinds import Kind
from annotate.models import Assignment, Membership, Notice, Project, User
from annotate.notices.services import admins_of, notify
from annotate.queue.services import Submission, take_known
from review.errors import ReviewError
from review.quality.grading import GRADERS, facts_of
from review.quality.models import GivenAnswer, KnownAnswer, Pause, TrainingPass
from review.quality.queries import (
    Purpose,
    gold_accuracy,
    rule_for,
    running_pause,
)
from review.quality.training import training_of


@transaction.atomic
def take_training(*, membership: Membership, kind: str) -> Assignment | None:
    """Have the person hold the next item of their training, beginning another attempt after a
    failed one; None if nothing is left. Raises ReviewError after the last try."""
    person, project = membership.user, membership.project
    training = training_of(project, person, kind)
    if training.has_passed:
        return None
    if training.items and training.is_complete:
        if not training.tries_left:
            raise ReviewError("You have used all your tries. An admin can let you in.")
        items = [known_answer.item_id for known_answer in training.items]
        # The answers are kept, but each item's page starts empty again.
        Assignment.objects.filter(annotator=person, item__in=items).update(
            state=Assignment.State.EXPIRED, draft={}, submit_key=None
        )
        following = training.items[0]
    elif training.next_item is None:
        return None
    else:
        following = training.next_item
    held = Assignment.objects.filter(
        annotator=person, item=following.item_id, state=Assignment.State.HELD
    ).first()
    return held or take_known(membership=membership, item=following.item)


def store_answer(submission: Submission) -> None:
    """Store the answer to a known item and what follows from it: a passed training, or a pause.
    Raises WorkInvalid as real work does."""
    item, person = submission.item, submission.person
    grader = GRADERS[item.kind]
    grader.check(item, submission.content)
    known_answer = KnownAnswer.objects.get(grader.known_answer_to(item))
    facts = facts_of(item.kind, known_answer.facts)
    grade = grader.grade(item, known_answer.content, submission.content, facts)
    grader.complete(submission)
    attempt = 1
    if item.purpose == Purpose.TRAINING:
        training = training_of(item.project, person, item.kind)
        attempt = training.attempt + 1 if training.is_complete else max(1, training.attempt)
    elif grader.is_repeat(item):
        return
    GivenAnswer.objects.create(
        known_answer=known_answer,
        person=person,
        assignment=submission.assignment,
        attempt=attempt,
        content=submission.content,
        is_right=grade.is_right,
        share=grade.share,
    )
    if item.purpose == Purpose.TRAINING:
        _pass_if_enough(item.project, person, item.kind)
    else:
        _pause_if_below(item.project, person, item.kind)


def _pass_if_enough(project: Project, person: User, kind: str) -> None:
    training = training_of(project, person, kind)
    if training.is_enough and not training.has_passed:
        TrainingPass.objects.create(
            project=project,
            person=person,
            kind=kind,
            right=training.right,
            items=len(training.items),
        )


def _pause_if_below(project: Project, person: User, kind: str) -> None:
    rule, gold = rule_for(project, kind), gold_accuracy(project, person, kind)
    is_below = gold.share is not None and gold.share < rule.gold_limit
    if not is_below or gold.answered < rule.gold_least or running_pause(project, person, kind):
        return
    pause = Pause.objects.create(
        project=project, person=person, kind=kind, right=gold.right, answered=gold.answered
    )
    record_event(
        actor=None,
        verb="pause queue",
        subject=pause,
        project=project,
        after={
            "person": person.pk, "kind": kind, "right": gold.right, "answered": gold.answered,
        },
    )  # fmt: skip
    _tell_of(pause)


def _tell_of(pause: Pause) -> None:
    """Notify the person, in the words of the queue's refusal, and the admins."""
    project, label = pause.project, Kind(pause.kind).label
    notify(
        people=[pause.person],
        project=project,
        kind=Notice.Kind.PAUSED,
        subject=pause,
        text=f"Your work is paused: {label}.",
        detail="An admin will look at it. Everything that you submitted is kept.",
        address=reverse("annotate:my_work", args=[project.slug]),
    )
    notify(
        people=[admin for admin in admins_of(project) if admin != pause.person],
        project=project,
        kind=Notice.Kind.PAUSED,
        subject=pause,
        text=f"The work of {pause.person} is paused: {label}.",
        detail=f"{pause.right} of {pause.answered} answers to gold were right.",
        address=reverse("review:quality_kind", args=[project.slug, pause.kind]),
    )
