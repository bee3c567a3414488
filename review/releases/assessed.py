"""What people judged (LoVR, appendix B), frozen with a release."""

from __future__ import annotations

from annotate.models import Project
from review.assessment.files import NAMES, file_text, made_of, newest_assessment
from review.reports.models import Report
from review.reports.services import recompute


def assess_people(project: Project) -> None:
    """Compute the table, if anything has changed. Call it outside any transaction, because it
    takes seconds where people have judged much."""
    if project.protocol == Project.Protocol.LOVR:
        recompute(project=project, name=Report.Name.ASSESSMENT)


def frozen_files(project: Project) -> dict[str, str] | None:
    """Return the files of the newest table; None without one. They are stored as texts, so that
    they stay the same whatever a later version computes."""
    report = newest_assessment(project)
    if report is None:
        return None
    made = made_of(project, report)
    return {name: file_text(name, made) for name in NAMES}
