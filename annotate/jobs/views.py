"""Views of all jobs, of one job, and of an admin's actions on it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.jobs.file_imports import faults_csv, import_of
from annotate.jobs.pages import COLUMNS, job_page, jobs_page
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.queueing import requeue_jobs
from annotate.lists.pages import list_menu
from annotate.models import Membership, Role
from annotate.models.jobs import Job
from annotate.refusals import refusal_shown
from annotate.responses import file_to_save
from annotate.text.storable import storable


@require_GET
def jobs(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    return render(request, "annotate/jobs/jobs.html", _jobs_context(request, membership))


@require_GET
def jobs_live(request: UserRequest, slug: str) -> HttpResponse:
    """Return only the list, which the page polls while a job is in progress."""
    membership = access.member(request, slug, Role.ADMIN)
    context = _jobs_context(request, membership)
    return render(request, "annotate/jobs/job_rows.html", context)


@require_GET
def job(request: UserRequest, slug: str, job_id: int) -> HttpResponse:
    membership, job = access.job(request, slug, job_id)
    context = _job_context(request, membership, job)
    return render(request, "annotate/jobs/job.html", context)


@require_GET
def job_live(request: UserRequest, slug: str, job_id: int) -> HttpResponse:
    """Return the changing parts of the job's page, which it polls while in progress."""
    membership, job = access.job(request, slug, job_id)
    context = _job_context(request, membership, job) | {"apart": True}
    return render(request, "annotate/jobs/job_live.html", context)


@require_GET
def import_state(request: UserRequest, slug: str, job_id: int) -> HttpResponse:
    """Return the state of an import, which its form's page polls. When the import has ended, the
    page reloads its lists.
    """
    membership, job = access.job(request, slug, job_id)
    context = {"project": membership.project, "last_import": import_of(job), "is_polled": True}
    return render(request, "annotate/jobs/import_state.html", context)


@require_GET
def import_faults(request: UserRequest, slug: str, job_id: int) -> HttpResponseBase:
    """Return what must be fixed in the file of an import, as CSV."""
    _, job = access.job(request, slug, job_id)
    return file_to_save(faults_csv(import_of(job).faults), "errors.csv")


@require_POST
def cancel(request: UserRequest, slug: str, job_id: int) -> HttpResponse:
    _, job = access.job(request, slug, job_id)
    with refusal_shown(request):
        left_out = cancel_job(job=job, admin=request.user)
        messages.success(request, f"Canceled. {left_out:,} left out; what was done stays.")
    return redirect("annotate:job", slug, job_id)


@require_POST
def retry(request: UserRequest, slug: str, job_id: int) -> HttpResponse:
    """Resume the job and retry failed items; with `code`, only those with this reason."""
    _, job = access.job(request, slug, job_id)
    code = storable(request.POST.get("code", ""))
    with refusal_shown(request):
        again = retry_job(job=job, admin=request.user, code=code)
        messages.success(request, f"Retrying {again:,}." if again else "Resumed.")
    return redirect("annotate:job", slug, job_id)


@require_POST
def requeue(request: UserRequest, slug: str, job_id: int) -> HttpResponse:
    _, job = access.job(request, slug, job_id)
    if requeue_jobs(job=job).jobs:
        messages.success(request, "The job was queued again.")
    else:
        messages.info(request, "A worker is processing it, or it has ended. Nothing was changed.")
    return redirect("annotate:job", slug, job_id)


def _jobs_context(request: UserRequest, membership: Membership) -> dict[str, object]:
    jobs = jobs_page(
        membership.project,
        request.GET.get("show", ""),
        request.GET.get("kind", ""),
        request.GET.get("page"),
    )
    context: dict[str, object] = {
        "membership": membership,
        "project": membership.project,
        "jobs": jobs,
    }
    return context | list_menu(membership, "jobs", request, columns=COLUMNS)


def _job_context(request: UserRequest, membership: Membership, job: Job) -> dict[str, object]:
    page = job_page(membership, job, request.GET.get("state", ""), request.GET.get("page"))
    return {"membership": membership, "project": membership.project, "job_page": page}
