"""Views of takedowns: what was taken out of releases, and the effects."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest, member
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import back_to_list
from review.takedowns import access
from review.takedowns.forms import TakedownForm, UndoForm
from review.takedowns.pages import item_form, preview_context, takedowns_context
from review.takedowns.services import take_down, undo_takedown


@require_GET
def takedowns(request: UserRequest, slug: str) -> HttpResponse:
    context = takedowns_context(member(request, slug), request.GET)
    return render(request, "review/takedowns/takedowns.html", context)


@require_GET
def preview(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    """Show what taking a clip, its video or one of its captions down would affect."""
    membership, clip = access.clip(request, slug, clip_id)
    context = preview_context(membership, clip, item_form(clip, request.GET))
    return render(request, "review/takedowns/preview.html", context)


@require_POST
def take(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    membership, clip = access.clip(request, slug, clip_id)
    item, form = item_form(clip, request.POST), TakedownForm(request.POST)
    if not item.is_valid():
        form.add_error(None, "Choose what to take down. Nothing was changed.")
    if form.is_valid():
        with refusal_in(form):
            take_down(
                project=membership.project,
                what=item.subject.what,
                key=item.subject.key,
                reason=form.cleaned_data["reason"],
                note=form.cleaned_data["note"],
                admin=request.user,
            )
            messages.success(
                request,
                f"{item.subject.title} is taken down. Workers build the ZIPs again without it.",
            )
            return redirect("review:takedowns", slug)
    context = preview_context(membership, clip, item, form)
    return render(request, "review/takedowns/preview.html", context, status=422)


@require_POST
def undo(request: UserRequest, slug: str, takedown_id: int) -> HttpResponse:
    membership, takedown = access.takedown(request, slug, takedown_id)
    form = UndoForm(request.POST, auto_id=f"id_{takedown.pk}_%s")
    if form.is_valid():
        with refusal_shown(request):
            undo_takedown(takedown=takedown, admin=request.user)
            messages.success(request, "Undone. Releases offer it again.")
        return back_to_list(request, "review:takedowns", slug)
    if hasattr(takedown, "reinstatement"):
        messages.error(request, "This has been undone meanwhile: releases offer it again.")
    context = takedowns_context(membership, request.GET, refused=(takedown.pk, form))
    return render(request, "review/takedowns/takedowns.html", context, status=422)
