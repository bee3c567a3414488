"""The views of every page of reports: show it, answer it while it waits, recompute, download."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.responses import back_to_list, file_to_save
from review.reports.page import AnyPage
from review.reports.results import OldResult
from review.reports.sections import sections_of
from review.reports.services import ask_to_recompute

OLD_RESULT = "review/reports/old_result.html"


@require_GET
def show(request: UserRequest, slug: str, page: AnyPage, subject: str = "") -> HttpResponse:
    membership = page.reader(request, slug)
    about = page.find(membership, subject)
    try:
        context = page.context(membership, request.GET, about)
    except OldResult as error:
        return render(request, OLD_RESULT, page.old_context(membership, about, str(error)))
    page.follow(membership.project, context["state"])
    context |= page.menu(membership, request)
    context["added"] = sections_of(page.key, membership, request.GET, context)
    return render(request, page.template, context, status=page.status(context))


@require_GET
def live(request: UserRequest, slug: str, page: AnyPage, subject: str = "") -> HttpResponse:
    membership = page.reader(request, slug)
    return page.live(request, membership, page.find(membership, subject))


@require_POST
def recompute(request: UserRequest, slug: str, page: AnyPage, subject: str = "") -> HttpResponse:
    """Let a worker recompute: it can take minutes, and no web process loads a model."""
    membership = page.recomputer(request, slug)
    report = page.find(membership, subject)
    for name in page.recomputed(report):
        ask_to_recompute(project=membership.project, name=name, person=request.user)
    messages.info(request, "A worker is computing the numbers.")
    return back_to_list(request, "review:report_page", *page.address(membership.project, report))


@require_GET
def download(
    request: UserRequest, slug: str, page: AnyPage, file: str, subject: str = ""
) -> HttpResponseBase:
    membership = page.reader(request, slug)
    made = page.file(membership, request.GET, page.find(membership, subject), file)
    return file_to_save(made.content, made.name)
