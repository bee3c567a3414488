"""Archive a project, or delete an empty one."""

from __future__ import annotations

from typing import ClassVar

from django.db.models import QuerySet
from django.urls import reverse

from annotate.archive.kinds import ArchiveKind
from annotate.models import (
    ApiToken,
    Archived,
    AssignedSubcategory,
    ClipChange,
    Invitation,
    Membership,
    Notice,
    Project,
    SavedView,
    Tag,
    User,
)
from inference.models import ModelSpec


class ArchiveProject(ArchiveKind[Project]):
    name = "project"
    label = "Project"
    says = (
        "Lists of projects leave it out, and nobody gets new work from it. Work that people hold "
        "can still be submitted. Everything in it is kept and can be read."
    )
    parts: ClassVar = (
        *(Membership, AssignedSubcategory, Invitation, ApiToken, Archived, ModelSpec),
        *(ClipChange, Notice, SavedView, Tag),
    )

    def things(self, project: Project) -> QuerySet[Project]:
        return Project.objects.filter(pk=project.pk)

    def address(self, thing: Project) -> str:
        return reverse("review:overview", args=[thing.slug])

    def archived(self, thing: Project, row: Archived, admin: User) -> None:
        thing.archived_at = row.archived_at
        thing.save(update_fields=["archived_at"])

    def restored(self, thing: Project, row: Archived, admin: User) -> None:
        thing.archived_at = None
        thing.save(update_fields=["archived_at"])
