"""Views of a person's projects, of a new project, and of a project's settings."""

from __future__ import annotations

from copy import copy

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from annotate import access
from annotate.access import UserRequest
from annotate.models import Role
from annotate.projects.forms.projects import DuplicateForm, NewProjectForm, ProjectSettingsForm
from annotate.projects.project_list import project_rows
from annotate.projects.queries import has_archived, projects_of
from annotate.projects.services import duplicates
from annotate.projects.services.projects import change_project, create_project, may_create_projects
from annotate.queue.kinds import kinds_of
from annotate.refusals import refusal_in

# CaReBench's ethical statement: each annotation is cross-checked by two human experts.
PAPERS_SIGN_OFFS = 2


@require_GET
def projects(request: UserRequest) -> HttpResponse:
    archived = request.GET.get("archived") == "1"
    context = {
        "rows": project_rows(request.user, archived=archived),
        "archived": archived,
        "has_archived": archived or has_archived(request.user),
        "may_create": may_create_projects(request.user),
    }
    return render(request, "annotate/projects/projects.html", context)


@require_GET
def project_menu(request: UserRequest, slug: str) -> HttpResponse:
    """Show the person's projects in the header's menu when it opens."""
    membership = access.member(request, slug)
    context = {"project": membership.project, "projects": projects_of(request.user)}
    return render(request, "annotate/projects/project_menu.html", context)


@require_http_methods(["GET", "POST"])
def new_project(request: UserRequest) -> HttpResponse:
    if not may_create_projects(request.user):
        raise PermissionDenied("Only people who administer a project can make a new one.")
    form = NewProjectForm(request.POST or None, initial={"sign_offs": PAPERS_SIGN_OFFS})
    if request.method == "POST" and form.is_valid():
        project = create_project(creator=request.user, **form.cleaned_data)
        messages.success(request, f"{project} is ready. Import its videos next.")
        return redirect("annotate:corpus", project.slug)
    status = 422 if request.method == "POST" else 200
    return render(request, "annotate/projects/project_new.html", {"form": form}, status=status)


@require_http_methods(["GET", "POST"])
def project_settings(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    project = membership.project
    # A refused form changes its instance; the page still shows the stored project.
    form = ProjectSettingsForm(request.POST or None, instance=copy(project))
    if request.method == "POST" and form.is_valid():
        change_project(project_id=project.pk, admin=request.user, **form.changes())
        messages.success(request, "Settings saved.")
        return redirect("annotate:project_settings", slug)
    status = 422 if request.method == "POST" else 200
    context = {
        "form": form,
        "project": project,
        "membership": membership,
        "first_kind": kinds_of(project)[0],
    }
    return render(request, "annotate/projects/project_settings.html", context, status=status)


@require_http_methods(["GET", "POST"])
def duplicate_project(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    source = membership.project
    form = DuplicateForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusal_in(form, "slug"):
            project = duplicates.duplicate_project(
                source=source, admin=request.user, **form.cleaned_data
            )
            messages.success(request, f"{project} is ready. Import its videos next, under Clips.")
            return redirect("annotate:project_settings", project.slug)
    context = {"form": form, "project": source, "membership": membership}
    status = 422 if request.method == "POST" else 200
    return render(request, "annotate/projects/project_duplicate.html", context, status=status)
