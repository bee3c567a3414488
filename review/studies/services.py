"""Stopping a study, of whichever kind."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from annotate.audit import record_event
from annotate.models import Assignment, User, WorkItem
from review.errors import ReviewError
from review.studies.models import Study


@transaction.atomic
def stop_study(*, study: Study, admin: User | None) -> Study:
    """Ask nobody any more. What is judged counts, and who is at a caption may finish it.

    Raises ReviewError when the study was stopped before.
    """
    study = Study.objects.select_for_update(of=("self",)).get(pk=study.pk)
    if study.stopped_at:
        raise ReviewError("This study is already stopped.")
    study.stopped_at = timezone.now()
    study.save(update_fields=["stopped_at"])
    # Work about a video that is left out for now waits.
    unfinished = [WorkItem.State.OPEN, WorkItem.State.WAITING]
    items = WorkItem.objects.filter(study_captions__study=study, state__in=unfinished)
    keys = list(items.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    asked = WorkItem.objects.filter(pk__in=keys)
    # Close items that people hold too: an expired hold would offer its place to somebody else.
    asked.update(needed=F("needed") - F("open_slots"), open_slots=0, state=WorkItem.State.CANCELLED)
    judged = Assignment.objects.filter(item=OuterRef("pk"), state=Assignment.State.SUBMITTED)
    asked.filter(Exists(judged)).update(state=WorkItem.State.DONE)
    record_event(actor=admin, verb="stop study", subject=study, project=study.project)
    return study
