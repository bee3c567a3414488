"""Deactivate a member after a page that lists what is affected, and reactivate them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.models import Role
from annotate.projects.access import member_of_any_state
from annotate.projects.deactivation_page import deactivation_context
from annotate.projects.forms.deactivation import DeactivateForm
from annotate.projects.services.deactivation import deactivate_member, reactivate_member
from annotate.refusals import refusal_in, refusal_shown


@require_http_methods(["GET", "POST"])
def deactivate(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    member = member_of_any_state(slug, membership_id)
    form = DeactivateForm(request.POST or None, member=member, admin=request.user)
    if request.method == "POST" and form.is_valid():
        with refusal_in(form):
            deactivate_member(membership=member, admin=request.user, **form.choices())
            messages.success(request, f"{member.user} is deactivated.")
            return redirect("annotate:members", slug)
    context = deactivation_context(membership, member, form)
    status = 422 if request.method == "POST" else 200
    return render(request, "annotate/projects/deactivate.html", context, status=status)


@require_POST
def reactivate(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    access.member(request, slug, Role.ADMIN)
    member = member_of_any_state(slug, membership_id)
    with refusal_shown(request):
        reactivate_member(
            membership=member,
            admin=request.user,
            with_account=request.user.is_superuser and not member.user.is_active,
        )
        messages.success(request, f"{member.user} is active again, with the same roles.")
    return redirect("annotate:members", slug)
