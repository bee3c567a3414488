"""Every stored number of a project's models, of a release's, and any report by itself."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.models import Project
from review import access
from review.frozen import access as frozen_access
from review.frozen.models import Release
from review.reports import access as reports_access
from review.reports.forms import MetricsForm
from review.reports.services import ask_to_recompute
from review.reports.small_samples import few_clips_of
from review.reports.views import state_response
from review.summary.files import FORMATS, file_name, file_of
from review.summary.pages import NAMES, choose, metrics_context, metrics_state, sections_of
from review.summary.report_page import report_context, report_json, report_state


@require_GET
def metrics(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    context = metrics_context(membership, None, MetricsForm(request.GET))
    return render(request, "review/summary/metrics.html", context)


@require_GET
def of_release(request: UserRequest, slug: str, version: str) -> HttpResponse:
    membership, release = frozen_access.judged_release(request, slug, version)
    context = metrics_context(membership, release, MetricsForm(request.GET))
    return render(request, "review/summary/metrics.html", context)


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    return state_response(request, metrics_state(access.reviewer(request, slug).project))


@require_POST
def recompute(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    for name in NAMES:
        ask_to_recompute(project=membership.project, name=name, person=request.user)
    messages.info(request, "A worker is computing the numbers.")
    return redirect("review:metrics", slug)


@require_GET
def section_file(request: UserRequest, slug: str, section_key: str, ending: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    return _section_file(request, membership.project, None, section_key, ending)


@require_GET
def release_section_file(
    request: UserRequest, slug: str, version: str, section_key: str, ending: str
) -> HttpResponse:
    membership, release = frozen_access.judged_release(request, slug, version)
    return _section_file(request, membership.project, release, section_key, ending)


@require_GET
def report(request: UserRequest, slug: str, report_id: int) -> HttpResponse:
    membership, found = reports_access.any_report(request, slug, report_id)
    context = report_context(membership, found) | {"warning": few_clips_of(found)}
    return render(request, "review/summary/report.html", context)


@require_GET
def report_live(request: UserRequest, slug: str, report_id: int) -> HttpResponse:
    membership, found = reports_access.any_report(request, slug, report_id)
    return state_response(request, report_state(membership.project, found))


@require_GET
def report_file(request: UserRequest, slug: str, report_id: int) -> HttpResponse:
    membership, found = reports_access.any_report(request, slug, report_id)
    name = f"{slug}-{found.name}-report-{found.pk}.json"
    return _file(report_json(membership.project, found), FORMATS["json"], name)


@require_POST
def recompute_report(request: UserRequest, slug: str, report_id: int) -> HttpResponse:
    membership, found = reports_access.any_report(request, slug, report_id)
    ask_to_recompute(project=membership.project, name=found.name, person=request.user)
    messages.info(request, "A worker is computing the numbers.")
    return redirect("review:report", slug, found.pk)


def _section_file(
    request: UserRequest, project: Project, release: Release | None, key: str, ending: str
) -> HttpResponse:
    form = MetricsForm(request.GET)
    sections = {
        one.key: one for _, one in sections_of(project, choose(project, release, form), form)
    }
    if key not in sections or ending not in FORMATS:
        raise Http404("There are no such numbers.")
    section = sections[key]
    name = file_name(project, release, section, ending, timezone.localdate())
    return _file(file_of(project, release, section, ending), FORMATS[ending], name)


def _file(text: str, content_type: str, name: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(
        text,
        content_type=f"{content_type}; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )
