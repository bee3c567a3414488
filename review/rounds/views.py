"""The pages of rounds of blind comparisons, for admins."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.models import Membership
from annotate.refusals import refusal_in, refusal_shown
from review.access import admin
from review.comparisons.access import administered_round
from review.rounds.forms import RoundForm
from review.rounds.pages import preview_round, round_context, rounds_context
from review.rounds.services import end_round, start_round


@require_GET
def comparisons(request: UserRequest, slug: str) -> HttpResponse:
    membership = admin(request, slug)
    return render(request, "review/rounds/comparisons.html", rounds_context(membership))


@require_POST
def preview(request: UserRequest, slug: str) -> HttpResponse:
    """Preview the round; nothing is stored."""
    membership = admin(request, slug)
    form = RoundForm(membership.project, request.POST)
    if form.is_valid():
        with refusal_in(form):
            preview = preview_round(project=membership.project, **form.to_preview)
            return render(
                request, "review/rounds/comparisons.html", rounds_context(membership, form, preview)
            )
    return _refused(request, membership, form)


@require_POST
def open_for_votes(request: UserRequest, slug: str) -> HttpResponse:
    membership = admin(request, slug)
    form = RoundForm(membership.project, request.POST)
    if form.is_valid():
        with refusal_in(form):
            start_round(project=membership.project, admin=request.user, **form.asked)
            messages.success(request, "Opening the round. Reviewers then find it under My work.")
            return redirect("review:comparisons", slug)
    return _refused(request, membership, form)


@require_GET
def of_round(request: UserRequest, slug: str, round_id: int) -> HttpResponse:
    membership, round = administered_round(request, slug, round_id)
    return render(request, "review/rounds/comparison_round.html", round_context(membership, round))


@require_POST
def end(request: UserRequest, slug: str, round_id: int) -> HttpResponse:
    _, round = administered_round(request, slug, round_id)
    with refusal_shown(request):
        end_round(round=round, admin=request.user)
        messages.success(request, "Round ended. Its votes count; open pairs are released.")
    return redirect("review:comparisons", slug)


def _refused(request: UserRequest, membership: Membership, form: RoundForm) -> HttpResponse:
    context = rounds_context(membership, form)
    if changed := _what_changed(context):
        messages.error(request, changed)
    return render(request, "review/rounds/comparisons.html", context, status=422)


def _what_changed(context: dict[str, Any]) -> str:
    """Return why the page no longer has the form and what to do; empty if it has it."""
    if context["running"] is not None:
        return "A round has been opened meanwhile: let people finish it, or end it first."
    if context["opening"] and context["opening"].is_active:
        return "A round is being opened meanwhile: wait until it is open."
    if not context["can_open"]:
        return "Fewer than two models are offered now: offer their captions again first."
    return ""
