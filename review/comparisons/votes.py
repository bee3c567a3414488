"""A reviewer's own votes in rounds of comparisons, on gold as on any other pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from annotate.models import Membership, User
from review.comparisons.models import Comparison, ComparisonRound, Matchup

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class Seen(TypedDict):
    """Of a vote, as `own_votes` says."""

    knows_clip: bool
    first_cast: int


def votes_of(reviewer: User, round: ComparisonRound) -> QuerySet[Comparison]:
    """Return the current votes, newest first; a changed vote keeps its position."""
    own = Comparison.of_any_purpose.in_force().filter(
        matchup__reviewer=reviewer, matchup__round=round
    )
    return own.select_related("matchup").order_by("-assignment__submitted_at", "-pk")


def own_votes(membership: Membership) -> QuerySet[WithAnnotations[Comparison, Seen]]:
    """Return the person's current votes in the project, newest first, with the data of the page of
    their votes. `knows_clip`: they have seen the name of a model of the same clip in the same
    round. `first_cast`: the key of their first vote.
    """
    return (
        Comparison.of_any_purpose.in_force()
        .filter(matchup__reviewer=membership.user_id, matchup__round__project=membership.project_id)
        .annotate(
            knows_clip=_knows_clip(OuterRef("matchup__round"), OuterRef("matchup__clip")),
            first_cast=Subquery(
                Comparison.of_any_purpose.filter(matchup=OuterRef("matchup"), corrects=None).values(
                    "pk"
                )
            ),
        )
        .select_related(
            "matchup__clip",
            "matchup__round",
            "matchup__left__entrant",
            "matchup__right__entrant",
            "assignment",
        )
        .order_by("-assignment__submitted_at", "-pk")
    )


def voted_matchups(membership: Membership) -> QuerySet[Matchup]:
    """Return the matchups in the project that this person has voted on."""
    voted = Comparison.of_any_purpose.filter(matchup=OuterRef("pk"))
    return Matchup.of_any_purpose.filter(
        Exists(voted), round__project=membership.project_id, reviewer=membership.user_id
    )


def _knows_clip(round: OuterRef, clip: OuterRef) -> Exists:
    return Exists(
        Matchup.of_any_purpose.filter(
            round=round,
            clip=clip,
            reviewer=OuterRef("matchup__reviewer"),
            names_shown_at__isnull=False,
        )
    )
