"""A writer's own texts and how they were used. Only the writer sees these pages."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest, member
from review.coach.pages import text_context, texts_context
from review.coach.queries import own_texts as texts_of


@require_GET
def own_texts(request: UserRequest, slug: str) -> HttpResponse:
    return render(request, "review/coach/own_texts.html", texts_context(member(request, slug)))


@require_GET
def own_text(request: UserRequest, slug: str, assignment_id: int) -> HttpResponse:
    membership = member(request, slug)
    text = next(iter(texts_of(membership, assignment=assignment_id)), None)
    if text is None:
        raise Http404("You have no such merged text.")
    return render(request, "review/coach/own_text.html", text_context(membership, text))
