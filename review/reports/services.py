"""Numbers that follow the stored labels: computed anew when these have changed."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial

from django.db import OperationalError, transaction
from django.utils import timezone

from annotate.models import Project, User
from annotate.services.audit import record_event
from review.errors import ReviewError
from review.reports.inputs import Inputs, signature
from review.reports.models import DueReport, Report
from review.reports.queries import ASKED, RECOMPUTED
from review.reports.registry import REPORTS
from review.reports.tasks import recompute as recompute_task

# What changes within these seconds is computed at once.
QUIET_SECONDS = 3
# Longer than a worker computes, as a rule: a message that comes twice does no harm but work.
LOST = timedelta(minutes=5)


def recompute(*, project: Project, name: str, asked: bool = False) -> list[Report]:
    """The reports of this name in force, computed anew where a label, a parameter or the code has
    changed; the others stay as they are. `asked`: a person wants it, who may have mended what a
    report names in the place of numbers, such as a model that could not be loaded.

    Safe to repeat. Raises ReviewError for a name that there is not.
    """
    if name not in REPORTS:
        raise ReviewError(f"There is no report “{name}”; choose from {', '.join(REPORTS)}.")
    newest = Report.objects.newest(project, name).defer("result")
    before = {report.subject: report for report in newest}
    reports = []
    for inputs in REPORTS[name].inputs(project):
        report = before.get(inputs.subject)
        if not report or report.inputs_hash != inputs.hash or (asked and "mend" in report.result):
            made = _compute(project, name, inputs)
            if _was_overtaken(made, report):
                return recompute(project=project, name=name)
            report = made
        reports.append(report)
    return reports


def _compute(project: Project, name: str, inputs: Inputs) -> Report:
    result = inputs.compute()
    try:
        json.dumps(result, allow_nan=False)
    except ValueError as error:
        raise ReviewError(
            f"The report “{name}” came out with a number that is none, so it was not stored. This "
            "is a fault of Vericap, not of your labels: please report it."
        ) from error
    return Report.objects.create(
        project=project,
        name=name,
        subject=inputs.subject,
        parameters=inputs.parameters,
        inputs_hash=inputs.hash,
        inputs=inputs.count,
        seed=inputs.seed,
        code_version=inputs.method,
        result=result,
        signature=signature(project, name, inputs),
    )


def _was_overtaken(made: Report, before: Report | None) -> bool:
    """Whether somebody else stored one while this was computed, maybe of newer labels."""
    others = Report.objects.filter(project=made.project, name=made.name, subject=made.subject)
    return others.filter(pk__gt=before.pk if before else 0, pk__lt=made.pk).exists()


def recompute_later(project_id: int, name: str) -> None:
    """Have a worker do it soon after this transaction is committed, once for all the changes until
    it has done so.

    Robust: what a lost message leaves undone is done with a later one, or on demand.
    """
    transaction.on_commit(partial(_ask_worker, project_id, name), robust=True)


def _ask_worker(project_id: int, name: str) -> None:
    """Asked after the commit: whoever finds it due is followed by a look at what was committed."""
    due, is_new = DueReport.objects.get_or_create(project_id=project_id, name=name)
    if is_new:
        recompute_task.apply_async((project_id, name), countdown=QUIET_SECONDS)
    elif timezone.now() - due.asked_at > LOST:
        _ask_again(due)


def _ask_again(due: DueReport) -> None:
    DueReport.objects.filter(pk=due.pk).update(asked_at=timezone.now())
    recompute_task.delay(due.project_id, due.name)


def recompute_due(*, project: Project, name: str) -> None:
    """What a worker does about `recompute_later`. Safe to repeat.

    The report is due until it is there: pages wait for it, and no second worker begins. What
    changes meanwhile finds it due and asks for nothing, so there is another look at the end.
    """
    try:
        recompute(project=project, name=name)
    finally:
        DueReport.objects.filter(project=project, name=name).delete()
    recompute(project=project, name=name)
    _ask_followers(project, name)


def requeue_reports() -> int:
    """Ask again for the reports whose message was lost, and say how many."""
    lost = list(DueReport.objects.filter(asked_at__lt=timezone.now() - LOST))
    for due in lost:
        _ask_again(due)
    return len(lost)


@transaction.atomic
def ask_to_recompute(*, project: Project, name: str, person: User) -> None:
    """Have a worker compute the reports of this name anew where anything has changed.
    `review.reports.queries.last_request` tells what becomes of it."""
    record_event(actor=person, verb=ASKED, subject=project, project=project, after={"report": name})
    transaction.on_commit(partial(recompute_task.delay, project.pk, name, asked=True), robust=True)


def recompute_as_asked(*, project: Project, name: str) -> None:
    """What a worker does about `ask_to_recompute`. Safe to repeat."""
    began = timezone.now()
    try:
        reports = recompute(project=project, name=name, asked=True)
    except OperationalError:
        raise  # it is tried again
    except Exception as error:
        # Whatever it was, whoever asked is told; the worker's log has the rest.
        _answer(project, name, error=str(error) or type(error).__name__)
        raise
    made = sum(report.created_at >= began for report in reports)
    _answer(project, name, reports=len(reports), made=made)
    _ask_followers(project, name)


def _ask_followers(project: Project, name: str) -> None:
    """Have the reports follow that are computed from others of this name."""
    for kind in REPORTS.values():
        if name in kind.follows:
            recompute_later(project.pk, kind.name)


def _answer(project: Project, name: str, **outcome: int | str) -> None:
    after = {"report": name, **outcome}
    record_event(actor=None, verb=RECOMPUTED, subject=project, project=project, after=after)
