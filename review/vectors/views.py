"""Files of vectors: written by a worker, then downloaded."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from annotate.access import UserRequest
from annotate.jobs.parameters import read_parameters
from annotate.jobs.workers import last_beats
from annotate.models.jobs import Job
from annotate.refusals import refusal_shown
from annotate.sending import send_stored
from review import access
from review.vectors.forms import VectorsForm
from review.vectors.queries import (
    WRITE_VECTORS,
    VectorParameters,
    is_there,
    vector_file_name,
    vector_jobs,
)
from review.vectors.services import start_vector_file


@require_http_methods(["GET", "POST"])
def vectors(request: UserRequest, slug: str) -> HttpResponse:
    """Show the files; have another one written."""
    membership = access.admin(request, slug)
    project = membership.project
    form = VectorsForm(project, request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusal_shown(request):
            start_vector_file(project=project, admin=request.user, **form.cleaned_data)
        return redirect("review:vectors", slug)
    jobs = vector_jobs(project)
    active = next((job for job, _ in jobs if job.is_active), None)
    context = {
        "project": project,
        "membership": membership,
        "form": form,
        "jobs": jobs,
        "is_writing": active is not None,
        "silence": last_beats().silence_in(active.queue) if active else None,
    }
    status = 422 if form.errors else 200
    return render(request, "review/vectors/vectors.html", context, status=status)


@require_GET
def download(request: UserRequest, slug: str, vectors_id: int) -> HttpResponseBase:
    membership = access.admin(request, slug)
    job = get_object_or_404(Job, project=membership.project, kind=WRITE_VECTORS, pk=vectors_id)
    if not is_there(job):
        messages.info(request, "This file is no longer there. Have it written again.")
        return redirect("review:vectors", slug)
    response = send_stored(
        request, vector_file_name(job), "application/octet-stream", f'"vectors-{job.pk}"'
    )
    written = read_parameters(job, VectorParameters)
    name = f"{slug}-{written.source.partition(':')[0]}-{job.pk}.{written.format}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
