"""The raters' training set: examples with explained answers, and people's answers."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from annotate.audit import record_event
from annotate.models import Caption, Project, User, WorkItem
from annotate.ordering import DOWN, UP, moved
from metrics.ratings import rating_of
from review.errors import ReviewError
from review.ratings.models import RatingExample, TrainingAnswer
from review.ratings.queries import examples_for
from review.studies.models import Study, StudyCaption

EXAMPLE_KINDS = (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)


@transaction.atomic
def add_example(
    *, project: Project, caption: Caption, value: int, explanation: str, person: User
) -> RatingExample:
    """Put a caption of the project at the end of the training set. Raises ReviewError, and
    ValueError for a value outside the scale."""
    Project.objects.lock(project.pk)
    explanation = explanation.strip()
    if not explanation:
        raise ReviewError("Explain the rating: raters learn from the explanation.")
    if caption.kind not in EXAMPLE_KINDS or not caption.word_count:
        raise ReviewError("Choose a caption of a clip or of a whole video.")
    if _waits_for_merge(caption):
        raise ReviewError(
            "This text is waiting for its merge, and trainees may still write about the clip. "
            "Choose another, or wait for the merge."
        )
    if StudyCaption.objects.filter(caption=caption, study__kind=Study.Kind.RATING).exists():
        raise ReviewError(
            "A study asks people to rate this caption, so the training can't reveal its rating. "
            "Choose another."
        )
    used = RatingExample.objects.filter(project=project, is_used=True)
    if used.filter(caption=caption).exists():
        raise ReviewError("This caption is an example already.")
    last = used.aggregate(last=Max("place"))["last"]
    example = RatingExample.objects.create(
        project=project,
        caption=caption,
        value=rating_of(value),
        explanation=explanation,
        place=0 if last is None else last + 1,
        created_by=person,
    )
    record_event(
        actor=person,
        verb="add example",
        subject=example,
        project=project,
        after={"caption": caption.pk, "value": value},
    )
    return example


@transaction.atomic
def move_example(*, example: RatingExample, direction: str, person: User) -> None:
    """Swap the example with the previous (UP) or next (DOWN) one; at either end, do nothing. Raises
    ReviewError.
    """
    if direction not in (UP, DOWN):
        raise ReviewError("Move it up or down.")
    Project.objects.lock(example.project_id)
    used = list(RatingExample.objects.filter(project=example.project, is_used=True))
    if example not in used:
        raise ReviewError("This example is no longer used.")
    order = moved(used, example, up=direction == UP)
    if order == used:
        return
    for place, example_at in enumerate(order):
        example_at.place = place
    RatingExample.objects.bulk_update(order, ["place"])
    record_event(
        actor=person,
        verb="move example",
        subject=example,
        project=example.project,
        before={"place": used.index(example)},
        after={"place": order.index(example)},
    )


@transaction.atomic
def retire_example(*, example: RatingExample, person: User) -> None:
    """Stop showing the example; keep its answers. Safe to repeat."""
    Project.objects.lock(example.project_id)
    if RatingExample.objects.filter(pk=example.pk, is_used=True).update(is_used=False):
        record_event(actor=person, verb="retire example", subject=example, project=example.project)


@transaction.atomic
def answer_example(*, example: RatingExample, rater: User, value: int) -> TrainingAnswer:
    """Store the person's answer; an earlier answer stays unchanged. Raises ReviewError if the
    example is no longer used or is of a clip that they have worked on, and ValueError for a value
    outside the scale.
    """
    before = TrainingAnswer.objects.filter(example=example, rater=rater).first()
    if before is not None:
        return before
    if not RatingExample.objects.filter(pk=example.pk, is_used=True).exists():
        raise ReviewError("This example was removed from the training.")
    if not examples_for(example.project, rater).filter(pk=example.pk).exists():
        raise ReviewError("You worked on this clip, so your training leaves it out.")
    answer, is_new = TrainingAnswer.objects.get_or_create(
        example=example, rater=rater, defaults={"value": rating_of(value)}
    )
    if is_new:
        record_event(
            actor=rater,
            verb="answer example",
            subject=answer,
            project=example.project,
            after={"example": example.pk, "value": value},
        )
    return answer


def _waits_for_merge(caption: Caption) -> bool:
    """Return whether the caption is one of several unmerged ones of its clip."""
    of_clip = WorkItem.objects.filter(clip=caption.clip_id)
    merged = of_clip.filter(kind="merge", state=WorkItem.State.DONE)
    is_write_up = of_clip.filter(kind="write", assignments__captions=caption.pk).exists()
    return is_write_up and not merged.exists()
