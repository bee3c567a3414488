"""Keeping who or what wrote a caption, and its scores, from somebody who could still rate it."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from annotate.models import Assignment, Membership, WorkItem
from annotate.queries import still_to_do
from annotate.services.queue.statements import BARRED_BY


def hide_captions_to_rate(membership: Membership) -> Q:
    """Hide the captions that this person could still rate; not those of clips that they have
    worked on, which nobody rates."""
    worked_on = Assignment.objects.filter(
        annotator=membership.user_id,
        item__clip=OuterRef("clip"),
        item__kind__in=BARRED_BY[WorkItem.Kind.RATE],
    )
    to_rate = still_to_do(membership, WorkItem.Kind.RATE).exclude(Exists(worked_on))
    return Q(Exists(to_rate.filter(clip=OuterRef("clip"), subject=OuterRef("pk"))))
