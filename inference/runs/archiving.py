"""Archive a run: it leaves the list, and its results stay."""

from __future__ import annotations

from typing import ClassVar

from django.db.models import QuerySet
from django.urls import reverse

from annotate.archive.kinds import ArchiveKind
from annotate.models import Project
from inference import words
from inference.models import InferenceRun, RunItem


class ArchiveRun(ArchiveKind[InferenceRun]):
    name = "run"
    label = "Run"
    says = (
        "The list of runs leaves it out. Its captions, vectors and scores stay in use, and no "
        "number changes."
    )
    parts: ClassVar = (RunItem,)

    def things(self, project: Project) -> QuerySet[InferenceRun]:
        return InferenceRun.objects.filter(project=project)

    def address(self, thing: InferenceRun) -> str:
        return reverse("inference:run", args=[thing.project.slug, thing.pk])

    def title(self, thing: InferenceRun) -> str:
        return f"{words.KINDS[thing.kind].label} run {thing.pk}"

    def refusal(self, thing: InferenceRun) -> str:
        return (
            "It is in progress. Cancel it first, or wait until it ends." if thing.is_active else ""
        )

    def also_depends(self, thing: InferenceRun) -> dict[str, int]:
        """Count captions that it made, and items that later runs reuse."""
        return {
            "captions that it made": thing.items.filter(result__isnull=False).count(),
            "reused results": RunItem.objects.filter(reused__run=thing).exclude(run=thing).count(),
        }
