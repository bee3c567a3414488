"""Start and end a test, give people texts one by one, and store the clips that they pick."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import Assignment, Caption, Membership, Project, User, WorkItem
from annotate.queue.services import Submission, submits
from annotate.queue.services.withdrawing import withdraw_work_about
from annotate.text.parts import Problem
from inference.queries import BATCH_SIZE
from review.errors import ReviewError
from review.identification import NAME
from review.identification.confusable import confusable_clips
from review.identification.models import (
    IdentificationTask,
    IdentificationTest,
    IdentifiedClip,
    TestedText,
)
from review.identification.queries import (
    MIN_OPTIONS,
    groups_to_test,
    running_test,
    task_of,
    texts_for,
)
from review.reports.services import recompute_later

Kind = Caption.Kind
MAX_OPTIONS = 10
MAX_PEOPLE = 10
NO_TASK = "This text no longer exists. Skip it and tell an admin."
ENDED = "The test has ended, so nothing was stored."
TEXTS = {
    Kind.SPATIAL: "spatial_id",
    Kind.TEMPORAL: "temporal_id",
    Kind.GENERAL: "caption_id",
}


@transaction.atomic
def start_test(
    *, project: Project, admin: User | None, kinds: Sequence[str], options: int, people: int
) -> IdentificationTest:
    """Test the current texts of these kinds of all complete clips, each among the clips of its
    subcategory with the most similar texts, which are chosen when the first of these texts is given
    out.

    Raises ReviewError while another test runs, or if no subcategory has enough complete clips.
    """
    project = Project.objects.lock(project.pk)
    if running_test(project):
        raise ReviewError("A test is running. End it first.")
    groups = groups_to_test(project)
    if not groups:
        raise ReviewError(
            f"No subcategory has {MIN_OPTIONS} complete clips, which the test needs to pick "
            "from. Complete more clips, or set the subcategories of the videos."
        )
    test = IdentificationTest.objects.create(
        project=project, options=options, people=people, created_by=admin
    )
    texts = [
        TestedText(
            test=test, clip_id=row.clip_id, caption_id=getattr(row, TEXTS[Kind(kind)]), group=number
        )
        for number, (kind, rows) in enumerate(product(kinds, groups))
        for row in rows
    ]
    TestedText.objects.bulk_create(texts, batch_size=BATCH_SIZE)
    record_event(
        actor=admin,
        verb="start identification",
        subject=test,
        project=project,
        after={
            "kinds": list(kinds),
            "options": options,
            "people": people,
            "texts": len(texts),
        },
    )
    return test


@transaction.atomic
def end_test(*, project: Project, admin: User | None) -> None:
    """End the running test and take back its open work. Raises ReviewError if none runs."""
    test = IdentificationTest.objects.filter(project=project, ended_at=None).first()
    if test is None:
        raise ReviewError("No test is running.")
    items = WorkItem.objects.filter(project=project, kind="identify", state=WorkItem.State.OPEN)
    withdraw_work_about(list(items.order_by("pk")))
    test.ended_at = timezone.now()
    test.save(update_fields=["ended_at"])
    record_event(actor=admin, verb="end identification", subject=test, project=project)


@transaction.atomic
def prepare_task(membership: Membership) -> None:
    """Open the person's next text, unless one is already open for them.

    The work item belongs to a random one of the clips to pick from, so that it doesn't reveal the
    text's clip.
    """
    running = IdentificationTest.objects.filter(project=membership.project_id, ended_at=None)
    test = running.select_for_update(no_key=True).first()
    if test is None or _has_open_task(membership):
        return
    text = texts_for(test, membership.user).first()
    if text is None:
        return
    clips = list(text.clips or _choose_clips(test, text))
    random.SystemRandom().shuffle(clips)
    task = IdentificationTask.objects.create(text=text, person=membership.user, clips=clips)
    WorkItem.objects.create(
        project_id=membership.project_id,
        clip_id=clips[0],
        kind="identify",
        subject=task.pk,
        reserved_for=membership.user,
    )


@submits()
def submit_identification(submission: Submission) -> None:
    """Store the clip that the person picked, by its place on their page.

    Raises WorkInvalid, AnnotateError, LeaseLost, or DraftConflict.
    """
    task = task_of(submission.assignment)
    if task is None:
        raise AnnotateError(NO_TASK)
    place = place_of(task, submission.content.get("place", ""))
    if place is None:
        raise WorkInvalid([Problem("place", "Pick the clip that the text describes.")])
    submission.complete()
    _store_pick(submission.assignment, task, place)
    submission.record()


@transaction.atomic
def pick_again(*, assignment: Assignment, typed: str) -> None:
    """Change the pick of submitted work while the test runs. Raises ReviewError."""
    task = task_of(assignment)
    if task is None or assignment.state != Assignment.State.SUBMITTED:
        raise ReviewError(NO_TASK)
    if task.text.test.ended_at is not None:
        raise ReviewError(ENDED)
    place = place_of(task, typed)
    if place is None:
        raise ReviewError("Pick the clip that the text describes.")
    _store_pick(assignment, task, place)
    record_event(
        actor=assignment.annotator,
        verb="identify again",
        subject=assignment,
        project=task.text.test.project,
    )


def place_of(task: IdentificationTask, typed: str) -> int | None:
    """Return the place, from 0, for a form's number from 1; None if it doesn't exist."""
    if not (typed.isascii() and typed.isdigit() and len(typed) < 3):
        return None
    return int(typed) - 1 if 1 <= int(typed) <= len(task.clips) else None


def _store_pick(assignment: Assignment, task: IdentificationTask, place: int) -> None:
    IdentifiedClip.objects.create(task=task, assignment=assignment, clip_id=task.clips[place])
    recompute_later(assignment.item.project_id, NAME)


def _choose_clips(test: IdentificationTest, text: TestedText) -> list[int]:
    """Store the clips to pick from for all texts of the text's group; return those of the text."""
    texts = list(test.texts.filter(group=text.group).select_related("caption"))
    clips = confusable_clips({each.clip_id: each.caption.text for each in texts}, test.options - 1)
    for each in texts:
        each.clips = clips[each.clip_id]
    TestedText.objects.bulk_update(texts, ["clips"], batch_size=BATCH_SIZE)
    return clips[text.clip_id]


def _has_open_task(membership: Membership) -> bool:
    skipped = Assignment.objects.filter(
        annotator=membership.user, state=Assignment.State.SKIPPED
    ).values("item")
    items = WorkItem.objects.filter(
        project=membership.project_id,
        kind="identify",
        state=WorkItem.State.OPEN,
        reserved_for=membership.user,
    )
    return items.exclude(pk__in=skipped).exists()
