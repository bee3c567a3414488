"""Compute reports from the stored labels, and again when these have changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.jobs.services.queueing import nudge
from annotate.jobs.services.starting import JobInProgress, start_job
from annotate.models import Project, User
from annotate.models.jobs import ACTIVE, Job
from annotate.programs import follows_programs
from review.errors import ReviewError
from review.reports.inputs import Inputs, signature
from review.reports.models import Report
from review.reports.queries import COMPUTE_REPORTS, LABELS, ComputeParameters, follow_up_of
from review.reports.registry import REPORTS, UnknownReport, kind_of
from review.reports.results import Mend, as_json, is_readable, result_of

# One job covers all changes within this many seconds.
QUIET_SECONDS = 3
# Longer than a worker usually takes; a repeated message only costs work.
LOST = timedelta(minutes=5)


def recompute(
    *,
    project: Project,
    name: str,
    asked: bool = False,
    saving: Callable[[], AbstractContextManager[None]] = transaction.atomic,
) -> list[Report]:
    """Return the current reports of this name, recomputed if a label, a parameter or the code has
    changed. `asked`: a person requested it, who can have fixed the obstacle that a report names,
    such as a model that could not be loaded. `saving`: the transaction that stores one.

    Safe to repeat. Raises ReviewError for an unknown name.
    """
    try:
        kind = kind_of(name)
    except UnknownReport as error:
        raise ReviewError(str(error)) from error
    newest = Report.objects.newest(project, name).defer("result")
    before = {report.subject: report for report in newest}
    reports = []
    for inputs in kind.inputs_of(project):
        report = before.get(inputs.subject)
        if not report or report.inputs_hash != inputs.hash or (asked and _may_differ(report)):
            made = _compute(project, name, inputs, saving)
            if _was_superseded(made, report):
                return recompute(project=project, name=name, saving=saving)
            report = made
        reports.append(report)
    return reports


def _compute(
    project: Project,
    name: str,
    inputs: Inputs,
    saving: Callable[[], AbstractContextManager[None]],
) -> Report:
    result = as_json(inputs.compute())
    try:
        json.dumps(result, allow_nan=False)
    except ValueError as error:
        raise ReviewError(
            f"The report “{name}” contains a value that is not a number, so it was not stored. "
            f"This is a bug in Vericap, not in your labels. Please report it."
        ) from error
    with saving():
        report = Report.objects.create(
            project=project,
            name=name,
            subject=inputs.subject,
            parameters=inputs.stored_parameters,
            inputs_hash=inputs.hash,
            inputs=inputs.count,
            seed=inputs.seed,
            code_version=inputs.method,
            result=result,
            signature=signature(project, name, inputs),
        )
        if inputs.keep:
            inputs.keep(report)
        return report


def _may_differ(report: Report) -> bool:
    """Return whether the same inputs can give another report: the stored one waits for a person's
    fix, or an earlier version stored it in another shape."""
    kind = kind_of(report.name).result_of(report.subject)
    return not is_readable(report, kind) or bool(result_of(report, Mend).mend)


def _was_superseded(made: Report, before: Report | None) -> bool:
    """Return whether somebody else stored a report during the computation, perhaps of newer
    labels.
    """
    others = Report.objects.filter(project=made.project, name=made.name, subject=made.subject)
    return others.filter(pk__gt=before.pk if before else 0, pk__lt=made.pk).exists()


def recompute_later(project_id: int, name: str) -> None:
    """Have a worker do it soon after this transaction is committed, once for all the changes until
    then.

    Robust: an error here costs the person who changes a label nothing, and the next change asks
    again.
    """
    transaction.on_commit(partial(_request, project_id, name), robust=True)


@follows_programs
def recompute_of_people(project: Project) -> None:
    """Have a worker compute the reports about what people judged, as far as there are any."""
    names = Report.objects.filter(project=project).order_by().values_list("name", flat=True)
    for name in names.distinct():
        if name in REPORTS and REPORTS[name].of_people:
            recompute_later(project.pk, name)


@transaction.atomic
def ask_to_recompute(*, project: Project, name: str, person: User) -> None:
    """Let a worker recompute the reports of this name if anything has changed.
    `review.reports.queries.last_requests` returns the outcome."""
    request = {"report": name}
    record_event(
        actor=person, verb="ask to recompute", subject=project, project=project, after=request
    )
    _request(project.pk, name, person.pk)


@transaction.atomic
def _request(project_id: int, name: str, person_id: int | None = None) -> None:
    """Start a job, unless one of this name is active: then request a further one if the active one
    has already read the labels."""
    while not _note_follow_up(project_id, name, person_id):
        job = Job(
            project_id=project_id,
            kind=COMPUTE_REPORTS,
            lane=name,
            title=kind_of(name).title,
            parameters=as_json(ComputeParameters()),
            created_by_id=person_id,
        )
        try:
            start_job(job, seconds=0 if person_id else QUIET_SECONDS)
        except JobInProgress:  # somebody else was faster
            continue
        return


def _note_follow_up(project_id: int, name: str, person_id: int | None) -> bool:
    """Note in the active job of this name that there was a change or a request after it began.
    Return False if no job is active."""
    active = Job.objects.select_for_update(no_key=True).filter(
        project=project_id, kind=COMPUTE_REPORTS, lane=name, state__in=ACTIVE
    )
    job = active.first()
    if job is None:
        return False
    now = timezone.now()
    noted = follow_up_of(job)
    job.parameters = as_json(ComputeParameters(person_id or noted or LABELS))
    job.save(update_fields=["parameters"])
    if job.queued_at < now - LOST and (job.state == Job.State.WAITING):
        nudge(job)
    return True


@transaction.atomic
def begin(job: Job) -> bool:
    """Clear the requests so far, since the labels are read from now on. Return whether a person
    asked."""
    locked = Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    person_id = follow_up_of(locked)
    locked.parameters = as_json(ComputeParameters())
    locked.created_by_id = locked.created_by_id or person_id or None
    locked.save(update_fields=["parameters", "created_by"])
    return locked.created_by_id is not None


def follow_up(job: Job) -> None:
    """Start what follows an ended job: the same report again if labels have changed in the
    meantime, and reports computed from its reports. Call it in the transaction that ends the job.
    """
    _forget_earlier(job)
    person_id = follow_up_of(job)
    if person_id is not None and job.state != Job.State.CANCELLED:
        _request(job.project_id, job.lane, person_id or None)
    if job.state == Job.State.DONE:
        for kind in REPORTS.values():
            if job.lane in kind.follows:
                recompute_later(job.project_id, kind.name)


def _forget_earlier(job: Job) -> None:
    """Delete all automatic jobs but the newest; every label starts one."""
    jobs = Job.objects.filter(project=job.project_id, kind=COMPUTE_REPORTS, lane=job.lane)
    jobs.filter(pk__lt=job.pk, created_by=None).exclude(state__in=ACTIVE).delete()
