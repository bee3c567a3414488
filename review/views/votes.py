"""One's own votes: looked at, changed, and the names behind them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.content import read_content
from annotate.errors import AnnotateError, WorkInvalid
from review import access
from review.comparisons.votes_page import vote_context, votes_context
from review.errors import ReviewError
from review.services.voting import change_vote, show_names


# Never from a cache: going back must not offer to change a vote whose names were shown meanwhile.
@never_cache
@require_GET
def votes(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.voter(request, slug)
    context = votes_context(membership, request.GET.get("page"))
    return render(request, "review/votes.html", context)


@never_cache
@require_GET
def vote(request: HttpRequest, slug: str, matchup_id: int) -> HttpResponse:
    membership, matchup = access.own_vote(request, slug, matchup_id)
    return render(request, "review/vote.html", vote_context(membership, matchup))


@require_POST
def change(request: HttpRequest, slug: str, matchup_id: int) -> HttpResponse:
    membership, matchup = access.own_vote(request, slug, matchup_id)
    content = request.POST.dict()
    try:
        content = read_content(content)
        changed = change_vote(matchup=matchup, reviewer=request.user, content=content)
    except WorkInvalid as error:
        context = vote_context(membership, matchup, content=content, problems=error.problems)
        return render(request, "review/vote.html", context, status=422)
    except (AnnotateError, ReviewError) as error:
        context = vote_context(membership, matchup, content=content, refused=str(error))
        status = 409 if isinstance(error, ReviewError) else 422
        return render(request, "review/vote.html", context, status=status)
    messages.success(request, f"Your vote counts as: {changed.get_outcome_display()}.")
    return redirect("review:vote", slug, matchup.pk)


@require_POST
def names(request: HttpRequest, slug: str, matchup_id: int) -> HttpResponse:
    _, matchup = access.own_vote(request, slug, matchup_id)
    try:
        show_names(matchup=matchup, reviewer=request.user)
    except ReviewError as error:
        messages.error(request, str(error))
    return redirect("review:vote", slug, matchup.pk)
