"""The view of who works on what."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.queue import services as queue
from annotate.refusals import refusal_shown
from review import access
from review.activity.pages import activity_context


@require_GET
def activity(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    return render(request, "review/activity/activity.html", activity_context(membership))


@require_POST
def offer_again(request: UserRequest, slug: str, item_id: int) -> HttpResponse:
    _, item = access.work_item(request, slug, item_id)
    with refusal_shown(request):
        queue.offer_again(item_id=item.pk, admin=request.user)
        messages.success(request, f"{item.clip} is available again.")
    return redirect("review:activity", slug)
