"""Views of the release studio."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest, member
from annotate.jobs.services.control import cancel_job
from annotate.models import Membership
from annotate.refusals import refusal_in, refusal_shown
from review import access
from review.releases import access as releases_access
from review.releases.gates.findings import gate_states
from review.releases.gates.setting import set_gates
from review.releases.queries import branches_of, choice_of
from review.releases.services import start_release
from review.studio.forms import BuildForm, ChoiceForm, GatesForm, NotesForm
from review.studio.pages import (
    card_context,
    changes_context,
    checked_context,
    opened_context,
    studio_context,
)
from review.studio.services import save_choice, save_notes


@require_GET
def studio(request: UserRequest, slug: str) -> HttpResponse:
    return render(request, "review/studio/studio.html", opened_context(member(request, slug)))


@require_GET
def checks(request: UserRequest, slug: str) -> HttpResponse:
    """Show the whole page, with the content and the checks' findings. The studio loads its parts
    from it; without JavaScript it is a page of its own. A page that waits says so, and gets an
    answer once there is something new to show."""
    context = checked_context(member(request, slug), request.GET.get("since", ""))
    if context.get("waits") and context["waits"] == request.GET.get("waits"):
        return HttpResponse(status=204)
    return render(request, "review/studio/studio.html", context)


@require_GET
def card(request: UserRequest, slug: str) -> HttpResponse:
    """Show the dataset card that a build now would have, as text."""
    return render(request, "review/studio/card.html", card_context(access.admin(request, slug)))


@require_GET
def changes(request: UserRequest, slug: str) -> HttpResponse:
    context = changes_context(member(request, slug), request.GET)
    return render(request, "review/studio/changes.html", context)


@require_POST
def change_gates(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = GatesForm(request.POST, states=gate_states(membership.project))
    if not form.is_valid():
        return _page(request, membership, gates=form, status=422)
    set_gates(project=membership.project, admin=request.user, choices=form.choices)
    messages.success(request, "The checks are saved.")
    return redirect("review:release_studio", slug)


@require_POST
def keep_notes(request: UserRequest, slug: str) -> HttpResponse:
    """Keep the notes while they are typed; return the state for the page."""
    membership = access.admin(request, slug)
    form = NotesForm(request.POST)
    if form.is_valid():
        save_notes(project=membership.project, notes=form.cleaned_data["notes"])
    status = 200 if form.is_valid() else 422
    return render(request, "review/studio/notes_state.html", {"form": form}, status=status)


@require_POST
def choose(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    project = membership.project
    form = ChoiceForm(
        request.POST, choices=project.pipeline.release.choices, branches=branches_of(project)
    )
    if not form.is_valid():
        messages.error(request, "Nothing was saved: a category does not exist any more.")
        return _page(request, membership, status=422)
    save_choice(project=project, choice=form.choice, admin=request.user)
    messages.success(request, "The content is saved, for later releases too.")
    return redirect("review:release_studio", slug)


@require_POST
def build(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = BuildForm(request.POST)
    if form.is_valid():
        version = form.cleaned_data["version"]
        choice = choice_of(membership.project)
        save_notes(project=membership.project, notes=form.cleaned_data["notes"])
        with refusal_in(form):
            start_release(
                project=membership.project,
                version=version,
                admin=request.user,
                notes=form.cleaned_data["notes"],
                choice=choice,
            )
            return _to_build(slug)
    return _page(request, membership, form=form, status=422)


@require_POST
def cancel_build(request: UserRequest, slug: str, build_id: int) -> HttpResponse:
    _, job = releases_access.build(request, slug, build_id)
    with refusal_shown(request):
        cancel_job(job=job, admin=request.user)
        messages.success(request, f"The build of release {job.title} is canceled.")
    return _to_build(slug)


def _to_build(slug: str) -> HttpResponse:
    """Lead to the part of the page where builds are started and canceled."""
    return redirect(reverse("review:release_studio", args=[slug]) + "#build")


def _page(
    request: UserRequest,
    membership: Membership,
    *,
    form: BuildForm | None = None,
    gates: GatesForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = studio_context(membership, form=form, gates=gates)
    return render(request, "review/studio/studio.html", context, status=status)
