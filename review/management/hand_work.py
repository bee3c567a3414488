"""Work of the demo's people, taken from the queue and submitted by the services of the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import uuid4

from django.db import transaction
from django.db.models import F

from annotate.models import Assignment, Membership, Project, User, WorkItem
from annotate.queue.content import Content
from annotate.queue.services import claim_next
from annotate.queue.services.taking import take_work
from annotate.queue.work_kinds import Submit
from review.errors import ReviewError
from review.management.past import DAYS, days_ago

Make = Callable[[Assignment], Content]


def spread(number: int, *, first: float = DAYS, last: float = 0.6) -> Iterator[float]:
    """Yield how many days ago each of `number` works was done, evenly from `first` to `last`."""
    for place in range(number):
        yield first - (first - last) * place / max(number - 1, 1)


def do_work(
    item: WorkItem,
    person: User,
    submit: Submit,
    content: Content | Make,
    *,
    days: float = 0,
    minutes: float = 4,
) -> None:
    """Claim this item for the person and submit it, unless they have submitted it already.

    `content`: the content, or a function that makes it from the assignment. `days`: how long ago it
    was submitted. `minutes`: how long it took.
    """
    submitted = Assignment.objects.filter(
        item=item, annotator=person, state=Assignment.State.SUBMITTED
    )
    if submitted.exists():
        return
    took = timedelta(minutes=minutes)
    with days_ago(days):
        assignment = _take(item, person)
        Assignment.objects.filter(pk=assignment.pk).update(
            claimed_at=F("claimed_at") - took,
            active_seconds=round(took.total_seconds()),
            watched=[[0, assignment.item.clip.frames]],
        )
        submit(
            assignment_id=assignment.pk,
            annotator=person,
            key=uuid4(),
            base_version=assignment.draft_version,
            content=content(assignment) if callable(content) else content,
        )


@transaction.atomic
def do_next(
    *,
    project: Project,
    kind: str,
    person: User,
    submit: Submit,
    content: Make,
    seconds: int,
) -> None:
    """Have the person take the next work of the kind, if any, and submit the result of `content`.
    `seconds`: how long it took."""
    membership = Membership.objects.select_related("project", "user").get(
        project=project, user=person
    )
    held = take_work(membership=membership, kind=kind)
    if held is None:
        return
    assignment = Assignment.objects.select_related("item__clip").get(pk=held.pk)
    Assignment.objects.filter(pk=held.pk).update(
        claimed_at=F("claimed_at") - timedelta(seconds=seconds),
        active_seconds=seconds,
        watched=[[0, assignment.item.clip.frames]],
    )
    submit(
        assignment_id=held.pk,
        annotator=person,
        key=uuid4(),
        base_version=assignment.draft_version,
        content=content(assignment),
    )


@transaction.atomic
def _take(item: WorkItem, person: User) -> Assignment:
    """Claim this item, which comes first in the queue during the claim."""
    of_item = WorkItem.objects.filter(pk=item.pk)
    before = of_item.values_list("priority", flat=True).get()
    of_item.update(priority=1_000)
    membership = Membership.objects.select_related("project").get(
        project=item.project_id, user=person
    )
    assignment = claim_next(membership=membership, kind=item.kind)
    of_item.update(priority=before)
    if assignment is None or assignment.item_id != item.pk:
        raise ReviewError(
            f"{person} can't {item.kind} {item.clip}: somebody worked in the demo before it was "
            "complete. Start over with make demo RESET=1."
        )
    return assignment
