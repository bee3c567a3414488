"""Rounds of blind comparisons for admins, and a person’s own votes."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.errors import AnnotateError, Refused, WorkInvalid
from annotate.models import Membership
from annotate.queue.content import read_content
from annotate.refusals import refusal_shown
from review import access
from review.comparisons import access as comparisons_access
from review.comparisons.forms import RoundForm
from review.comparisons.pages import round_context, rounds_context
from review.comparisons.preview import preview_round
from review.comparisons.rounds import end_round, start_round
from review.comparisons.services import change_vote, show_names
from review.comparisons.votes_page import vote_context, votes_context
from review.errors import ReviewError


@require_GET
def comparisons(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    return render(request, "review/comparisons/comparisons.html", rounds_context(membership))


@require_POST
def preview(request: UserRequest, slug: str) -> HttpResponse:
    """What the round would ask of people; nothing is stored."""
    membership = access.admin(request, slug)
    form = RoundForm(membership.project, request.POST)
    if not form.is_valid():
        return _refused(request, membership, form)
    try:
        preview = preview_round(project=membership.project, **form.to_preview)
    except ReviewError as error:
        form.add_error(None, str(error))
        return _refused(request, membership, form)
    return render(
        request, "review/comparisons/comparisons.html", rounds_context(membership, form, preview)
    )


@require_POST
def open_for_votes(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = RoundForm(membership.project, request.POST)
    if not form.is_valid():
        return _refused(request, membership, form)
    try:
        start_round(project=membership.project, admin=request.user, **form.asked)
    except Refused as error:
        form.add_error(None, str(error))
        return _refused(request, membership, form)
    messages.success(request, "Opening the round. Reviewers then find it under My work.")
    return redirect("review:comparisons", slug)


@require_GET
def of_round(request: UserRequest, slug: str, round_id: int) -> HttpResponse:
    membership, round = comparisons_access.administered_round(request, slug, round_id)
    return render(
        request, "review/comparisons/comparison_round.html", round_context(membership, round)
    )


@require_POST
def end(request: UserRequest, slug: str, round_id: int) -> HttpResponse:
    _, round = comparisons_access.administered_round(request, slug, round_id)
    with refusal_shown(request):
        end_round(round=round, admin=request.user)
        messages.success(request, "Round ended. Its votes count; open pairs are released.")
    return redirect("review:comparisons", slug)


def _refused(request: UserRequest, membership: Membership, form: RoundForm) -> HttpResponse:
    context = rounds_context(membership, form)
    if context["running"] is not None:
        for text in form.non_field_errors():
            messages.error(request, str(text))
    return render(request, "review/comparisons/comparisons.html", context, status=422)


# Never from a cache: going back must not offer to change a vote whose names were shown meanwhile.
@never_cache
@require_GET
def votes(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.voter(request, slug)
    context = votes_context(membership, request.GET.get("page"))
    return render(request, "review/comparisons/votes.html", context)


@never_cache
@require_GET
def vote(request: UserRequest, slug: str, matchup_id: int) -> HttpResponse:
    membership, matchup = comparisons_access.own_vote(request, slug, matchup_id)
    return render(request, "review/comparisons/vote.html", vote_context(membership, matchup))


@require_POST
def change(request: UserRequest, slug: str, matchup_id: int) -> HttpResponse:
    membership, matchup = comparisons_access.own_vote(request, slug, matchup_id)
    content = request.POST.dict()
    try:
        content = read_content(content)
        changed = change_vote(matchup=matchup, reviewer=request.user, content=content)
    except WorkInvalid as error:
        context = vote_context(membership, matchup, content=content, problems=error.problems)
        return render(request, "review/comparisons/vote.html", context, status=422)
    except (AnnotateError, ReviewError) as error:
        context = vote_context(membership, matchup, content=content, refused=str(error))
        status = 409 if isinstance(error, ReviewError) else 422
        return render(request, "review/comparisons/vote.html", context, status=status)
    messages.success(request, f"Your vote counts as: {changed.get_outcome_display()}.")
    return redirect("review:vote", slug, matchup.pk)


@require_POST
def names(request: UserRequest, slug: str, matchup_id: int) -> HttpResponse:
    _, matchup = comparisons_access.own_vote(request, slug, matchup_id)
    with refusal_shown(request):
        show_names(matchup=matchup, reviewer=request.user)
    return redirect("review:vote", slug, matchup.pk)
