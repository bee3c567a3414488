"""Hides models' names from people who compare their captions, or could be asked to.

The rule is SQL as text, because the ORM has no recursive query (`_is_related`), and the other
conditions are parts of that one, too.
"""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Q

from annotate.kinds import kind_facts
from annotate.models import Assignment, Caption, Membership, User
from annotate.sql import Condition
from review.comparisons.models import CaptionPair, Round, System, SystemCaption

# More than any pair is given.
MAX_PER_PAIR = 2**31 - 1
# Model captions and captions made from them: the texts of a clip that could be compared.
_OF_MODELS = f"""
    {{kind}} = '{Caption.Kind.PREDICTION}'
    OR {{source}} IN ('{Caption.Source.MACHINE}', '{Caption.Source.CORRECTED}')
"""
# Evaluated once per statement. If false, captions need no check.
_HOLDS_ANY = f"""
    EXISTS (
        SELECT 1
        FROM annotate_assignment a
        JOIN annotate_workitem i ON i.id = a.item_id
        WHERE a.annotator_id = %(person)s AND a.state = '{Assignment.State.HELD}'
          AND i.kind = '{"compare"}' AND +i.project_id = %(project)s
    )
"""
_KNOWS_ANY = """
    EXISTS (
        SELECT 1
        FROM review_captionpair named
        WHERE named.reviewer_id = %(person)s
          AND named.names_shown_at IS NOT NULL AND +named.round_id <> %(round)s
    )
"""
_IS_HELD = f"""
    {_HOLDS_ANY} AND EXISTS (
        SELECT 1
        FROM annotate_workitem i
        JOIN annotate_assignment a ON a.item_id = i.id
        WHERE i.clip_id = {{clip_id}} AND i.kind = '{"compare"}'
          AND +i.project_id = %(project)s
          AND a.annotator_id = %(person)s AND a.state = '{Assignment.State.HELD}'
    )
"""


def _is_unknown(system: str) -> str:
    """Return the condition that the caption of a system, named by its column, could be compared,
    because no other round has shown this person its model.
    """
    return f"""
        EXISTS (
            SELECT 1
            FROM review_systemcaption text
            WHERE text.system_id = {system} AND text.clip_id = {{clip_id}}
              AND text.names_its_model = ''
              AND NOT ({_KNOWS_ANY} AND EXISTS (
                  SELECT 1
                  FROM review_systemcaption same
                  JOIN review_captionpair named
                    ON named.left_id = same.id OR named.right_id = same.id
                  WHERE same.caption_id = text.caption_id AND +named.reviewer_id = %(person)s
                    AND named.names_shown_at IS NOT NULL AND +named.round_id <> %(round)s
              ))
        )
    """


# Also evaluated once per statement. If true, every clip of the round could be given, because at
# least two of its captions name no model, and any two systems are a pair.
_ANY_COULD_BE_GIVEN = f"""
    NOT EXISTS (
        SELECT 1
        FROM review_systempair pair
        WHERE pair.round_id = %(round)s AND pair.given >= %(votes_per_pair)s
    )
    AND NOT {_KNOWS_ANY}
"""
_IS_OF_ROUND = """
    EXISTS (
        SELECT 1 FROM review_roundclip r WHERE r.round_id = %(round)s AND r.clip_id = {clip_id}
    )
"""
# The clips of the round that the reviewer was given without seeing the names, and those that they
# could still be given.
_IS_TO_COMPARE = f"""
    {_IS_OF_ROUND}
    AND NOT EXISTS (
        SELECT 1
        FROM review_captionpair named
        WHERE named.reviewer_id = %(person)s AND named.clip_id = {{clip_id}}
          AND +named.round_id = %(round)s AND named.names_shown_at IS NOT NULL
    )
    AND (
        {_ANY_COULD_BE_GIVEN}
        OR EXISTS (
            SELECT 1
            FROM review_captionpair given
            WHERE given.reviewer_id = %(person)s AND given.clip_id = {{clip_id}}
              AND +given.round_id = %(round)s
        )
        OR EXISTS (
            SELECT 1
            FROM review_systempair pair
            WHERE pair.round_id = %(round)s AND pair.given < %(votes_per_pair)s
              AND {_is_unknown("pair.first_id")}
              AND {_is_unknown("pair.second_id")}
        )
    )
"""


def _is_related(is_open: str) -> str:
    """Return the condition that a caption is in an open pair, or that one in an open pair was made
    from it, or it from that one, with any number of captions between: they have the same sentences.
    `is_open` is a condition on `{clip_id}`, the clip of the pair, and `system`."""
    return f"""
        EXISTS (
            WITH RECURSIVE above (id) AS (
                SELECT made.to_caption_id
                FROM annotate_caption_parents made
                WHERE made.from_caption_id = {{id}}
                UNION
                SELECT made.to_caption_id
                FROM above
                JOIN annotate_caption_parents made ON made.from_caption_id = above.id
            ),
            below (id) AS (
                SELECT made.from_caption_id
                FROM annotate_caption_parents made
                WHERE made.to_caption_id = {{id}}
                UNION
                SELECT made.from_caption_id
                FROM below
                JOIN annotate_caption_parents made ON made.to_caption_id = below.id
            )
            SELECT 1
            FROM (
                SELECT {{id}} AS id UNION ALL SELECT id FROM above UNION ALL SELECT id FROM below
            ) related
            JOIN review_systemcaption entered ON entered.caption_id = related.id
            JOIN review_system system ON system.id = entered.system_id
            WHERE {is_open.replace("{clip_id}", "entered.clip_id")}
        )
    """


def hide_compared_captions(membership: Membership) -> Condition:
    """Hide model captions of each clip that the person could still be given, has open, or could
    change a vote on, and captions that share sentences with a caption of such a pair.
    """
    person = {"person": membership.user_id, "project": membership.project_id}
    running = Round.objects.filter(project=membership.project_id, ended_at=None).first()
    if running is None or not membership.has_role(*kind_facts("compare").roles):
        return Condition(
            f"({_OF_MODELS}) AND {_IS_HELD} OR {_HOLDS_ANY} AND {_is_related(_IS_HELD)}", **person
        )
    # Captions of whole videos are made from those of other clips. For the rest, the index on the
    # clips of the round is quicker than their relations.
    could_be = (
        ""
        if running.kind == Caption.Kind.FULL_VIDEO
        else f"""
        ({{kind}} = '{Caption.Kind.FULL_VIDEO}' OR {_IS_OF_ROUND} OR {_IS_HELD}) AND
    """
    )
    is_open = f"(({_IS_HELD}) OR system.round_id = %(round)s AND {_IS_TO_COMPARE})"
    return Condition(
        f"""
        ({_OF_MODELS}) AND (({_IS_HELD}) OR {_IS_TO_COMPARE})
        OR {could_be} {_is_related(is_open)}
        """,
        round=running.pk,
        votes_per_pair=running.votes_per_pair,
        **person,
    )


def shares_captions(first: CaptionPair) -> Q:
    """Return the pairs that the names of this one reveal: all of its clip in its round, because
    captions are in several pairs there, and in other rounds those with one of its two captions.
    """
    captions = [first.left.caption_id, first.right.caption_id]
    same = Q(left__caption__in=captions) | Q(right__caption__in=captions)
    return Q(clip=first.clip_id) & (Q(round=first.round_id) | same)


def knows_captions(caption_pair: CaptionPair) -> bool:
    """Return whether the reviewer of the pair has been shown its names, in any round."""
    with_names = CaptionPair.with_known_answers.filter(
        reviewer=caption_pair.reviewer_id, names_shown_at__isnull=False
    )
    return with_names.filter(shares_captions(caption_pair)).exists()


def clips_named_before(reviewer: User, round: Round) -> dict[int, set[int]]:
    """Return system -> clips for which another round has shown the reviewer the author of its
    caption. Covers systems of every round, so that captions are found by key alone."""
    own = CaptionPair.with_known_answers.filter(reviewer=reviewer).order_by()
    elsewhere = own.filter(names_shown_at__isnull=False).exclude(round=round)
    named: dict[int, set[int]] = defaultdict(set)
    for side in ("left__caption", "right__caption"):
        captions = SystemCaption.objects.filter(caption__in=elsewhere.values(side)).order_by()
        for system, clip in captions.values_list("system", "clip"):
            named[system].add(clip)
    return named


def may_read_votes(membership: Membership, round: Round) -> bool:
    """Return whether this person may read the votes of the round with the names of the models."""
    has_ended = round.ended_at is not None and not would_unblind(membership, round)
    return membership.is_admin or has_ended


def would_unblind(membership: Membership, round: Round) -> bool:
    """Return whether the votes of an ended round reveal who wrote captions that the person could be
    given now, because a set of the round is in the running round too.
    """
    if not membership.has_role(*kind_facts("compare").roles):
        return False
    sets = System.objects.filter(round=round).values("caption_set")
    running = System.objects.filter(
        round__project=membership.project_id, round__ended_at=None, caption_set__in=sets
    )
    return running.exclude(round=round).exists()
