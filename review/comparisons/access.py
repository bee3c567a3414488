"""Access to comparison rounds, their results and the votes of the signed-in person."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin, reviewer, voter
from review.comparisons.blindness import would_unblind
from review.comparisons.models import CaptionPair, Round
from review.comparisons.queries import voted_caption_pairs
from review.reports.models import Report


def comparison_round(request: UserRequest, slug: str, round_id: int) -> tuple[Membership, Round]:
    """Return a round, for people who may see its results."""
    membership = reviewer(request, slug)
    return membership, round_of(membership, round_id)


def round_of(membership: Membership, round_id: int) -> Round:
    round = get_object_or_404(Round, pk=round_id, project=membership.project)
    round.project = membership.project
    return round


def administered_round(request: UserRequest, slug: str, round_id: int) -> tuple[Membership, Round]:
    """Return a round, for people who may end it and see which captions name their model."""
    membership = admin(request, slug)
    return membership, comparison_round(request, slug, round_id)[1]


def refuse_votes(membership: Membership, round: Round) -> None:
    """Raise PermissionDenied unless the person may read all votes of a round. While the round runs,
    or a later one with the same captions, the votes reveal to voters which model is on which side,
    so only admins get them.
    """
    if round.ended_at is None and not membership.is_admin:
        raise PermissionDenied("The votes can be downloaded once the round has ended.")
    if would_unblind(membership, round) and not membership.is_admin:
        raise PermissionDenied(
            "A running round asks you about captions of these models. The votes can be downloaded "
            "once it has ended."
        )


def leaderboard_report(round: Round) -> Report:
    """Return the newest ratings of a round's models."""
    reports = Report.objects.newest(round.project, "leaderboard")
    return get_object_or_404(reports, subject=str(round.pk))


def own_vote(
    request: UserRequest, slug: str, caption_pair_id: int
) -> tuple[Membership, CaptionPair]:
    """Return a pair that the signed-in person has voted on."""
    membership = voter(request, slug)
    voted = voted_caption_pairs(membership).select_related(
        "clip__video", "left__caption", "right__caption"
    )
    return membership, get_object_or_404(voted, pk=caption_pair_id)
