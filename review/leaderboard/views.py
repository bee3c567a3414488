"""The view of a round's votes that don't count. Report pages have their own views."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from review.comparisons import access as comparisons_access
from review.leaderboard.filtered import WhyForm, filtered_context


@require_GET
def filtered(request: UserRequest, slug: str, round_id: int) -> HttpResponse:
    membership, round = comparisons_access.comparison_round(request, slug, round_id)
    context = filtered_context(membership, round, WhyForm(request.GET), request.GET.get("page"))
    return render(request, "review/leaderboard/filtered.html", context)
