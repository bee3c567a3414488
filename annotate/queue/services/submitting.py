"""The common part of all submits: one transaction, one lock, and no repetition."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.db import transaction

from annotate.errors import LeaseLost
from annotate.models import Assignment, User, WorkItem
from annotate.queue.content import Content
from annotate.queue.services.known_work import known_work
from annotate.queue.services.submissions import Submission, lock_for_submit
from annotate.queue.services.watching import refuse_unwatched
from annotate.queue.work_kinds import Submit

Store = Callable[[Submission], None]


@transaction.atomic
def submit_once(
    store: Store,
    *,
    assignment_id: int,
    annotator: User,
    key: UUID,
    base_version: int,
    content: Content,
    takes_late: bool = False,
) -> Assignment:
    """Lock the assignment and `store` the submitted content, unless this submit was done before.
    An answer to training or gold is stored as one.

    `takes_late`: withdrawn work may still be submitted, and is kept as a record.
    """
    assignment, is_repeated = lock_for_submit(
        assignment_id=assignment_id,
        annotator=annotator,
        key=key,
        base_version=base_version,
        takes_late=takes_late,
    )
    if is_repeated:
        return assignment
    submission = Submission(assignment, content, key)
    if not submission.is_expired:
        refuse_unwatched(assignment)
    if submission.item.purpose == WorkItem.Purpose.WORK:
        store(submission)
    else:
        known_work().store_answer(submission)
    return assignment


def submits(
    *, takes_late: bool = False, when_lost: Callable[[int], None] | None = None
) -> Callable[[Store], Submit]:
    """Make a service of a function that stores one submission and calls its `complete`.

    `when_lost` can raise an error that explains why the hold on an assignment has ended.
    """

    def service_of(store: Store) -> Submit:
        @wraps(store)
        def submit(
            *, assignment_id: int, annotator: User, key: UUID, base_version: int, content: Content
        ) -> Assignment:
            try:
                return submit_once(
                    store,
                    assignment_id=assignment_id,
                    annotator=annotator,
                    key=key,
                    base_version=base_version,
                    content=content,
                    takes_late=takes_late,
                )
            except LeaseLost:
                if when_lost is not None:
                    when_lost(assignment_id)
                raise

        return submit

    return service_of
