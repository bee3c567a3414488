"""How far people agree: the page, and asking for its numbers."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.models import Project
from review import access
from review.agreement.pages import agreement_context, agreement_state
from review.reports.models import Report
from review.reports.services import ask_to_recompute, recompute_later
from review.reports.state import ReportState
from review.reports.views import state_response


@require_GET
def agreement(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    context = agreement_context(membership)
    _renew(membership.project, context["state"])
    return render(request, "review/agreement/agreement.html", context)


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    project = access.reviewer(request, slug).project
    state = agreement_state(project)
    _renew(project, state)
    return state_response(request, state)


@require_POST
def recompute(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    ask_to_recompute(project=membership.project, name=Report.Name.AGREEMENT, person=request.user)
    messages.info(request, "A worker is computing the numbers.")
    return redirect("review:agreement", slug)


def _renew(project: Project, state: ReportState) -> None:
    """Whoever looks at old numbers has a worker renew them: not every service that stores labels
    may tell this app."""
    if state.due:
        recompute_later(project.pk, Report.Name.AGREEMENT)
