"""The rounds of a project: their systems, the instructions of the models, progress by pair and by
reviewer, and the captions that they must not show.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from annotate.models import Project
from annotate.ordering import natural_key
from annotate.programs import programs_of
from annotate.queue.queries import members_for
from review.captions.instructions import instructions_of
from review.comparisons.gold import known_clips
from review.comparisons.models import (
    CaptionPair,
    Round,
    RoundClip,
    System,
    SystemCaption,
    SystemPair,
)
from review.reports.instructions import Instructions
from review.reports.models import Report

_CURRENT = Q(votes__isnull=False, votes__correction=None)


def rounds_of(project: Project) -> QuerySet[Round]:
    """Return the project's rounds, newest first."""
    return numbered(Round.objects.filter(project=project)).order_by("-pk")


def numbered(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Add the `number` of each round, which doesn't depend on filters."""
    up_to = Round.objects.filter(project=OuterRef("project"), pk__lte=OuterRef("pk"))
    count = up_to.order_by().values("project").annotate(count=Count("pk")).values("count")
    return rounds.annotate(number=Subquery(count))  # type: ignore[no-redef]  # hides the property


def round_title(project: Project, key: str) -> str:
    """Return the title of the round with this key; "" if the project has no such round."""
    return str(Round.objects.filter(project=project, pk=key).first() or "")


def systems_of(round: Round) -> dict[str, System]:
    """Return the systems by their keys in reports, in the order of entry."""
    return {str(system.pk): system for system in System.objects.filter(round=round).order_by("pk")}


def newest_of_rounds(project: Project, name: str) -> dict[str, Report]:
    """Return the current report of each round, by the round's key."""
    return {report.subject: report for report in Report.objects.newest(project, name)}


def instructions_of_round(round: Round) -> dict[str, Instructions]:
    """Return the instructions of the round's systems, by the systems' keys in reports, in order of
    entering.
    """
    systems = System.objects.filter(round=round).select_related("caption_set__run")
    return instructions_of_systems(systems.order_by("pk"))


def instructions_of_systems(systems: Iterable[System]) -> dict[str, Instructions]:
    """Return the systems' instructions by key; load their sets and runs with them."""
    return {
        str(system.pk): replace(instructions_of(system.caption_set), name=system.name)
        for system in systems
    }


@dataclass(frozen=True)
class ReviewerVotes:
    """Current votes of a person or label, including `repeats`."""

    name: str
    votes: int
    repeats: int
    last: datetime | None
    is_member: bool


def pairs_of(round: Round) -> QuerySet[SystemPair]:
    """Return the pairs in the order in which the models entered."""
    return SystemPair.objects.filter(round=round).select_related("first", "second").order_by("pk")


def votes_by_reviewer(round: Round) -> list[ReviewerVotes]:
    """Return the votes of all who may vote or have voted, by name, and of imported labels."""
    members = {
        member.user_id: member.user.name
        for member in members_for(round.project, "compare").select_related("user")
    }
    programs = programs_of(round.project)
    rows: QuerySet[Any] = (
        CaptionPair.objects.filter(round=round)
        .order_by()
        .values("reviewer", "label", "reviewer__name")
        .annotate(
            count=Count("votes", filter=_CURRENT),
            repeats=Count("votes", filter=_CURRENT & Q(repeat_of__isnull=False)),
            last=Max("votes__created_at", filter=_CURRENT),
        )
    )
    by_person = {
        (row["reviewer"], row["label"]): ReviewerVotes(
            f"{row['reviewer__name']} (program)"
            if row["reviewer"] in programs
            else row["reviewer__name"] or row["label"],
            row["count"],
            row["repeats"],
            row["last"],
            row["reviewer"] in members,
        )
        for row in rows
    }
    for key, name in members.items():
        by_person.setdefault((key, ""), ReviewerVotes(name, 0, 0, None, is_member=True))
    people = [member for member in by_person.values() if member.votes or member.is_member]
    return sorted(people, key=lambda person: (natural_key(person.name), person.name))


class Castable:
    """How many votes `voters` can cast on the pairs of a round, one per clip each, except clips
    with a known right vote."""

    def __init__(self, round: Round, voters: int) -> None:
        self.round, self.voters, self.known_clips = round, voters, known_clips(round)

    def votes_on(self, pair: SystemPair) -> int:
        """Return the votes that can be cast on the pair, plus those that were cast."""
        clips = pair.clips - len(self.known_clips.get(pair.pk, ()))
        return max(clips * self.voters, pair.decided)

    def votes_asked(self, pair: SystemPair) -> int:
        """Return the requested votes on the pair that can be cast."""
        return min(self.round.votes_per_pair, self.votes_on(pair))

    def votes_planned(self, pairs: Sequence[SystemPair]) -> int:
        """Return the requested votes on all pairs of the round that can be cast."""
        return sum(map(self.votes_asked, pairs))


def votes_and_asked(round: Round) -> tuple[int, int]:
    """Return the number of current votes without repeats, and of requested votes."""
    voters = members_for(round.project, "compare").count()
    pairs = list(SystemPair.objects.filter(round=round))
    return sum(pair.decided for pair in pairs), Castable(round, voters).votes_planned(pairs)


def captions_naming(round: Round) -> QuerySet[SystemCaption]:
    """Return the captions that are never shown, because they name their model."""
    return (
        SystemCaption.objects.filter(system__round=round)
        .exclude(names_its_model="")
        .select_related("system", "clip")
        .order_by("system", "clip__name", "pk")
    )


def listed_rounds(project: Project) -> QuerySet[Round]:
    """Return the rounds, newest first, each with its `models`, its `clip_count` and the current
    `votes`, without repeats."""
    return rounds_of(project).annotate(
        models=_of_round(System.objects.all(), Count("pk")),
        clip_count=_of_round(RoundClip.objects.all(), Count("pk")),
        votes=_of_round(SystemPair.objects.all(), Sum("decided")),
    )


def _of_round(rows: QuerySet[Any], figure: Count | Sum) -> Coalesce:
    """Return the figure as a subquery, because joins would multiply the counts."""
    own = rows.filter(round=OuterRef("pk")).order_by().values("round")
    return Coalesce(Subquery(own.annotate(figure=figure).values("figure")), 0)
