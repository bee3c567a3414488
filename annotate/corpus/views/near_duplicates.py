"""The pairs of videos that look alike, on a page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.corpus.near_duplicates import open_pairs, pair_page, settled_pairs
from annotate.corpus.services import near_duplicates as services
from annotate.models import Role
from annotate.refusals import refusal_shown
from annotate.responses import back_to_list


@require_GET
def near_duplicates(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    project = membership.project
    shows_settled = request.GET.get("state") == "settled"
    pairs = (settled_pairs if shows_settled else open_pairs)(project)
    context = {
        "membership": membership,
        "project": project,
        "shows_settled": shows_settled,
        "page": pair_page(pairs, request.GET.get("page")),
        "query": "state=settled" if shows_settled else "",
    }
    return render(request, "annotate/corpus/near_duplicates.html", context)


@require_POST
def keep_both(request: UserRequest, slug: str, pair_id: int) -> HttpResponse:
    _, pair = access.near_duplicate(request, slug, pair_id, Role.ADMIN)
    with refusal_shown(request):
        services.keep_both(pair=pair, admin=request.user)
        messages.success(request, "Both are kept. You can undo it under Settled.")
    return back_to_list(request, "annotate:near_duplicates", slug)


@require_POST
def undo_keep_both(request: UserRequest, slug: str, pair_id: int) -> HttpResponse:
    _, pair = access.near_duplicate(request, slug, pair_id, Role.ADMIN)
    with refusal_shown(request):
        services.undo_keep_both(pair=pair, admin=request.user)
        messages.success(request, "The pair is open again.")
    return back_to_list(request, "annotate:near_duplicates", slug)
