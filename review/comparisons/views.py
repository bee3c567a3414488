"""The pages of a person’s own votes."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.errors import AnnotateError, WorkInvalid
from annotate.queue.content import read_content
from annotate.refusals import refusal_shown
from review.access import voter
from review.comparisons.access import own_vote
from review.comparisons.pages import vote_context, votes_context
from review.comparisons.services import change_vote, show_names
from review.errors import ReviewError


# Never from a cache: going back must not offer to change a vote whose names have been shown.
@never_cache
@require_GET
def votes(request: UserRequest, slug: str) -> HttpResponse:
    membership = voter(request, slug)
    context = votes_context(membership, request.GET.get("page"))
    return render(request, "review/comparisons/votes.html", context)


@never_cache
@require_GET
def vote(request: UserRequest, slug: str, caption_pair_id: int) -> HttpResponse:
    membership, caption_pair = own_vote(request, slug, caption_pair_id)
    return render(request, "review/comparisons/vote.html", vote_context(membership, caption_pair))


@require_POST
def change(request: UserRequest, slug: str, caption_pair_id: int) -> HttpResponse:
    membership, caption_pair = own_vote(request, slug, caption_pair_id)
    content = request.POST.dict()
    try:
        content = read_content(content)
        changed = change_vote(caption_pair=caption_pair, reviewer=request.user, content=content)
    except WorkInvalid as error:
        context = vote_context(membership, caption_pair, content=content, problems=error.problems)
        return render(request, "review/comparisons/vote.html", context, status=422)
    except (AnnotateError, ReviewError) as error:
        context = vote_context(membership, caption_pair, content=content, refused=str(error))
        status = 409 if isinstance(error, ReviewError) else 422
        return render(request, "review/comparisons/vote.html", context, status=status)
    messages.success(request, f"Your vote counts as: {changed.get_outcome_display()}.")
    return redirect("review:vote", slug, caption_pair.pk)


@require_POST
def names(request: UserRequest, slug: str, caption_pair_id: int) -> HttpResponse:
    _, caption_pair = own_vote(request, slug, caption_pair_id)
    with refusal_shown(request):
        show_names(caption_pair=caption_pair, reviewer=request.user)
    return redirect("review:vote", slug, caption_pair.pk)
