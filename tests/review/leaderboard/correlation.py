"""Numbers that automatic metrics are stored with, for tests of what is held against ratings."""

from __future__ import annotations

from annotate.models import Project
from review.captions.models import CaptionSet
from review.reports.models import Report


def store(
    project: Project, name: str, subject: str, result: dict, parameters: dict | None = None
) -> Report:
    return Report.objects.create(
        project=project,
        name=name,
        subject=subject,
        inputs_hash="0" * 64,
        inputs=1,
        code_version="1",
        parameters=parameters or {},
        result=result,
        signature=name,
    )


def overlap(project: Project, caption_set: CaptionSet, **values: float | None) -> Report:
    """What a report of overlap has that matters here."""
    result = {name: {"value": value} for name, value in values.items()}
    return store(project, "overlap", str(caption_set.pk), result)


def capst(
    project: Project,
    caption_set: CaptionSet,
    action: float,
    object_: float,
    preset: str = "default",
) -> Report:
    result = {"events": {"f1": {"value": action}}, "objects": {"f1": {"value": object_}}}
    return store(project, "capst", f"{caption_set.pk}:{preset}", result)
