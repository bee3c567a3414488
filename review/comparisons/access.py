"""Access to the votes of the signed-in person."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import voter
from review.comparisons.models import Matchup
from review.comparisons.votes import voted_matchups


def own_vote(request: UserRequest, slug: str, matchup_id: int) -> tuple[Membership, Matchup]:
    """Return a matchup that the signed-in person has voted on."""
    membership = voter(request, slug)
    voted = voted_matchups(membership).select_related(
        "clip__video", "left__caption", "right__caption"
    )
    return membership, get_object_or_404(voted, pk=matchup_id)
