"""Join a project through an invitation link, with or without an account."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.errors import AnnotateError
from annotate.models import Membership, User
from annotate.projects.forms.members import JoinForm
from annotate.projects.services.members import (
    accept_invitation,
    find_invitation,
    join_as_new_person,
    joined_before,
    who_joined,
)


@login_not_required
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    if request.method == "GET":
        return _join(request, token)
    used_before = who_joined(token) is not None
    if used_before and (membership := _joined_before(request, token)):
        return _welcome(request, membership)
    answer = _join(request, token)
    if answer.status_code >= 400 and not used_before:
        # Another click by the same person may have been faster.
        membership = _joined_before(request, token)
        return _welcome(request, membership) if membership else answer
    return answer


def _join(request: HttpRequest, token: str) -> HttpResponse:
    try:
        invitation = find_invitation(token)
    except AnnotateError as error:
        return _closed(request, error, status=410)
    context = {"invitation": invitation, "token": token}

    if request.user.is_authenticated:
        if request.method == "GET":
            return render(request, "annotate/projects/join.html", context)
        try:
            return _welcome(request, accept_invitation(token=token, user=request.user))
        except AnnotateError as error:
            return _closed(request, error, status=409)

    form = JoinForm(request.POST or None, invited_email=invitation.email)
    if request.method == "POST" and form.is_valid():
        try:
            membership = join_as_new_person(token=token, **form.cleaned_data)
        except AnnotateError as error:
            return _closed(request, error, status=409)
        login(request, membership.user)
        return _welcome(request, membership)
    status = 422 if request.method == "POST" else 200
    return render(request, "annotate/projects/join.html", context | {"form": form}, status=status)


def _joined_before(request: HttpRequest, token: str) -> Membership | None:
    """Return the membership created by an earlier click on this link; a visitor who sends that
    account's password is signed in, under the limits of the sign-in page.
    """
    person = who_joined(token)
    if person is None:
        return None
    if request.user.is_authenticated:
        return joined_before(token=token, user=request.user)
    email, password = request.POST.get("email", ""), request.POST.get("password", "")
    if email.strip().lower() not in {person.email, ""} or not password:
        return None
    user: User | None
    try:
        user = get_adapter(request).authenticate(request, email=person.email, password=password)
    except ValidationError:  # too many attempts
        return None
    if user is None:
        return None
    login(request, user)
    return joined_before(token=token, user=user)


def _welcome(request: HttpRequest, membership: Membership) -> HttpResponse:
    messages.success(request, f"Welcome to {membership.project}.")
    return redirect("annotate:my_work", membership.project.slug)


def _closed(request: HttpRequest, error: AnnotateError, *, status: int) -> HttpResponse:
    return render(
        request, "annotate/projects/join_closed.html", {"reason": str(error)}, status=status
    )
