"""Archive a round of comparisons."""

from __future__ import annotations

from typing import ClassVar

from django.db.models import QuerySet
from django.urls import reverse

from annotate.archive.kinds import ArchiveKind
from annotate.models import Archived, Project, User
from review.comparisons.models import Round, RoundClip, System, SystemCaption, SystemPair
from review.errors import ReviewError


class ArchiveRound(ArchiveKind[Round]):
    """An archived round leaves the list, and its votes stay."""

    name = "round"
    label = "Round of comparisons"
    says = (
        "The list of rounds leaves it out. Its votes, its leaderboard and all reports stay, and no "
        "number changes."
    )
    parts: ClassVar = (System, SystemCaption, SystemPair, RoundClip)

    def things(self, project: Project) -> QuerySet[Round]:
        return Round.objects.filter(project=project)

    def address(self, thing: Round) -> str:
        return reverse("review:comparison_round", args=[thing.project.slug, thing.pk])

    def archived(self, thing: Round, row: Archived, admin: User) -> None:
        if thing.ended_at is None:
            raise ReviewError("It is open for votes. End it first.")

    def also_depends(self, thing: Round) -> dict[str, int]:
        """Count the later rounds, whose numbers would change."""
        later = self.things(thing.project).filter(pk__gt=thing.pk)
        return {"later rounds": later.count()}
