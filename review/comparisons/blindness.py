"""Hides models' names from people who compare their captions, or could be asked to."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Q

from annotate.access import ROLES_FOR_KIND
from annotate.models import Assignment, Caption, Membership, User, WorkItem
from annotate.sql import Condition
from review.comparisons.models import ComparisonRound, Entrant, EntrantCaption, Matchup

# More than any pair is given.
MOST_PER_PAIR = 2**31 - 1
# Model captions and captions made from them: the texts of a clip that could be compared.
_OF_MODELS = f"""
    {{kind}} = '{Caption.Kind.PREDICTION}'
    OR {{source}} IN ('{Caption.Source.MACHINE}', '{Caption.Source.CORRECTED}')
"""
# Evaluated once per statement. If false, nothing is checked per caption.
_HOLDS_ANY = f"""
    EXISTS (
        SELECT 1
        FROM annotate_assignment a
        JOIN annotate_workitem i ON i.id = a.item_id
        WHERE a.annotator_id = %(person)s AND a.state = '{Assignment.State.HELD}'
          AND i.kind = '{WorkItem.Kind.COMPARE}' AND +i.project_id = %(project)s
    )
"""
_KNOWS_ANY = """
    EXISTS (
        SELECT 1
        FROM review_matchup named
        WHERE named.reviewer_id = %(person)s
          AND named.names_shown_at IS NOT NULL AND +named.round_id <> %(round)s
    )
"""
_IS_HELD = f"""
    {_HOLDS_ANY} AND EXISTS (
        SELECT 1
        FROM annotate_workitem i
        JOIN annotate_assignment a ON a.item_id = i.id
        WHERE i.clip_id = {{clip_id}} AND i.kind = '{WorkItem.Kind.COMPARE}'
          AND +i.project_id = %(project)s
          AND a.annotator_id = %(person)s AND a.state = '{Assignment.State.HELD}'
    )
"""
# BETWEEN, because with = PostgreSQL reads all captions of the round for a list of a thousand
# captions.
_IS_ENTERED = """
    EXISTS (
        SELECT 1
        FROM review_entrantcaption entered
        JOIN review_entrant entrant ON entrant.id = entered.entrant_id
        WHERE entered.caption_id BETWEEN {id} AND {id} AND entrant.round_id = %(round)s
    )
"""


def _is_unknown(entrant: str) -> str:
    """Return the condition that the caption of an entrant, named by its column, could be compared,
    because no other round has shown this person its model.
    """
    return f"""
        EXISTS (
            SELECT 1
            FROM review_entrantcaption text
            WHERE text.entrant_id = {entrant} AND text.clip_id = {{clip_id}}
              AND text.names_its_model = ''
              AND NOT ({_KNOWS_ANY} AND EXISTS (
                  SELECT 1
                  FROM review_entrantcaption same
                  JOIN review_matchup named ON named.left_id = same.id OR named.right_id = same.id
                  WHERE same.caption_id = text.caption_id AND +named.reviewer_id = %(person)s
                    AND named.names_shown_at IS NOT NULL AND +named.round_id <> %(round)s
              ))
        )
    """


# Evaluated once per statement too. If true, every clip of the round could be given, because at
# least two of its captions name no model, and any two entrants are a pair.
_ANY_COULD_BE_GIVEN = f"""
    NOT EXISTS (
        SELECT 1
        FROM review_entrantpair pair
        WHERE pair.round_id = %(round)s AND pair.given >= %(votes_per_pair)s
    )
    AND NOT {_KNOWS_ANY}
"""
# The clips of the round that the reviewer was given without seeing the names, and those that they
# could still be given.
_IS_TO_COMPARE = f"""
    EXISTS (
        SELECT 1 FROM review_roundclip r WHERE r.round_id = %(round)s AND r.clip_id = {{clip_id}}
    )
    AND NOT EXISTS (
        SELECT 1
        FROM review_matchup named
        WHERE named.reviewer_id = %(person)s AND named.clip_id = {{clip_id}}
          AND +named.round_id = %(round)s AND named.names_shown_at IS NOT NULL
    )
    AND (
        {_ANY_COULD_BE_GIVEN}
        OR EXISTS (
            SELECT 1
            FROM review_matchup given
            WHERE given.reviewer_id = %(person)s AND given.clip_id = {{clip_id}}
              AND +given.round_id = %(round)s
        )
        OR EXISTS (
            SELECT 1
            FROM review_entrantpair pair
            WHERE pair.round_id = %(round)s AND pair.given < %(votes_per_pair)s
              AND {_is_unknown("pair.first_id")}
              AND {_is_unknown("pair.second_id")}
        )
    )
"""


def hide_compared_captions(membership: Membership) -> Condition:
    """Hide model captions of each clip that the person could still be given, has open, or could
    change a vote on.
    """
    person = {"person": membership.user_id, "project": membership.project_id}
    running = ComparisonRound.objects.filter(project=membership.project_id, ended_at=None).first()
    if running is None or not membership.has_role(*ROLES_FOR_KIND[WorkItem.Kind.COMPARE]):
        return Condition(f"({_OF_MODELS}) AND {_IS_HELD}", **person)
    return Condition(
        f"({_OF_MODELS} OR {_IS_ENTERED}) AND (({_IS_HELD}) OR {_IS_TO_COMPARE})",
        round=running.pk,
        # Where pairs are drawn, each can be given until the round ends.
        votes_per_pair=MOST_PER_PAIR if running.is_drawn else running.votes_per_pair,
        **person,
    )


def shares_captions(first: Matchup) -> Q:
    """Return the matchups that the names of this one reveal: all of its clip in its round, because
    captions are in several pairs there, and in other rounds those with one of its two captions.
    """
    captions = [first.left.caption_id, first.right.caption_id]
    same = Q(left__caption__in=captions) | Q(right__caption__in=captions)
    return Q(clip=first.clip_id) & (Q(round=first.round_id) | same)


def knows_captions(matchup: Matchup) -> bool:
    """Return whether the reviewer of the matchup has been shown its names, in any round."""
    with_names = Matchup.of_any_purpose.filter(
        reviewer=matchup.reviewer_id, names_shown_at__isnull=False
    )
    return with_names.filter(shares_captions(matchup)).exists()


def clips_named_before(reviewer: User, round: ComparisonRound) -> dict[int, set[int]]:
    """entrant -> the clips of which another round has shown the reviewer who wrote its caption.
    Of entrants of every round: so the captions are found by their keys alone."""
    own = Matchup.of_any_purpose.filter(reviewer=reviewer).order_by()
    elsewhere = own.filter(names_shown_at__isnull=False).exclude(round=round)
    named: dict[int, set[int]] = defaultdict(set)
    for side in ("left__caption", "right__caption"):
        captions = EntrantCaption.objects.filter(caption__in=elsewhere.values(side)).order_by()
        for entrant, clip in captions.values_list("entrant", "clip"):
            named[entrant].add(clip)
    return named


def may_read_votes(membership: Membership, round: ComparisonRound) -> bool:
    """Return whether this person may read the votes of the round with the names of the models."""
    has_ended = round.ended_at is not None and not would_unblind(membership, round)
    return membership.is_admin or has_ended


def would_unblind(membership: Membership, round: ComparisonRound) -> bool:
    """Return whether the votes of an ended round reveal who wrote captions that the person could be
    given now, because a set of the round is in the running round too.
    """
    if not membership.has_role(*ROLES_FOR_KIND[WorkItem.Kind.COMPARE]):
        return False
    sets = Entrant.objects.filter(round=round).values("caption_set")
    running = Entrant.objects.filter(
        round__project=membership.project_id, round__ended_at=None, caption_set__in=sets
    )
    return running.exclude(round=round).exists()
