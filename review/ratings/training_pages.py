"""The rater's pages of the training."""

from __future__ import annotations

from typing import Any

from annotate.guidelines import guideline_html
from annotate.guidelines.changes import ShownGuideline
from annotate.models import Membership
from review.ratings.models import RatingExample, TrainingAnswer
from review.ratings.queries import (
    examples_for,
    examples_in_use,
    running_rating_study,
    unanswered_examples,
)
from review.ratings.scale import DEFINITIONS
from review.ratings.work import caption_context, rating_closed

FAR_OFF = 2  # points


def next_example(membership: Membership) -> RatingExample | None:
    return unanswered_examples(membership.project, membership.user).first()


def example_context(membership: Membership, example: RatingExample) -> dict[str, Any]:
    """Return the example, with its right rating and the explanation only after this person's
    answer.
    """
    answer = TrainingAnswer.objects.filter(example=example, rater=membership.user).first()
    examples = examples_for(membership.project, membership.user)
    keys = list(examples.values_list("pk", flat=True))
    definitions = {definition.value: definition for definition in DEFINITIONS}
    return {
        "membership": membership,
        "project": membership.project,
        "kind": "rate",
        "guideline": ShownGuideline(guideline_html(membership.project, "rate")),
        "example": example,
        "clip": example.caption.clip,
        "answer": answer,
        "given": definitions[answer.value] if answer else None,
        "deserved": definitions[example.value] if answer else None,
        "is_close": answer is not None and abs(answer.value - example.value) < FAR_OFF,
        "number": keys.index(example.pk) + 1 if example.pk in keys else None,
        "total": len(keys),
        "following": next_example(membership) if answer else None,
        **caption_context(example.caption),
    }


def training_context(membership: Membership) -> dict[str, Any]:
    """Return the person's answer to each example in use."""
    answers = (
        TrainingAnswer.objects.filter(
            rater=membership.user, example__project=membership.project, example__is_used=True
        )
        .select_related("example__caption__clip")
        .defer("example__caption__text")
        .order_by("example__place", "example")
    )
    rows = [(answer, answer.value - answer.example.value) for answer in answers]
    closed = rating_closed(membership)
    return {
        "membership": membership,
        "project": membership.project,
        "rows": rows,
        "exact": sum(difference == 0 for _, difference in rows),
        "is_far_off": any(abs(difference) >= FAR_OFF for _, difference in rows),
        "has_examples": bool(rows) or examples_in_use(membership.project).exists(),
        "is_running": running_rating_study(membership.project) is not None,
        "closed": closed,
    }
