"""Pages on which an admin archives, restores and deletes."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate import access as project_access
from annotate.access import UserRequest
from annotate.archive import access
from annotate.archive.forms import ArchiveForm
from annotate.archive.pages import archive_context, thing_context
from annotate.archive.services import archive_thing, delete_thing, restore_thing
from annotate.models import Project, Role
from annotate.refusals import refusal_in, refusal_shown


@require_GET
def archive(request: UserRequest, slug: str) -> HttpResponse:
    membership = project_access.member(request, slug, Role.ADMIN)
    context = archive_context(membership, request.GET.get("kind", ""), request.GET.get("page"))
    return render(request, "annotate/archive/archive.html", context)


@require_GET
def thing(request: UserRequest, slug: str, thing_kind: str, thing_id: int) -> HttpResponse:
    membership, archive_kind, thing = access.thing(request, slug, thing_kind, thing_id)
    context = thing_context(membership, archive_kind, thing, ArchiveForm())
    return render(request, "annotate/archive/thing.html", context)


@require_POST
def put_away(request: UserRequest, slug: str, thing_kind: str, thing_id: int) -> HttpResponse:
    membership, archive_kind, thing = access.thing(request, slug, thing_kind, thing_id)
    form = ArchiveForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            archive_thing(
                project=membership.project,
                kind=archive_kind,
                thing=thing,
                reason=form.cleaned_data["reason"],
                admin=request.user,
            )
            done = f"{archive_kind.title(thing)} is archived. You can restore it."
            messages.success(request, done)
            return redirect("annotate:archived_thing", slug, thing_kind, thing_id)
    context = thing_context(membership, archive_kind, thing, form)
    if context["archived"] and not form.is_valid():
        messages.error(request, "It has been archived meanwhile: restore it to change the reason.")
    return render(request, "annotate/archive/thing.html", context, status=422)


@require_POST
def restore(request: UserRequest, slug: str, thing_kind: str, thing_id: int) -> HttpResponse:
    membership, archive_kind, thing = access.thing(request, slug, thing_kind, thing_id)
    with refusal_shown(request):
        restore_thing(
            project=membership.project, kind=archive_kind, thing=thing, admin=request.user
        )
        messages.success(request, f"{archive_kind.title(thing)} is restored.")
        return redirect(archive_kind.address(thing))
    return redirect("annotate:archived_thing", slug, thing_kind, thing_id)


@require_POST
def delete(request: UserRequest, slug: str, thing_kind: str, thing_id: int) -> HttpResponse:
    membership, archive_kind, thing = access.thing(request, slug, thing_kind, thing_id)
    title = archive_kind.title(thing)
    is_project = isinstance(thing, Project)
    with refusal_shown(request):
        delete_thing(project=membership.project, kind=archive_kind, thing=thing, admin=request.user)
        messages.success(request, f"{title} is deleted.")
        return redirect("annotate:projects") if is_project else redirect("annotate:archive", slug)
    return redirect("annotate:archived_thing", slug, thing_kind, thing_id)
