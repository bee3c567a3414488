"""A reviewer's own votes in rounds of comparisons, on gold as on any other pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from annotate.models import Membership, User
from review.comparisons.models import CaptionPair, Round, Vote

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class Seen(TypedDict):
    """Of a vote, as `own_votes` says."""

    knows_clip: bool
    first_cast: int


def votes_of(reviewer: User, round: Round) -> QuerySet[Vote]:
    """Return the current votes, newest first; a changed vote keeps its position."""
    own = Vote.of_any_purpose.current().filter(
        caption_pair__reviewer=reviewer, caption_pair__round=round
    )
    return own.select_related("caption_pair").order_by("-assignment__submitted_at", "-pk")


def own_votes(membership: Membership) -> QuerySet[WithAnnotations[Vote, Seen]]:
    """Return the person's current votes in the project, newest first, with the data of the page of
    their votes. `knows_clip`: they have seen the name of a model of the same clip in the same
    round. `first_cast`: the key of their first vote.
    """
    return (
        Vote.of_any_purpose.current()
        .filter(
            caption_pair__reviewer=membership.user_id,
            caption_pair__round__project=membership.project_id,
        )
        .annotate(
            knows_clip=_knows_clip(OuterRef("caption_pair__round"), OuterRef("caption_pair__clip")),
            first_cast=Subquery(
                Vote.of_any_purpose.filter(
                    caption_pair=OuterRef("caption_pair"), corrects=None
                ).values("pk")
            ),
        )
        .select_related(
            "caption_pair__clip",
            "caption_pair__round",
            "caption_pair__left__system",
            "caption_pair__right__system",
            "assignment",
        )
        .order_by("-assignment__submitted_at", "-pk")
    )


def voted_caption_pairs(membership: Membership) -> QuerySet[CaptionPair]:
    """Return the pairs in the project that this person has voted on."""
    voted = Vote.of_any_purpose.filter(caption_pair=OuterRef("pk"))
    return CaptionPair.of_any_purpose.filter(
        Exists(voted), round__project=membership.project_id, reviewer=membership.user_id
    )


def _knows_clip(round: OuterRef, clip: OuterRef) -> Exists:
    return Exists(
        CaptionPair.of_any_purpose.filter(
            round=round,
            clip=clip,
            reviewer=OuterRef("caption_pair__reviewer"),
            names_shown_at__isnull=False,
        )
    )
