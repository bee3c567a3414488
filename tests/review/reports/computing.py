"""Workers that compute reports, and the messages that they are sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotate.jobs.services.working import work_on
from annotate.models import Project, User
from annotate.models.jobs import ACTIVE, Job
from review.reports.queries import COMPUTE_REPORTS, Request, last_requests
from review.reports.services import ask_to_recompute, recompute_later
from tests.cast import make_person
from tests.worker_messages import hand_messages


def last_request(project: Project, name: str) -> Request | None:
    return last_requests(project, [name]).get(name)


def report_jobs(project: Project, *names: str) -> list[Job]:
    """The active jobs that compute reports, of these names or all, oldest first."""
    jobs = Job.objects.filter(project=project, kind=COMPUTE_REPORTS, state__in=ACTIVE)
    return list((jobs.filter(lane__in=names) if names else jobs).order_by("pk"))


def due_reports(project: Project) -> list[str]:
    """What workers have to compute, in the order in which it was asked for."""
    return [job.lane for job in report_jobs(project)]


def work_on_report(project: Project, name: str) -> Job:
    """Let a worker do the active job of this report."""
    [job] = report_jobs(project, name)
    work_on(job_id=job.pk)
    job.refresh_from_db()
    return job


def compute_as_asked(project: Project, name: str) -> Job:
    """Let a worker compute the report for a person, who asks for it unless somebody has."""
    if not report_jobs(project, name):
        ask_to_recompute(project=project, name=name, person=_somebody(project))
    return work_on_report(project, name)


def compute_due(project: Project, name: str, commit: Callable[..., object]) -> Job:
    """Let a worker follow changed labels. `commit`: django_capture_on_commit_callbacks."""
    if not report_jobs(project, name):
        with commit(execute=True):
            recompute_later(project.pk, name)
    with commit(execute=True):
        return work_on_report(project, name)


def messages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Send workers no message, and collect the reports that the messages are about."""
    lanes: list[str] = []

    def send(*, args: tuple[int], queue: str, countdown: float) -> None:
        job = Job.objects.get(pk=args[0])
        if job.kind == COMPUTE_REPORTS:
            lanes.append(job.lane)

    hand_messages(monkeypatch, send)
    return lanes


def failed_job(project: Project, name: str, reason: str) -> Job:
    """A report that somebody asked for and that failed."""
    ask_to_recompute(project=project, name=name, person=_somebody(project))
    [job] = report_jobs(project, name)
    now = job.created_at
    Job.objects.filter(pk=job.pk).update(state="failed", reason=reason, finished_at=now)
    return job


def _somebody(project: Project) -> User:
    person = User.objects.filter(name="Asks").first()
    return person or make_person("Asks", project, "reviewer")
