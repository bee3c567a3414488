"""How far people agree: the page, and asking for its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRefresh

from annotate.models import Project
from review import access
from review.agreement.page import agreement_context, state_context
from review.models import Report
from review.services.recomputing import ask_to_recompute, recompute_later


@require_GET
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.judge(request, slug)
    context = agreement_context(membership)
    _renew(membership.project, context)
    return render(request, "review/agreement.html", context)


@require_GET
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether a worker is at it; asked for by a page that waits, which is renewed at the end."""
    membership = access.judge(request, slug)
    context = state_context(membership.project)
    request_state = context["request_state"]
    if not context["is_due"] and not (request_state and request_state.is_waiting):
        return HttpResponseClientRefresh()
    _renew(membership.project, context)
    return render(request, "review/partials/agreement_state.html", context)


@require_POST
def recompute(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    ask_to_recompute(project=membership.project, name=Report.Name.AGREEMENT, person=request.user)
    messages.info(request, "Sent to a worker.")
    return redirect("review:agreement", slug)


def _renew(project: Project, context: Mapping[str, Any]) -> None:
    """Whoever looks at old numbers has a worker renew them: not every service that stores labels
    may tell this app."""
    if context["is_due"]:
        recompute_later(project.pk, Report.Name.AGREEMENT)
