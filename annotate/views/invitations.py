"""Joining a project through an invitation link, with or without an account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.errors import AnnotateError
from annotate.forms.members import JoinForm
from annotate.services.members import accept_invitation, find_invitation, join_as_new_person


@login_not_required
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    try:
        invitation = find_invitation(token)
    except AnnotateError as error:
        return render(request, "annotate/join_closed.html", {"reason": str(error)}, status=410)

    if request.user.is_authenticated:
        return _join_signed_in(request, token, invitation)

    form = JoinForm(request.POST or None, invited_email=invitation.email)
    context = {"form": form, "invitation": invitation, "token": token}
    if request.method == "POST" and form.is_valid():
        membership = join_as_new_person(token=token, **form.cleaned_data)
        login(request, membership.user)
        messages.success(request, f"Welcome to {membership.project}.")
        return redirect("annotate:my_work", membership.project.slug)
    status = 422 if request.method == "POST" else 200
    return render(request, "annotate/join.html", context, status=status)


def _join_signed_in(request: HttpRequest, token: str, invitation) -> HttpResponse:
    if request.method == "POST":
        try:
            membership = accept_invitation(token=token, user=request.user)
        except AnnotateError as error:
            context = {"reason": str(error)}
            return render(request, "annotate/join_closed.html", context, status=409)
        messages.success(request, f"Welcome to {membership.project}.")
        return redirect("annotate:my_work", membership.project.slug)
    return render(request, "annotate/join.html", {"invitation": invitation, "token": token})
