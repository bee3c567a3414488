"""The queue's questions about known answers: which gold is next, what to store, who must wait."""

from __future__ import annotations

from django.urls import reverse

from annotate.models import Assignment, Membership, WorkItem
from annotate.queue.services import Submission
from annotate.queue.work_kinds import Closed
from annotate.rules import rules_for
from review.comparisons.given_pairs import gold_that_is_next, open_gold
from review.quality import answering
from review.quality.queries import (
    gold_for,
    next_gold,
    rating_trainings,
    running_pause,
)
from review.quality.training import has_failed, training_of


class KnownAnswers:
    """The known answers, as the queue sees them."""

    def draw_gold(self, membership: Membership, kind: str) -> WorkItem | None:
        if kind == "compare":
            return gold_that_is_next(membership)
        known_answer = next_gold(membership.project, membership.user, kind)
        return known_answer.item if known_answer else None

    def gold_to_open(
        self, membership: Membership, kind: str, *, instead_of: int
    ) -> WorkItem | None:
        known_answer = next_gold(membership.project, membership.user, kind, instead_of)
        return known_answer.item if known_answer else None

    def gold_left(self, membership: Membership, kind: str) -> int:
        left = gold_for(membership.project, membership.user, kind).count()
        return left + (open_gold(membership).count() if kind == "compare" else 0)

    def store_answer(self, submission: Submission) -> None:
        answering.store_answer(submission)

    def address_after(self, assignment: Assignment) -> str:
        answer = assignment.given_answers.order_by("-attempt").first()
        return (
            reverse("review:training_answer", args=[assignment.item.project.slug, answer.pk])
            if answer
            else ""
        )


def gate(membership: Membership, kind: str) -> Closed | None:
    """Return why the person can't take work of the kind: a training not passed, or a pause."""
    project, person = membership.project, membership.user
    rules = rules_for(project, kind)
    if rules.has_gold and running_pause(project, person, kind):
        return Closed(
            "Your work of this kind is paused until an admin has looked at it. Everything that you "
            "submitted is kept."
        )
    if not rules.has_training:
        return None
    if kind == "rate":
        return _rating_closed(membership)
    training = training_of(project, person, kind)
    if training.has_passed or not training.items:
        return None
    address = reverse("review:kind_training", args=[project.slug, kind])
    if training.is_complete and not training.tries_left:
        return Closed(
            "You have used all tries of the training. An admin can let you in.",
            url=address,
            label="See your answers",
        )
    left = sum(known_answer.pk not in training.given for known_answer in training.items)
    if training.is_complete:
        return Closed(
            f"{training.right} of {len(training.items)} answers were right, which is not enough. "
            "Go through the training again.",
            url=address,
            label="Go to the training",
        )
    return Closed(
        f"Complete the training first: {left} of {len(training.items)} items left.",
        url=address,
        label="Continue training" if training.given else "Start training",
    )


def _rating_closed(membership: Membership) -> Closed | None:
    """Return why a complete training of ratings is not enough; ratings themselves say whether it is
    complete."""
    project, person = membership.project, membership.user
    if not has_failed(project, person, "rate"):
        return None
    answers = rating_trainings(project)[person.pk]
    return Closed(
        f"{answers.right} of your {answers.answered} training answers were at most one point from "
        "the right rating, which is not enough. An admin can let you in.",
        url=reverse("review:training", args=[project.slug]),
        label="See your answers",
    )
