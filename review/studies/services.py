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
    """Stop the study. Finished judgments count, and people can finish captions that they hold.

    Raises ReviewError if the study was stopped before.
    """
    study = Study.objects.select_for_update(of=("self",)).get(pk=study.pk)
    if study.stopped_at:
        raise ReviewError("This study is already stopped.")
    study.stopped_at = timezone.now()
    study.save(update_fields=["stopped_at"])
    # Work about an excluded video waits.
    unfinished = [WorkItem.State.OPEN, WorkItem.State.WAITING]
    items = WorkItem.objects.filter(study_captions__study=study, state__in=unfinished)
    keys = list(items.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    asked = WorkItem.objects.filter(pk__in=keys)
    # Also close items that people hold: an expired lease would offer its place to others.
    asked.update(needed=F("needed") - F("open_slots"), open_slots=0, state=WorkItem.State.CANCELLED)
    judged = Assignment.objects.filter(item=OuterRef("pk"), state=Assignment.State.SUBMITTED)
    asked.filter(Exists(judged)).update(state=WorkItem.State.DONE)
    record_event(actor=admin, verb="stop study", subject=study, project=study.project)
    return study
