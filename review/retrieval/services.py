"""Choose whose captions recall and ReBias count."""

from __future__ import annotations

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from review.reports.models import Report
from review.reports.services import recompute_later


@transaction.atomic
def set_recall_captions(*, project: Project, human_only: bool, admin: User | None) -> None:
    """Count human captions only, or every current caption, and recompute the numbers. Do nothing if
    the choice is unchanged.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if project.recall_by_human == human_only:
        return
    project.recall_by_human = human_only
    project.save(update_fields=["recall_by_human"])
    record_event(
        actor=admin,
        verb="choose recall captions",
        subject=project,
        project=project,
        before={"human_only": not human_only},
        after={"human_only": human_only},
    )
    for name in (Report.Name.RECALL, Report.Name.REBIAS):
        recompute_later(project.pk, name)
