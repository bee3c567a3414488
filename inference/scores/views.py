"""The view of one clip's scores."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from annotate.access import clip as clip_of
from inference.scores.pages import clip_scores_context


@require_GET
def clip_scores(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    membership, clip = clip_of(request, slug, clip_id)
    context = clip_scores_context(membership, clip)
    return render(request, "inference/scores/clip_scores.html", context)
