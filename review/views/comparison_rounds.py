"""Rounds of blind comparisons, for admins. What their votes say is on the page Leaderboard."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.models import Membership
from review import access
from review.comparisons.forms import RoundForm
from review.comparisons.preview import preview_round
from review.comparisons.round_page import round_context, rounds_context
from review.errors import ReviewError
from review.services.comparison_rounds import end_round, open_round


@require_GET
def comparisons(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    return render(request, "review/comparisons.html", rounds_context(membership))


@require_POST
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """What the round would ask of people; nothing is stored."""
    membership = access.admin(request, slug)
    form = RoundForm(membership.project, request.POST)
    if not form.is_valid():
        return _refused(request, membership, form)
    try:
        found = preview_round(project=membership.project, **form.to_preview)
    except ReviewError as error:
        form.add_error(None, str(error))
        return _refused(request, membership, form)
    return render(request, "review/comparisons.html", rounds_context(membership, form, found))


@require_POST
def open_for_votes(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = RoundForm(membership.project, request.POST)
    if not form.is_valid():
        return _refused(request, membership, form)
    try:
        open_round(project=membership.project, admin=request.user, **form.asked)
    except ReviewError as error:
        form.add_error(None, str(error))
        return _refused(request, membership, form)
    messages.success(request, "Open. Experts and reviewers find it under My work.")
    return redirect("review:comparisons", slug)


@require_GET
def of_round(request: HttpRequest, slug: str, round_id: int) -> HttpResponse:
    membership, round = access.administered_round(request, slug, round_id)
    return render(request, "review/comparison_round.html", round_context(membership, round))


@require_POST
def end(request: HttpRequest, slug: str, round_id: int) -> HttpResponse:
    _, round = access.administered_round(request, slug, round_id)
    try:
        end_round(round=round, admin=request.user)
    except ReviewError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Ended. Its votes count; pairs that people held are taken back.")
    return redirect("review:comparisons", slug)


def _refused(request: HttpRequest, membership: Membership, form: RoundForm) -> HttpResponse:
    context = rounds_context(membership, form)
    if context["running"] is not None:
        for text in form.non_field_errors():
            messages.error(request, text)
    return render(request, "review/comparisons.html", context, status=422)
