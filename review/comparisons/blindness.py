"""Keeping the models' names from whoever compares, or could be asked to compare, their captions."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.access import ROLES_FOR_KIND
from annotate.models import Assignment, Caption, Membership, User, WorkItem
from review.models import (
    ComparisonRound,
    Entrant,
    EntrantCaption,
    EntrantPair,
    Matchup,
    RoundClip,
)

# What a model wrote, or what was made of it: the versions of a clip's text that could be compared.
OF_MODELS = Q(kind=Caption.Kind.PREDICTION) | Q(
    source__in=[Caption.Source.MACHINE, Caption.Source.CORRECTED]
)


def hide_compared_captions(membership: Membership) -> Q | None:
    """Hide what models wrote about each clip whose captions the person could still be given to
    compare, could change a vote on, or has before them."""
    compare = WorkItem.Kind.COMPARE
    held = Assignment.objects.filter(
        annotator=membership.user_id,
        state=Assignment.State.HELD,
        item__project=membership.project_id,
        item__kind=compare,
    )
    hidden = Q(Exists(held.filter(item__clip=OuterRef("clip"))))
    compared = OF_MODELS
    running = ComparisonRound.objects.filter(project=membership.project_id, ended_at=None).first()
    if running is not None and membership.has_role(*ROLES_FOR_KIND[compare]):
        to_compare = _clips_to_compare(membership, running)
        hidden |= Q(Exists(to_compare.filter(clip=OuterRef("clip"))))
        entered = EntrantCaption.objects.filter(entrant__round=running, caption=OuterRef("pk"))
        compared |= Q(Exists(entered))
    return hidden & compared


def _clips_to_compare(membership: Membership, running: ComparisonRound) -> QuerySet[RoundClip]:
    """The clips of the round that the reviewer has been given and not seen the names of, and those
    that they could still be given."""
    shown = Matchup.objects.filter(
        reviewer=membership.user_id, names_shown_at__isnull=False
    ).order_by()
    own = Matchup.objects.filter(
        round=running, reviewer=membership.user_id, clip=OuterRef("clip")
    ).order_by()
    known = shown.exclude(round=running)
    unknown = (
        EntrantCaption.objects.filter(clip=OuterRef(OuterRef("clip")), names_its_model="")
        .exclude(caption__in=known.values("left__caption"))
        .exclude(caption__in=known.values("right__caption"))
    )
    wanted = EntrantPair.objects.filter(
        Exists(unknown.filter(entrant=OuterRef("first"))),
        Exists(unknown.filter(entrant=OuterRef("second"))),
        round=running,
        given__lt=running.votes_per_pair,
    )
    return (
        RoundClip.objects.filter(Exists(own) | Exists(wanted), round=running)
        .exclude(clip__in=shown.filter(round=running).values("clip"))
        .order_by()
    )


def shares_captions(first: Matchup) -> Q:
    """Matchups that the names of this one give away: all of its clip in its round, for captions
    come in several pairs there, and in other rounds those with one of its two captions."""
    captions = [first.left.caption_id, first.right.caption_id]
    same = Q(left__caption__in=captions) | Q(right__caption__in=captions)
    return Q(clip=first.clip_id) & (Q(round=first.round_id) | same)


def knows_captions(matchup: Matchup) -> bool:
    """Whether the reviewer of the matchup has been shown, in whichever round, what names it."""
    shown = Matchup.objects.filter(reviewer=matchup.reviewer_id, names_shown_at__isnull=False)
    return shown.filter(shares_captions(matchup)).exists()


def clips_named_before(reviewer: User, round: ComparisonRound) -> dict[int, set[int]]:
    """entrant -> the clips of which another round has shown the reviewer who wrote its caption.
    Of entrants of every round: so the captions are found by their keys alone."""
    shown = Matchup.objects.filter(reviewer=reviewer, names_shown_at__isnull=False).order_by()
    elsewhere = shown.exclude(round=round)
    named: dict[int, set[int]] = defaultdict(set)
    for side in ("left__caption", "right__caption"):
        captions = EntrantCaption.objects.filter(caption__in=elsewhere.values(side)).order_by()
        for entrant, clip in captions.values_list("entrant", "clip"):
            named[entrant].add(clip)
    return named


def may_read_votes(membership: Membership, round: ComparisonRound) -> bool:
    """Whether the votes of the round may be told to this person with the names of the models."""
    has_ended = round.ended_at is not None and not would_unblind(membership, round)
    return membership.is_admin or has_ended


def would_unblind(membership: Membership, round: ComparisonRound) -> bool:
    """Whether the votes of an ended round, with names, tell this person who wrote captions that
    they could be given now: a set that stood in it is in the running round too."""
    if not membership.has_role(*ROLES_FOR_KIND[WorkItem.Kind.COMPARE]):
        return False
    sets = Entrant.objects.filter(round=round).values("caption_set")
    running = Entrant.objects.filter(
        round__project=membership.project_id, round__ended_at=None, caption_set__in=sets
    )
    return running.exclude(round=round).exists()
