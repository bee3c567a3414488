"""Hides corrections and scores of a caption from people who could still verify it."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from annotate.corpus.blindness import still_to_do
from annotate.models import Caption, Membership


def hide_corrections(membership: Membership) -> Q:
    """Hide the corrections of captions that this person could still verify."""
    parents = Caption.parents.through.objects.filter(from_caption=OuterRef(OuterRef("pk")))
    to_verify = still_to_do(membership, "verify")
    of_parents = to_verify.filter(Exists(parents.filter(to_caption=OuterRef("subject"))))
    return Q(Exists(of_parents), source=Caption.Source.CORRECTED)


def hide_scores_to_verify(membership: Membership) -> Q:
    """Hide the scores of captions that this person could still verify, because scores would bias
    them.
    """
    return Q(Exists(still_to_do(membership, "verify").filter(subject=OuterRef("pk"))))
