"""Choose whose captions recall and ReBias count; keep the ranks of queries beside a report."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from review.reports.models import Report
from review.reports.services import recompute_later
from review.retrieval import NAME, REBIAS_NAME
from review.retrieval.models import RecallRanking


@transaction.atomic
def set_recall_captions(*, project: Project, human_only: bool, admin: User | None) -> None:
    """Count human captions only, or every current caption, and recompute the numbers. Do nothing if
    the choice is unchanged.
    """
    project = Project.objects.lock(project.pk)
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
    for name in (NAME, REBIAS_NAME):
        recompute_later(project.pk, name)


def keep_rankings(*, report: Report, rankings: Sequence[RecallRanking]) -> None:
    """Store the report's rankings, and delete those of superseded reports, which would pile up.
    Call it in the transaction that stores the report.
    """
    superseded = Report.objects.filter(
        project=report.project_id, name=report.name, subject=report.subject, pk__lt=report.pk
    )
    RecallRanking.objects.filter(report__in=superseded).delete()
    for ranking in rankings:
        ranking.report = report
    RecallRanking.objects.bulk_create(rankings)
