"""The rounds of a project, their entrants, and what the models of these were asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.db.models import Count, OuterRef, QuerySet, Subquery

from annotate.models import Project
from review.captions.instructions import instructions_of
from review.comparisons.models import ComparisonRound, Entrant
from review.reports.instructions import Instructions
from review.reports.models import Report


def rounds_of(project: Project) -> QuerySet[ComparisonRound]:
    """The newest first."""
    return numbered(ComparisonRound.objects.filter(project=project)).order_by("-pk")


def numbered(rounds: QuerySet[ComparisonRound]) -> QuerySet[ComparisonRound]:
    """Add the `number` of each round, which doesn't depend on filters."""
    up_to = ComparisonRound.objects.filter(project=OuterRef("project"), pk__lte=OuterRef("pk"))
    count = up_to.order_by().values("project").annotate(count=Count("pk")).values("count")
    # Replaces the property of the same name.
    return rounds.annotate(number=Subquery(count))  # type: ignore[no-redef]


def entrants_of(round: ComparisonRound) -> dict[str, Entrant]:
    """Return the entrants by their keys in reports, in the order of entry."""
    return {
        str(entrant.pk): entrant for entrant in Entrant.objects.filter(round=round).order_by("pk")
    }


def newest_of_rounds(project: Project, name: str) -> dict[str, Report]:
    """Return the current report of each round, by the round's key."""
    return {report.subject: report for report in Report.objects.newest(project, name)}


def instructions_of_round(round: ComparisonRound) -> dict[str, Instructions]:
    """By the keys of the round's entrants as its reports have them, in the order of entering."""
    entrants = Entrant.objects.filter(round=round).select_related("caption_set__run")
    return instructions_of_entrants(entrants.order_by("pk"))


def instructions_of_entrants(entrants: Iterable[Entrant]) -> dict[str, Instructions]:
    """By their keys; their sets and runs should be loaded with them."""
    return {
        str(entrant.pk): replace(instructions_of(entrant.caption_set), name=entrant.name)
        for entrant in entrants
    }
