"""Access to the votes of the signed-in person."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import voter
from review.comparisons.models import CaptionPair
from review.comparisons.queries import voted_caption_pairs


def own_vote(
    request: UserRequest, slug: str, caption_pair_id: int
) -> tuple[Membership, CaptionPair]:
    """Return a pair that the signed-in person has voted on."""
    membership = voter(request, slug)
    voted = voted_caption_pairs(membership).select_related(
        "clip__video", "left__caption", "right__caption"
    )
    return membership, get_object_or_404(voted, pk=caption_pair_id)
