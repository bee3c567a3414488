"""Views of the release studio."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest, member
from annotate.errors import Refused
from annotate.models import Membership
from review import access
from review.releases.gates.findings import gate_states
from review.releases.gates.setting import set_gates
from review.releases.services import start_release
from review.studio.forms import BuildForm, GatesForm
from review.studio.pages import changes_context, studio_context


@require_GET
def studio(request: UserRequest, slug: str) -> HttpResponse:
    return _page(request, member(request, slug))


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
def build(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = BuildForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form=form, status=422)
    version = form.cleaned_data["version"]
    try:
        start_release(
            project=membership.project,
            version=version,
            admin=request.user,
            notes=form.cleaned_data["notes"],
            clip_files=form.cleaned_data["clip_files"],
        )
    except Refused as error:
        form.add_error(None, str(error))
        return _page(request, membership, form=form, status=422)
    messages.success(request, f"A worker is building release {version}.")
    return redirect("review:release_studio", slug)


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
