"""The board of a project, and its part that refreshes itself."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from review import access
from review.overview.counts import count_again, counts_for_page
from review.overview.pages import board_context, page_context


@require_GET
def overview(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    counted = (count_again if "count" in request.GET else counts_for_page)(membership.project)
    return render(request, "review/overview/overview.html", page_context(membership, counted))


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    """Return only the board, with new counts."""
    membership = access.reviewer(request, slug)
    counted = count_again(membership.project)
    return render(request, "review/overview/board.html", board_context(membership, counted))
