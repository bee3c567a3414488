"""Hide the captions of clips from those who could still be asked to identify the clips by them."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from annotate.kinds import kind_facts
from annotate.models import Assignment, Membership
from review.identification.models import TestedText


def hide_texts_to_identify(membership: Membership) -> Q | None:
    """Hide the captions of each clip of the running test until it ends, unless the person has
    worked on the clip, so that they are not asked about it."""
    if not membership.has_role(*kind_facts("identify").roles):
        return None
    tested = TestedText.objects.filter(
        clip=OuterRef("clip"), test__project=membership.project_id, test__ended_at=None
    ).order_by()
    worked = (
        Assignment.objects.filter(item__clip=OuterRef("clip"), annotator=membership.user_id)
        .exclude(item__kind="identify")
        .order_by()
    )
    return Q(Exists(tested)) & ~Q(Exists(worked))
