"""The titles of subjects that a report's own parameters name."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.models import Project
from review.reports.models import Report
from review.reports.results import parameters_of


@dataclass(frozen=True)
class Names:
    """What a report can be about: a model, the model that others are compared with, a set of
    captions, or who found the objects.
    """

    model: str = ""
    baseline: str = ""
    captions: str = ""
    extractor: str = ""


def named_subject(project: Project, report: Report) -> str:
    """Return the name among the report's parameters; "" without a name."""
    names = parameters_of(report, Names)
    return names.model or names.baseline or names.captions or names.extractor
