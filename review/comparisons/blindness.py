"""Keeping the models' names from whoever compares, or could be asked to compare, their captions."""

from __future__ import annotations

from annotate.access import ROLES_FOR_KIND
from annotate.models import Assignment, Clip, Membership, WorkItem
from review.models import ComparisonRound, Matchup, RoundClip


def could_compare(membership: Membership, clip: Clip | None) -> bool:
    """Whether the person could still be given captions of the clip (None: of any) to compare, could
    change a vote on them, or has some before them."""
    if not membership.has_role(*ROLES_FOR_KIND[WorkItem.Kind.COMPARE]):
        return False
    of_clip = {"clip": clip} if clip else {}
    running = ComparisonRound.objects.filter(project=membership.project_id, ended_at=None)
    if RoundClip.objects.filter(round__in=running, **of_clip).exists():
        return clip is None or not _has_seen_names(membership, clip)
    return Assignment.objects.filter(
        annotator=membership.user_id,
        state=Assignment.State.HELD,
        item__project=membership.project_id,
        item__kind=WorkItem.Kind.COMPARE,
        **({"item__clip": clip} if clip else {}),
    ).exists()


def _has_seen_names(membership: Membership, clip: Clip) -> bool:
    return Matchup.objects.filter(
        round__project=membership.project_id,
        round__ended_at=None,
        reviewer=membership.user_id,
        clip=clip,
        names_shown_at__isnull=False,
    ).exists()
