"""The work items of pairs that are opened for a person: how many wait, and taking them back."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from annotate.models import Assignment, Membership, WorkItem
from review.comparisons.given import has_gold
from review.comparisons.models import CaptionPair, Round, SystemPair

# A caption pair that nobody starts is released, so that its systems no longer count as given.
PATIENCE = timedelta(days=1)


def open_pairs(membership: Membership) -> int:
    """Return how many pairs are open for the person, without skipped ones."""
    skipped = Assignment.objects.filter(item=OuterRef("pk"), state=Assignment.State.SKIPPED)
    # Once there is no gold any more, what was opened of it is not handed out.
    items = WorkItem.of_any_purpose if has_gold(membership) else WorkItem.objects
    return (
        items.filter(
            project=membership.project_id,
            kind=WorkItem.Kind.COMPARE,
            reserved_for=membership.user_id,
            state=WorkItem.State.OPEN,
        )
        .exclude(Exists(skipped))
        .count()
    )


def take_back_idle(round: Round) -> None:
    """Release pairs that nobody has started for a day."""
    give_back(
        WorkItem.of_any_purpose.filter(
            project=round.project_id,
            kind=WorkItem.Kind.COMPARE,
            reserved_for__isnull=False,
            created_at__lt=timezone.now() - PATIENCE,
        )
    )


def give_back(items: QuerySet[WorkItem]) -> None:
    """Cancel pairs that nobody holds, so that they can be given to others. Call it inside a
    transaction.
    """
    waiting = items.filter(state=WorkItem.State.OPEN, open_slots__gt=0)
    if connection.features.has_select_for_update_skip_locked:
        waiting = waiting.select_for_update(skip_locked=True)
    subjects = dict(waiting.order_by("pk").values_list("pk", "subject"))
    if not subjects:
        return
    WorkItem.of_any_purpose.filter(pk__in=subjects).update(
        state=WorkItem.State.CANCELLED, open_slots=0
    )
    back = CaptionPair.objects.filter(pk__in=subjects.values(), repeat_of=None, votes=None)
    for caption_pair in back.select_related("left", "pair"):
        was_left = caption_pair.left.system_id == caption_pair.pair.first_id
        SystemPair.objects.filter(pk=caption_pair.pair_id, given__gt=0).update(
            given=F("given") - 1, first_left=F("first_left") - int(was_left)
        )


def open_gold(membership: Membership) -> QuerySet[WorkItem]:
    """Return the gold that was opened for the person and that nobody has taken yet."""
    return _open_items(membership).filter(purpose=WorkItem.Purpose.GOLD)


def gold_that_is_next(membership: Membership) -> WorkItem | None:
    """Return the gold item if the first of the person's open pairs is gold."""
    first = _open_items(membership).select_related("clip").order_by("-priority", "pk").first()
    return first if first and first.purpose == WorkItem.Purpose.GOLD else None


def _open_items(membership: Membership) -> QuerySet[WorkItem]:
    own = Assignment.objects.filter(item=OuterRef("pk"), annotator=membership.user_id)
    return WorkItem.of_any_purpose.filter(
        ~Exists(own.exclude(state=Assignment.State.EXPIRED)),
        project=membership.project_id,
        kind=WorkItem.Kind.COMPARE,
        reserved_for=membership.user_id,
        state=WorkItem.State.OPEN,
        open_slots__gt=0,
    )
