"""The pages on which admins make panels and decide about who joined."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import back_to_list, file_to_save
from review import access
from review.panels import access as panel_access
from review.panels import services
from review.panels.forms import DecisionForm, PanelForm, SignedLinksForm
from review.panels.models import Panel, Participant
from review.panels.pages import (
    approvals_csv,
    form_context,
    full_link,
    panel_context,
    panels_context,
    signed_links_csv,
)

FORM = "review/panels/form.html"
# Prefix of the session's key for a panel's token that is still to be shown; the panel's key
# follows.
NEW_LINK = "new_panel_link_"


@require_GET
def panels(request: UserRequest, slug: str) -> HttpResponse:
    context = panels_context(access.admin(request, slug))
    return render(request, "review/panels/panels.html", context)


@require_http_methods(["GET", "POST"])
def new(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = PanelForm(request.POST if request.method == "POST" else None)
    context = form_context(membership, form)
    if request.method == "GET":
        return render(request, FORM, context)
    if not form.is_valid():
        return render(request, FORM, context, status=422)
    made, token = services.make_panel(
        project=membership.project, admin=request.user, values=form.panel()
    )
    return _with_link(request, slug, made, token)


# Never from a cache: a new link is shown once.
@never_cache
@require_GET
def panel(request: UserRequest, slug: str, panel_id: int) -> HttpResponse:
    membership, chosen = panel_access.panel(request, slug, panel_id)
    link = ""
    token = request.session.pop(f"{NEW_LINK}{chosen.pk}", "")
    if token and not chosen.asks_signature:
        path = reverse("review:join_panel", args=[token])
        link = full_link(chosen, request.build_absolute_uri(path))
    context = panel_context(membership, chosen, request.GET.get("page"), link=link)
    return render(request, "review/panels/panel.html", context)


@require_http_methods(["GET", "POST"])
def change(request: UserRequest, slug: str, panel_id: int) -> HttpResponse:
    membership, chosen = panel_access.panel(request, slug, panel_id)
    if request.method == "GET":
        form = PanelForm(initial=PanelForm.values_of(chosen))
        return render(request, FORM, form_context(membership, form, chosen))
    form = PanelForm(request.POST)
    context = form_context(membership, form, chosen)
    if form.is_valid():
        with refusal_in(form):
            services.change_panel(panel=chosen, admin=request.user, values=form.panel())
            messages.success(request, "Saved.")
            return redirect("review:panel", slug, panel_id)
    return render(request, FORM, context, status=422)


@require_POST
def renew(request: UserRequest, slug: str, panel_id: int) -> HttpResponse:
    _, chosen = panel_access.panel(request, slug, panel_id)
    with refusal_shown(request):
        renewed, token = services.renew_link(panel=chosen, admin=request.user)
        if renewed.asks_signature:
            messages.success(request, "All signed links have ended. Make new ones.")
        return _with_link(request, slug, renewed, token)
    return redirect("review:panel", slug, panel_id)


@require_POST
def close(request: UserRequest, slug: str, panel_id: int) -> HttpResponse:
    _, chosen = panel_access.panel(request, slug, panel_id)
    services.close_panel(panel=chosen, admin=request.user)
    messages.success(request, "Closed. Nobody else can join; those who have may finish.")
    return redirect("review:panel", slug, panel_id)


@require_GET
def download(request: UserRequest, slug: str, panel_id: int) -> HttpResponseBase:
    _, chosen = panel_access.panel(request, slug, panel_id)
    return file_to_save(approvals_csv(chosen), f"{slug}-panel-{chosen.pk}.csv")


@require_POST
def sign_links(request: UserRequest, slug: str, panel_id: int) -> HttpResponseBase:
    """Save a CSV with a signed link for each pasted id."""
    membership, chosen = panel_access.panel(request, slug, panel_id)
    form = SignedLinksForm(request.POST)
    if form.is_valid():
        path = reverse("review:join_panel", args=["TOKEN"])
        address = request.build_absolute_uri(path).replace("TOKEN", "{token}")
        lines = signed_links_csv(chosen, form.cleaned_data["external_ids"], address)
        return file_to_save(lines, f"{slug}-panel-{chosen.pk}-links.csv")
    context = panel_context(membership, chosen, None, signing=form)
    return render(request, "review/panels/panel.html", context, status=422)


@require_POST
def decide(request: UserRequest, slug: str, participant_id: int) -> HttpResponse:
    membership, participant = panel_access.participant(request, slug, participant_id)
    form = DecisionForm(request.POST)
    if form.is_valid():
        with refusal_in(form, "reason"):
            services.decide(participant=participant, admin=request.user, **form.cleaned_data)
            messages.success(request, f"{participant.person}: {form.cleaned_data['decision']}.")
            page = back_to_list(request, "review:panel", slug, participant.panel_id)
            return redirect(f"{page.url}#participant-{participant.pk}")
    participant.refresh_from_db()
    if not participant.outcome:
        messages.error(request, services.STILL_WORKING.format(person=participant.person))
    elif participant.decision == Participant.Decision.REJECTED:
        messages.error(
            request,
            f"{participant.person} has been rejected meanwhile: approve the part, or leave it so.",
        )
    refused = (participant.pk, form)
    number = request.GET.get("page")
    context = panel_context(membership, participant.panel, number, refused=refused)
    return render(request, "review/panels/panel.html", context, status=422)


@require_POST
def delete_id(request: UserRequest, slug: str, participant_id: int) -> HttpResponse:
    _, participant = panel_access.participant(request, slug, participant_id)
    with refusal_shown(request):
        services.delete_external_ids(participant=participant, admin=request.user)
        messages.success(request, f"{participant.person}: the ID is deleted.")
    return redirect("review:panel", slug, participant.panel_id)


def _with_link(request: UserRequest, slug: str, chosen: Panel, token: str) -> HttpResponse:
    """Lead to the panel, which shows its link once: the session keeps the token until then."""
    request.session[f"{NEW_LINK}{chosen.pk}"] = token
    return redirect("review:panel", slug, chosen.pk)
