"""The versions of a guideline and the examples that it shows."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from annotate.models import GuidelineExample, GuidelineVersion, Project, ShownExample, User
from annotate.rules import rules_for


def shown_examples(project: Project, kind: str) -> QuerySet[GuidelineExample]:
    """Return the examples of the guideline in order, with their clips and videos."""
    examples = GuidelineExample.objects.filter(project=project, kind=kind, placement__isnull=False)
    return examples.select_related("clip__video").order_by("placement__place")


def shown_keys(project: Project, kind: str) -> list[int]:
    examples = ShownExample.objects.filter(project=project, kind=kind).order_by("place")
    return list(examples.values_list("example", flat=True))


def record_version(
    *, project: Project, kind: str, admin: User, change: str, examples: Sequence[int] | None = None
) -> GuidelineVersion:
    """Store the current guideline as a version. Call it in the transaction of the change, with the
    project locked. `examples`: their keys, read from the database by default."""
    versions = GuidelineVersion.objects.filter(project=project, kind=kind)
    last = versions.order_by("-number").values_list("number", flat=True).first() or 0
    return GuidelineVersion.objects.create(
        project=project,
        kind=kind,
        number=last + 1,
        text=rules_for(project, kind).guideline,
        examples=shown_keys(project, kind) if examples is None else list(examples),
        change=change,
        changed_by=admin,
    )
