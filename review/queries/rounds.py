"""Rounds of comparisons and their votes, for the pages of what comes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery, Sum

from annotate.models import Project
from review.models import Comparison, ComparisonRound, Entrant, Report

ROWS_AT_ONCE = 2000
# The subject of the report about them.
AGREEMENT_ON_VOTES = "comparisons"


@dataclass(frozen=True)
class Stored:
    """How many votes a round has, changed ones too, and how many are newer than a given one."""

    count: int
    newer: int


def rounds_of(project: Project) -> QuerySet[ComparisonRound]:
    """The newest first."""
    return numbered(ComparisonRound.objects.filter(project=project)).order_by("-pk")


def numbered(rounds: QuerySet[ComparisonRound]) -> QuerySet[ComparisonRound]:
    """With the `number` of each, counted apart: whatever is filtered leaves it as it is."""
    up_to = ComparisonRound.objects.filter(project=OuterRef("project"), pk__lte=OuterRef("pk"))
    count = up_to.order_by().values("project").annotate(count=Count("pk")).values("count")
    # The property of this name gives way to it.
    return rounds.annotate(number=Subquery(count))  # type: ignore[no-redef]


def entrants_of(round: ComparisonRound) -> dict[str, Entrant]:
    """By their keys as reports have them, in the order in which they entered."""
    return {str(one.pk): one for one in Entrant.objects.filter(round=round).order_by("pk")}


def stored_votes(round: ComparisonRound, since: int = 0) -> Stored:
    """`since`: the key of the newest vote that is counted already."""
    votes = Comparison.objects.filter(matchup__round=round).order_by()
    found = votes.aggregate(count=Count("pk"), newer=Count("pk", filter=Q(pk__gt=since)))
    return Stored(found["count"], found["newer"])


def newest_votes(project: Project) -> dict[str, int]:
    """The key of the newest vote of each round that has any, by the round's key as reports have
    it."""
    votes = Comparison.objects.filter(matchup__round__project=project).order_by()
    newest = votes.values_list("matchup__round").annotate(last=Max("pk"))
    return {str(round): last for round, last in newest}


def newest_counted(project: Project, name: str) -> dict[str, int]:
    """subject of a report in force -> the key of the newest vote that it counts."""
    reports = Report.objects.newest(project, name)
    return dict(reports.values_list("subject", "result__stored__last"))


def counted_up_to(project: Project, round_id: int) -> int:
    """The key of the newest vote that the leaderboard of the round or the agreement on comparisons
    counts; 0 where there is neither."""
    leaderboard = newest_counted(project, Report.Name.LEADERBOARD)
    agreement = newest_counted(project, Report.Name.AGREEMENT)
    return max(leaderboard.get(str(round_id), 0), agreement.get(AGREEMENT_ON_VOTES, 0))


def category_marks_of_votes(round: ComparisonRound, last: int) -> list[list[Any]]:
    """`marks_by_category` of the votes up to the key `last`, by the clips as they are now."""
    votes = Comparison.objects.filter(matchup__round=round, pk__lte=last).order_by()
    marks = votes.values_list("matchup__clip__video__category").annotate(
        n=Count("pk"), total=Sum("pk")
    )
    return sorted([category, n, int(total)] for category, n, total in marks)


def newest_of_rounds(project: Project, name: str) -> dict[str, Report]:
    """The report in force of each round, by the round's key."""
    return {report.subject: report for report in Report.objects.newest(project, name)}


def votes_by_key(keys: Sequence[int]) -> dict[int, Comparison]:
    """With what a list says of them."""
    votes = Comparison.objects.filter(pk__in=keys)
    return {vote.pk: vote for vote in _with_sides(votes)}


def every_vote(round: ComparisonRound) -> Iterator[Comparison]:
    """All votes of the round by their keys, a few at a time."""
    votes = Comparison.objects.filter(matchup__round=round).order_by("pk")
    return _with_sides(votes).iterator(ROWS_AT_ONCE)


def _with_sides(votes: QuerySet[Comparison]) -> QuerySet[Comparison]:
    return votes.select_related(
        "matchup__clip__video", "matchup__left", "matchup__right", "matchup__reviewer"
    )
