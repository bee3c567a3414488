"""Rate how well a caption fits its clip (LoVR, appendix B.4)."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from uuid import UUID

from django.db.models import F

from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import Assignment, User, WorkItem
from annotate.queue.content import Content
from annotate.queue.queries import caption_asked_about
from annotate.queue.services import Submission, submit_once
from annotate.text.parts import Problem
from metrics.ratings import rating_of
from review.ratings import NAME
from review.ratings.models import Rating
from review.ratings.scale import CHOOSE_ONE, MAX_REMARK_LENGTH, typed_rating
from review.reports.agreement_due import agreement_changed
from review.reports.services import recompute_later
from review.studies.models import StudyCaption


def submit_rating(
    *, assignment_id: int, annotator: User, key: UUID, base_version: int, content: Content
) -> Assignment:
    """Store the form's `value`, "0" to "5", and `remark`. Raises as `rate_caption` does."""
    value: object = content.get("value", "")
    with suppress(ValueError):  # a value that is still text is refused below
        value = typed_rating(content.get("value", ""))
    return rate_caption(
        assignment_id=assignment_id,
        annotator=annotator,
        key=key,
        base_version=base_version,
        value=value,
        remark=content.get("remark", ""),
    )


def rate_caption(
    *,
    assignment_id: int,
    annotator: User,
    key: UUID,
    base_version: int,
    value: object,
    remark: str = "",
) -> Assignment:
    """Store the rating: an integer from 0 to 5, of no other type.

    A rated caption then comes after those without ratings, so that people who rate at different
    times share the captions evenly. Raises WorkInvalid, which says what to fix, AnnotateError if
    the work is in no study, LeaseLost, or DraftConflict.
    """
    return submit_once(
        partial(_store, value=value, remark=remark),
        assignment_id=assignment_id,
        annotator=annotator,
        key=key,
        base_version=base_version,
        content={"value": str(value), "remark": remark},
    )


def _store(submission: Submission, *, value: object, remark: str) -> None:
    item = submission.item
    caption = caption_asked_about(item)
    sampled = StudyCaption.objects.filter(item=item.pk).first()
    if sampled is None:
        raise AnnotateError("No study needs this rating any more. Skip it.")
    rating, remark = checked_rating(value, remark)
    Rating.objects.create(
        caption=caption,
        study_id=sampled.study_id,
        rater=submission.person,
        assignment=submission.assignment,
        value=rating,
        remark=remark,
    )
    submission.complete({"value": str(rating), "remark": remark})
    WorkItem.objects.filter(pk=item.pk).update(priority=F("priority") - 1)
    submission.record(after={"caption": caption.pk, "value": rating})
    recompute_later(item.project_id, NAME)
    agreement_changed(item.project_id)


def checked_rating(value: object, remark: str) -> tuple[int, str]:
    problems = []
    try:
        rating = rating_of(value)
    except ValueError:
        problems.append(Problem("value", CHOOSE_ONE))
    remark = remark.strip()
    if len(remark) > MAX_REMARK_LENGTH:
        mend = f"shorten it to {MAX_REMARK_LENGTH} characters (it has {len(remark)})."
        problems.append(Problem("remark", f"The remark is too long: {mend}"))
    if problems:
        raise WorkInvalid(problems)
    return rating, remark
