"""Keeping from somebody who could still verify a caption what others, or a model, made of it."""

from __future__ import annotations

from django.db.models import Q

from annotate.models import Caption, Membership, WorkItem
from annotate.queries import still_to_do


def hide_corrections(membership: Membership) -> Q:
    """Hide the corrections of captions that this person could still verify."""
    to_verify = still_to_do(membership, WorkItem.Kind.VERIFY).values("subject")
    corrected = Caption.objects.filter(
        project=membership.project_id, source=Caption.Source.CORRECTED, parents__in=to_verify
    )
    return Q(pk__in=corrected.order_by().values("pk"))


def hide_scores_to_verify(membership: Membership) -> Q:
    """Hide the scores of captions that this person could still verify: they would lead them."""
    return Q(pk__in=still_to_do(membership, WorkItem.Kind.VERIFY).values("subject"))
