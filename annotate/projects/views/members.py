"""Views of a project's members, their roles, and invitations."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.accounts.passwords import make_password_link
from annotate.errors import AnnotateError
from annotate.models import Invitation, Membership, Project, Role, User
from annotate.projects.access import member_of_any_state
from annotate.projects.forms.members import (
    InviteForm,
    InviteManyForm,
    ProgramForm,
    RolesForm,
    role_choices,
)
from annotate.projects.forms.shares import SharesForm, category_choices, share_value
from annotate.projects.invited import PeopleInvalid, read_people
from annotate.projects.queries import (
    addresses_invited,
    addresses_of_members,
    invitations_of,
    members_of_any_state,
)
from annotate.projects.services import members as services
from annotate.refusals import refusal_in, refusal_shown


@require_GET
def members(request: UserRequest, slug: str) -> HttpResponse:
    return _page(request, access.member(request, slug, Role.ADMIN), InviteForm())


@require_POST
def invite(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, status=422)
    made = services.invite(
        project=membership.project,
        admin=request.user,
        roles=form.cleaned_data["roles"],
        email=form.cleaned_data["email"],
    )
    # The link is shown once and never stored, so it is rendered here instead of after a redirect.
    return _page(request, membership, InviteForm(), made=[made])


@require_POST
def invite_many(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    project = membership.project
    form, errors = InviteManyForm(request.POST), []
    if form.is_valid():
        try:
            people = read_people(
                form.cleaned_data["people"],
                members=addresses_of_members(project),
                invited=addresses_invited(project),
            )
        except PeopleInvalid as error:
            errors = error.errors
        else:
            made = services.invite_many(project=project, admin=request.user, people=people)
            return _page(request, membership, InviteForm(), made=made)
    return _page(request, membership, InviteForm(), many=form, errors=errors, status=422)


@require_POST
def renew_invitation(request: UserRequest, slug: str, invitation_id: int) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    invitation = get_object_or_404(Invitation, pk=invitation_id, project=membership.project)
    with refusal_shown(request):
        made = services.renew_invitation(invitation=invitation, admin=request.user)
        return _page(request, membership, InviteForm(), made=[made])
    return redirect("annotate:members", slug)


@require_POST
def withdraw_invitation(request: UserRequest, slug: str, invitation_id: int) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    invitation = get_object_or_404(Invitation, pk=invitation_id, project=membership.project)
    services.withdraw_invitation(invitation=invitation, admin=request.user)
    messages.success(request, "The invitation is withdrawn; its link no longer works.")
    return redirect("annotate:members", slug)


@require_POST
def change_roles(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    changed = member_of_any_state(slug, membership_id)
    form = RolesForm(request.POST)
    if form.is_valid():
        with refusal_in(form, "roles"):
            services.change_roles(
                membership=changed, admin=request.user, roles=form.cleaned_data["roles"]
            )
            messages.success(request, f"Roles of {changed.user} saved.")
            if changed.user_id == request.user.pk and not changed.is_admin:
                return redirect("annotate:my_work", slug)
            return redirect("annotate:members", slug)
    return _page(request, membership, InviteForm(), changes=(changed, form), status=422)


@require_POST
def assign_subcategories(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    changed = member_of_any_state(slug, membership_id)
    form = SharesForm(request.POST, project=membership.project)
    if not form.is_valid():
        return _page(request, membership, InviteForm(), changes=(changed, form), status=422)
    services.assign_subcategories(
        membership=changed, admin=request.user, shares=form.cleaned_data["shares"]
    )
    messages.success(request, f"Subcategories of {changed.user} saved.")
    return redirect("annotate:members", slug)


@require_POST
def declare_program(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    changed = member_of_any_state(slug, membership_id)
    form = ProgramForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, InviteForm(), changes=(changed, form), status=422)
    declared = services.declare_program(
        membership=changed, admin=request.user, program=form.cleaned_data["program"]
    )
    what = "a program" if declared.program else "a person"
    messages.success(request, f"{changed.user} is {what} in this project.")
    return redirect("annotate:members", slug)


@require_POST
def password_link(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    """Show a link with which the member sets a new password. For superusers."""
    membership = access.member(request, slug, Role.ADMIN)
    person = member_of_any_state(slug, membership_id).user
    with refusal_shown(request):
        path = make_password_link(person=person, project=membership.project, admin=request.user)
        # Like an invitation, the link is shown once and never stored.
        link = request.build_absolute_uri(path)
        return _page(request, membership, InviteForm(), password_link=(person, link))
    return redirect("annotate:members", slug)


@require_POST
def remove_member(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    access.member(request, slug, Role.ADMIN)
    removed = member_of_any_state(slug, membership_id)
    try:
        services.remove_member(membership=removed, admin=request.user)
    except AnnotateError as error:
        messages.error(request, f"{removed.user} was not removed. {error}")
    else:
        messages.success(request, f"{removed.user} is no longer in this project.")
    return redirect("annotate:members", slug)


def _page(
    request: UserRequest,
    membership: Membership,
    form: InviteForm,
    *,
    made: Sequence[tuple[Invitation, str]] = (),
    many: InviteManyForm | None = None,
    errors: Sequence[str] = (),
    password_link: tuple[User, str] | None = None,
    changes: tuple[Membership, RolesForm | SharesForm | ProgramForm] | None = None,
    status: int = 200,
) -> HttpResponse:
    project = membership.project
    is_assigned = project.assigned_work != Project.AssignedWork.OFF
    everybody = members_of_any_state(project, with_assigned=is_assigned)
    active = [member for member in everybody if not member.deactivated_at]
    invitations = invitations_of(project)
    context = {
        "project": project,
        "membership": membership,
        "members": [
            (
                member,
                _shares(member) if is_assigned else [],
                changes[1] if changes and changes[0] == member else None,
            )
            for member in active
        ],
        "deactivated": [member for member in everybody if member.deactivated_at],
        "is_assigned": is_assigned,
        "category_choices": category_choices(project) if is_assigned else [],
        "invitations": [i for i in invitations if not (i.accepted_at or i.withdrawn_at)],
        "joined": [i for i in invitations if i.accepted_at],
        "form": form,
        "many_form": many or InviteManyForm(),
        "errors": errors,
        "links": [
            (invitation, request.build_absolute_uri(reverse("annotate:join", args=[token])))
            for invitation, token in made
        ],
        "password_link": password_link,
        "password_days": settings.PASSWORD_RESET_TIMEOUT // (24 * 3600),
        "role_choices": role_choices(membership.project),
    }
    return render(request, "annotate/projects/members.html", context, status=status)


def _shares(member: Membership) -> list[str]:
    return [share_value(share.category, share.subcategory) for share in member.assigned.all()]
