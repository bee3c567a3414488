"""Hide the author or model of a caption, and its scores, from people who could still rate it."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from annotate.corpus.blindness import still_to_do
from annotate.kinds import kind_facts
from annotate.models import Assignment, Membership


def hide_captions_to_rate(membership: Membership) -> Q:
    """Hide the captions that this person could still rate; captions of clips that they have worked
    on stay visible, because they can't rate them.
    """
    earlier = Assignment.objects.filter(
        item__clip=OuterRef("clip"),
        item__kind__in=kind_facts("rate").barred_by,
        annotator=membership.user_id,
    ).order_by()
    to_rate = still_to_do(membership, "rate").filter(~Exists(earlier))
    return Q(Exists(to_rate.filter(subject=OuterRef("pk"))))
