"""Views of a project's members, their roles, and invitations."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.errors import AnnotateError
from annotate.models import Invitation, Membership, Project, Role
from annotate.projects.forms.members import InviteForm, RolesForm, role_choices
from annotate.projects.forms.shares import SharesForm, category_choices, share_value
from annotate.projects.services import members as services


@require_GET
def members(request: UserRequest, slug: str) -> HttpResponse:
    return _page(request, access.member(request, slug, Role.ADMIN), InviteForm())


@require_POST
def invite(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, status=422)
    _, token = services.invite(
        project=membership.project,
        admin=request.user,
        roles=form.cleaned_data["roles"],
        email=form.cleaned_data["email"],
    )
    link = request.build_absolute_uri(reverse("annotate:join", args=[token]))
    # The link is shown once and never stored, so it is rendered here instead of after a redirect.
    return _page(request, membership, InviteForm(), link=link)


@require_POST
def withdraw_invitation(request: UserRequest, slug: str, invitation_id: int) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    invitation = get_object_or_404(Invitation, pk=invitation_id, project=membership.project)
    services.withdraw_invitation(invitation=invitation, admin=request.user)
    messages.success(request, "The invitation is withdrawn; its link no longer works.")
    return redirect("annotate:members", slug)


@require_POST
def change_roles(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    access.member(request, slug, Role.ADMIN)
    changed = _member_of(slug, membership_id)
    form = RolesForm(request.POST)
    try:
        if not form.is_valid():
            raise AnnotateError(form.errors["roles"][0])
        services.change_roles(
            membership=changed, admin=request.user, roles=form.cleaned_data["roles"]
        )
    except AnnotateError as error:
        messages.error(request, f"{changed.user} was not changed. {error}")
    else:
        messages.success(request, f"Roles of {changed.user} saved.")
    return redirect("annotate:members", slug)


@require_POST
def assign_subcategories(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    changed = _member_of(slug, membership_id)
    form = SharesForm(request.POST, project=membership.project)
    if not form.is_valid():
        messages.error(request, f"{changed.user} was not changed. {form.errors['shares'][0]}")
    else:
        services.assign_subcategories(
            membership=changed, admin=request.user, shares=form.cleaned_data["shares"]
        )
        messages.success(request, f"Subcategories of {changed.user} saved.")
    return redirect("annotate:members", slug)


@require_POST
def remove_member(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    access.member(request, slug, Role.ADMIN)
    removed = _member_of(slug, membership_id)
    try:
        services.remove_member(membership=removed, admin=request.user)
    except AnnotateError as error:
        messages.error(request, f"{removed.user} was not removed. {error}")
    else:
        messages.success(request, f"{removed.user} is no longer in this project.")
    return redirect("annotate:members", slug)


def _member_of(slug: str, membership_id: int) -> Membership:
    memberships = Membership.objects.select_related("user", "project")
    return get_object_or_404(memberships, pk=membership_id, project__slug=slug)


def _page(
    request: UserRequest,
    membership: Membership,
    form: InviteForm,
    *,
    link: str = "",
    status: int = 200,
) -> HttpResponse:
    project = membership.project
    members = project.memberships.select_related("user").order_by("user__name", "pk")
    is_assigned = project.assigned_work != Project.AssignedWork.OFF
    if is_assigned:
        members = members.prefetch_related("assigned")
    context = {
        "project": project,
        "membership": membership,
        "members": [(member, _shares(member) if is_assigned else []) for member in members],
        "is_assigned": is_assigned,
        "category_choices": category_choices(project) if is_assigned else [],
        "invitations": [i for i in project.invitations.select_related("invited_by") if i.is_open],
        "form": form,
        "link": link,
        "role_choices": role_choices(membership.project.protocol),
    }
    return render(request, "annotate/projects/members.html", context, status=status)


def _shares(member: Membership) -> list[str]:
    return [share_value(share.category, share.subcategory) for share in member.assigned.all()]
