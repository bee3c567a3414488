"""Views that change many clips: choose the action, preview it, run it, undo it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.clip_changes import services
from annotate.clip_changes.access import clip_change
from annotate.clip_changes.forms import ClipChangeForm
from annotate.clip_changes.pages import change_context, made_context
from annotate.clip_changes.selection import read_selection
from annotate.models import Role
from annotate.refusals import refusal_in, refusal_shown


@require_GET
def choose(request: UserRequest, slug: str) -> HttpResponse:
    """Show the chosen clips, the actions, and the effect of the chosen one."""
    membership = access.member(request, slug, Role.ADMIN, Role.EXPERT)
    form = ClipChangeForm(request.GET, membership=membership, is_asked=False)
    context = change_context(membership, read_selection(membership, request.GET), form)
    # The list of clips links here without an action; the form on the page sends one, perhaps empty.
    status = 422 if "action" in request.GET and form.errors else 200
    return render(request, "annotate/clip_changes/choose.html", context, status=status)


@require_POST
def make(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN, Role.EXPERT)
    selection = read_selection(membership, request.POST)
    form = ClipChangeForm(request.POST, membership=membership)
    if form.is_valid():
        with refusal_in(form):
            change = services.change_clips(
                project=membership.project,
                clips=selection.keys(),
                action=form.cleaned_data["action"],
                values=form.values,
                actor=request.user,
            )
            return redirect("annotate:clip_change", slug, change.pk)
    context = change_context(membership, selection, form)
    if not selection.total:
        messages.error(request, "The chosen clips are gone meanwhile: choose others.")
    return render(request, "annotate/clip_changes/choose.html", context, status=422)


@require_GET
def made(request: UserRequest, slug: str, change_id: int) -> HttpResponse:
    membership, change = clip_change(request, slug, change_id)
    return render(request, "annotate/clip_changes/made.html", made_context(membership, change))


@require_POST
def undo(request: UserRequest, slug: str, change_id: int) -> HttpResponse:
    _, change = clip_change(request, slug, change_id, undoes=True)
    with refusal_shown(request):
        services.undo_change(change=change, actor=request.user)
    return redirect("annotate:clip_change", slug, change_id)
