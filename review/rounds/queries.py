"""The rounds of a project, their systems, and what the models of these were asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.db.models import Count, OuterRef, QuerySet, Subquery

from annotate.models import Project
from review.captions.instructions import instructions_of
from review.comparisons.models import Round, System
from review.reports.instructions import Instructions
from review.reports.models import Report


def rounds_of(project: Project) -> QuerySet[Round]:
    """The newest first."""
    return numbered(Round.objects.filter(project=project)).order_by("-pk")


def numbered(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Add the `number` of each round, which doesn't depend on filters."""
    up_to = Round.objects.filter(project=OuterRef("project"), pk__lte=OuterRef("pk"))
    count = up_to.order_by().values("project").annotate(count=Count("pk")).values("count")
    # Replaces the property of the same name.
    return rounds.annotate(number=Subquery(count))  # type: ignore[no-redef]


def systems_of(round: Round) -> dict[str, System]:
    """Return the systems by their keys in reports, in the order of entry."""
    return {str(system.pk): system for system in System.objects.filter(round=round).order_by("pk")}


def newest_of_rounds(project: Project, name: str) -> dict[str, Report]:
    """Return the current report of each round, by the round's key."""
    return {report.subject: report for report in Report.objects.newest(project, name)}


def instructions_of_round(round: Round) -> dict[str, Instructions]:
    """By the keys of the round's systems as its reports have them, in the order of entering."""
    systems = System.objects.filter(round=round).select_related("caption_set__run")
    return instructions_of_systems(systems.order_by("pk"))


def instructions_of_systems(systems: Iterable[System]) -> dict[str, Instructions]:
    """By their keys; their sets and runs should be loaded with them."""
    return {
        str(system.pk): replace(instructions_of(system.caption_set), name=system.name)
        for system in systems
    }
