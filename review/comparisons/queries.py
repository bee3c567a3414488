"""Which votes of rounds are stored, count, or are counted already, and a reviewer's own, on gold as
on any other pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Subquery, Sum

from annotate.models import Membership, Project, User
from annotate.programs import that_count
from review.comparisons.cast import (
    BOTH_BAD,
    CHANGED,
    EXCLUDED,
    NAMES_MODEL,
    REPEAT,
    VOTE_BATCH_SIZE,
    Cast,
)
from review.comparisons.models import CaptionPair, Round, Vote
from review.reports.questions import rater_key
from review.reports.stored import StoredKind, Unread, current_reports

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

ROW_BATCH_SIZE = 2000
# The subject of the report about them.
AGREEMENT_ON_VOTES = "comparisons"


@dataclass(frozen=True)
class Stored:
    """The number of a round's votes, including changed ones, and whether any count already."""

    count: int
    can_be_counted: bool


def votes_to_count(project: Project) -> QuerySet[Vote]:
    """Return all votes of ended rounds, and those of a running round in complete steps, each with
    the votes that change it.
    """
    votes = _votes(project)
    running = Round.objects.filter(project=project, ended_at=None).first()
    if running is None:
        return votes
    waiting = _cast_first(project, running.pk).filter(pk__gt=_end_of_steps(project, running.pk))
    return votes.exclude(caption_pair__in=waiting.values("caption_pair"))


def _votes(project: Project) -> QuerySet[Vote]:
    """Return the votes of people, and those of programs if the project counts them."""
    votes = Vote.objects.filter(caption_pair__round__project=project)
    return that_count(votes, project, "caption_pair__reviewer")


def _cast_first(project: Project, round_id: int) -> QuerySet[Vote]:
    """Return the first vote on each pair, in the order of casting."""
    return _votes(project).filter(caption_pair__round=round_id, corrects=None).order_by("pk")


def _end_of_steps(project: Project, round_id: int) -> int:
    """Return the key of the last vote of a complete step, or 0."""
    cast = _cast_first(project, round_id).values_list("pk", flat=True)
    in_steps = cast.count() // VOTE_BATCH_SIZE * VOTE_BATCH_SIZE
    return cast[in_steps - 1] if in_steps else 0


def stored_votes(round: Round) -> Stored:
    count = _votes(round.project).filter(caption_pair__round=round).count()
    return Stored(count, votes_to_count(round.project).filter(caption_pair__round=round).exists())


def newest_votes(project: Project) -> dict[str, int]:
    """Return the key of the newest vote that counts, by the round's key in reports."""
    newest = (
        votes_to_count(project).order_by().values_list("caption_pair__round").annotate(Max("pk"))
    )
    return {str(round): last for round, last in newest}


@dataclass(frozen=True)
class NewestVote:
    """The key of the newest vote to count."""

    last: int


@dataclass(frozen=True)
class VotesCounted:
    """The part of the stored leaderboard and agreement that is read here."""

    stored: NewestVote


def newest_counted(project: Project, name: str) -> dict[str, int]:
    """Return the key of the newest counted vote, by the subject of the current report."""
    reports = current_reports(project, StoredKind(name, VotesCounted, Unread))
    return {report.report.subject: report.numbers.stored.last for report in reports}


def counted_up_to(project: Project, round_id: int) -> int:
    """Return the greatest key of a vote of the running round that its leaderboard or the agreement
    counts, apart from changes of earlier votes.
    """
    leaderboard = newest_counted(project, "leaderboard")
    agreement = newest_counted(project, "agreement")
    newest = max(leaderboard.get(str(round_id), 0), agreement.get(AGREEMENT_ON_VOTES, 0))
    return min(newest, _end_of_steps(project, round_id))


def counted_votes(project: Project) -> QuerySet[Vote]:
    """Return the votes that the leaderboard or the agreement already counts, which nobody can
    change: those of ended rounds, and those of the running round up to `counted_up_to`.
    """
    votes = votes_to_count(project)
    running = Round.objects.filter(project=project, ended_at=None).first()
    if running is None:
        return votes
    later = _cast_first(project, running.pk).filter(pk__gt=counted_up_to(project, running.pk))
    return votes.exclude(caption_pair__in=later.values("caption_pair"))


def category_marks_of_votes(project: Project, round: Round) -> list[list[Any]]:
    """Return `marks_by_category` of the round's counted votes, by the clips' current categories."""
    votes = votes_to_count(project).filter(caption_pair__round=round).order_by()
    marks = votes.values_list("caption_pair__clip__video__category").annotate(
        n=Count("pk"), total=Sum("pk")
    )
    return sorted([category, n, int(total)] for category, n, total in marks)


def votes_by_key(keys: Sequence[int]) -> dict[int, Vote]:
    """Return the votes by key, with everything that a list shows."""
    votes = Vote.objects.filter(pk__in=keys)
    return {vote.pk: vote for vote in _with_sides(votes)}


def every_vote(round: Round) -> Iterator[Vote]:
    """Yield all votes of the round in order of their keys, in batches."""
    votes = Vote.objects.filter(caption_pair__round=round).order_by("pk")
    return _with_sides(votes).iterator(ROW_BATCH_SIZE)


def _with_sides(votes: QuerySet[Vote]) -> QuerySet[Vote]:
    return votes.select_related(
        "caption_pair__clip__video",
        "caption_pair__left",
        "caption_pair__right",
        "caption_pair__reviewer",
    )


class Seen(TypedDict):
    """A vote's additional columns in `own_votes`."""

    knows_clip: bool
    first_cast: int


def cast_in(round: Round, votes: QuerySet[Vote]) -> list[Cast]:
    """Return the `votes` of the round with the reason why one doesn't count, the first of WHY that
    applies. They are in the order of the first vote on each pair (its time, then its key), so a
    changed vote keeps its position.
    """
    rows = votes.filter(caption_pair__round=round).values_list(
        "pk",
        "created_at",
        "corrects",
        "outcome",
        "reasons",
        "caption_pair",
        "caption_pair__repeat_of",
        "caption_pair__reviewer",
        "caption_pair__label",
        "caption_pair__pair",
        "caption_pair__clip",
        "caption_pair__clip__video__category",
        "caption_pair__clip__video__excluded_because",
        "caption_pair__clip__excluded_because",
        "caption_pair__left__system",
        "caption_pair__right__system",
        "caption_pair__left__names_its_model",
        "caption_pair__right__names_its_model",
    )
    # Sorted in Python, because the database would sort by columns of several tables.
    stored = sorted(rows.order_by(), key=lambda row: row[0])
    first = {row[5]: (row[1], row[0]) for row in stored if row[2] is None}
    changed = {row[2] for row in stored}
    stored.sort(key=lambda row: (first[row[5]], row[0]))
    judged: set[tuple[str, int, int]] = set()
    cast = []
    for row in stored:
        key, _, _, outcome, reasons, _, repeats, reviewer, label, pair, clip = row[:11]
        category, of_video, of_clip, left, right, left_names, right_names = row[11:]
        rater = rater_key(reviewer, label)
        if of_video or of_clip:
            why = EXCLUDED
        elif key in changed:
            why = CHANGED
        elif left_names or right_names or Vote.Reason.NAMES_MODEL in reasons:
            why = NAMES_MODEL
        elif repeats is not None or (rater, pair, clip) in judged:
            why = REPEAT
        elif outcome == Vote.Outcome.BOTH_BAD and not round.both_bad_is_tie:
            why = BOTH_BAD
        else:
            why = ""
        if not why:
            judged.add((rater, pair, clip))
        cast.append(Cast(key, left, right, outcome, rater, clip, category, why))
    return cast


def votes_of(reviewer: User, round: Round) -> QuerySet[Vote]:
    """Return the current votes, newest first; a changed vote keeps its position."""
    own = Vote.with_known_answers.current().filter(
        caption_pair__reviewer=reviewer, caption_pair__round=round
    )
    return own.select_related("caption_pair").order_by("-assignment__submitted_at", "-pk")


def own_votes(membership: Membership) -> QuerySet[WithAnnotations[Vote, Seen]]:
    """Return the person's current votes in the project, newest first, with the data of the page of
    their votes. `knows_clip`: they have seen the name of a model of the same clip in the same
    round. `first_cast`: the key of their first vote.
    """
    return (
        Vote.with_known_answers.current()
        .filter(
            caption_pair__reviewer=membership.user_id,
            caption_pair__round__project=membership.project_id,
        )
        .annotate(
            knows_clip=_knows_clip(OuterRef("caption_pair__round"), OuterRef("caption_pair__clip")),
            first_cast=Subquery(
                Vote.with_known_answers.filter(
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
    voted = Vote.with_known_answers.filter(caption_pair=OuterRef("pk"))
    return CaptionPair.with_known_answers.filter(
        Exists(voted), round__project=membership.project_id, reviewer=membership.user_id
    )


def _knows_clip(round: OuterRef, clip: OuterRef) -> Exists:
    return Exists(
        CaptionPair.with_known_answers.filter(
            round=round,
            clip=clip,
            reviewer=OuterRef("caption_pair__reviewer"),
            names_shown_at__isnull=False,
        )
    )
