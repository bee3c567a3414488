"""Automatic metrics against people's ratings, over the models of a round."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from review import access
from review.comparisons import access as comparisons_access
from review.leaderboard.correlation_page import RatingForm, correlation_context, correlation_state
from review.reports.models import Report
from review.reports.services import ask_to_recompute
from review.reports.views import state_response


@require_GET
def correlation(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    context = correlation_context(membership, None, RatingForm(request.GET))
    return render(request, "review/leaderboard/correlation.html", context)


@require_GET
def of_round(request: UserRequest, slug: str, round_id: int) -> HttpResponse:
    membership, round = comparisons_access.comparison_round(request, slug, round_id)
    context = correlation_context(membership, round, RatingForm(request.GET))
    return render(request, "review/leaderboard/correlation.html", context)


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    return state_response(request, correlation_state(access.reviewer(request, slug).project))


@require_POST
def recompute(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    ask_to_recompute(project=membership.project, name=Report.Name.CORRELATION, person=request.user)
    messages.info(request, "A worker is computing the numbers.")
    return redirect("review:correlation", slug)
