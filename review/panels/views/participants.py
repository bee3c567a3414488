"""The pages of people who join by the link of a panel."""

from __future__ import annotations

from typing import Any

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.errors import AnnotateError
from annotate.models import User
from review.panels import access as panel_access
from review.panels.forms import JoinPanelForm
from review.panels.joining import PanelClosed, join_panel, next_step, open_link
from review.panels.models import Panel
from review.panels.pages import join_context, own_context

JOIN = "review/panels/join.html"
# Limited per network address, as allauth limits sign-in.
JOINING = "join_panel"
LIMITS = {JOINING: "30/m/ip,120/h/ip"}


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of the link. `PROLIFIC_PID` and so on, as the panel names them, say who comes
    from which study and session.
    """
    try:
        panel, signed_id = open_link(token)
    except PanelClosed as error:
        # Limits guesses of links like guesses of passwords.
        return _limited(request) or _closed(request, str(error), status=410)
    if request.user.is_authenticated and not request.user.is_participant:
        reason = f"You are signed in as {request.user}. Sign out, then open the link again."
        return _closed(request, reason, status=409)
    ids = _ids_of_link(request, panel)
    ids["external_id"] = signed_id or ids["external_id"]
    if request.method == "GET":
        form = JoinPanelForm(initial=ids)
        return render(request, JOIN, join_context(panel, form, has_id=bool(ids["external_id"])))
    if refused := _limited(request):
        return refused
    form = JoinPanelForm(request.POST)
    refusal = ""
    if form.is_valid():
        try:
            visitor = request.user if isinstance(request.user, User) else None
            participant = join_panel(token=token, visitor=visitor, **form.cleaned_data)
        except PanelClosed as error:
            return _closed(request, str(error), status=409)
        except AnnotateError as error:
            refusal = str(error)
        else:
            login(request, participant.person)
            return redirect("review:own_panel", panel.project.slug)
    has_id = bool(ids["external_id"]) and "external_id" not in form.errors
    context = join_context(panel, form, has_id=has_id, refusal=refusal)
    return render(request, JOIN, context, status=422)


@never_cache
@require_GET
def own(request: UserRequest, slug: str) -> HttpResponse:
    membership, participant = panel_access.own_part(request, slug)
    return render(request, "review/panels/own.html", own_context(membership, participant))


@require_POST
def next_item(request: UserRequest, slug: str) -> HttpResponse:
    """Take the next item, or go to what comes first."""
    membership, participant = panel_access.own_part(request, slug)
    step = next_step(participant=participant, membership=membership)
    if step.reason:
        messages.info(request, step.reason)
    return redirect(step.address) if step.address else redirect("review:own_panel", slug)


def _limited(request: HttpRequest) -> HttpResponse | None:
    """Count a request of the network address; return a refusal if it sends too many."""
    limits = {"action": JOINING, "config": LIMITS, "limit_get": True}
    refusal: HttpResponse | None = ratelimit.consume_or_429(request, **limits)
    return refusal


def _ids_of_link(request: HttpRequest, panel: Panel) -> dict[str, Any]:
    names = {
        "external_id": panel.id_parameter,
        "study_id": panel.study_parameter,
        "session_id": panel.session_parameter,
    }
    return {field: request.GET.get(name, "")[:100] for field, name in names.items()}


def _closed(request: HttpRequest, reason: str, *, status: int) -> HttpResponse:
    return render(request, "review/panels/closed.html", {"reason": reason}, status=status)
