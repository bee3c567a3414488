"""Archive a set of model captions, so that nothing new is made from it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.urls import reverse

from annotate.archive.kinds import ArchiveKind
from annotate.models import Archived, Caption, Project, User
from review.captions.models import CaptionSet, SetCaption
from review.captions.services import offer_set


class ArchiveCaptionSet(ArchiveKind[CaptionSet]):
    name = "caption-set"
    label = "Set of model captions"
    says = (
        "Lists of model captions, new rounds and new tables leave the set out. Rounds, reports and "
        "releases that have it don’t change."
    )
    parts: ClassVar = (SetCaption,)

    def things(self, project: Project) -> QuerySet[CaptionSet]:
        return CaptionSet.objects.filter(project=project)

    def address(self, thing: CaptionSet) -> str:
        return reverse("review:caption_set", args=[thing.project.slug, thing.pk])

    def roots(self, thing: CaptionSet) -> list[QuerySet[Any]]:
        """Return the set, and the captions of its file that came only with it."""
        rows: list[QuerySet[Any]] = [CaptionSet.objects.filter(pk=thing.pk)]
        if thing.run_id is None:
            rows.append(
                Caption.objects.filter(sets__caption_set=thing, kind=Caption.Kind.PREDICTION)
            )
        return rows

    def archived(self, thing: CaptionSet, row: Archived, admin: User) -> None:
        offer_set(caption_set=thing, is_used=False, admin=admin)

    def restored(self, thing: CaptionSet, row: Archived, admin: User) -> None:
        offer_set(caption_set=thing, is_used=True, admin=admin)
