"""Keeping from somebody who could still verify a caption what others, or a model, made of it."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from annotate.models import Caption, Membership, WorkItem
from annotate.queries import still_to_do


def hide_corrections(membership: Membership) -> Q:
    """Hide the corrections of captions that this person could still verify."""
    parents = Caption.parents.through.objects.filter(from_caption=OuterRef(OuterRef("pk")))
    to_verify = still_to_do(membership, WorkItem.Kind.VERIFY).filter(
        clip=OuterRef("clip"), subject__in=parents.values("to_caption")
    )
    return Q(source=Caption.Source.CORRECTED) & Q(Exists(to_verify))


def hide_scores_to_verify(membership: Membership) -> Q:
    """Hide the scores of captions that this person could still verify: they would lead them."""
    to_verify = still_to_do(membership, WorkItem.Kind.VERIFY)
    return Q(Exists(to_verify.filter(clip=OuterRef("clip"), subject=OuterRef("pk"))))
