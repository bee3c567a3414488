"""The view of one clip's scores."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from annotate.corpus.access import TO_DO
from annotate.corpus.access import clip as clip_of
from inference.scores.pages import clip_scores_context


@require_GET
def clip_scores(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    membership, clip, hides_progress = clip_of(request, slug, clip_id)
    if hides_progress:
        raise PermissionDenied(TO_DO)
    context = clip_scores_context(membership, clip)
    return render(request, "inference/scores/clip_scores.html", context)
