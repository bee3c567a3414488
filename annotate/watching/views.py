"""The page on which an admin says how much of a clip must be watched."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate import access
from annotate.access import UserRequest
from annotate.models import Role
from annotate.queue.services.watching import require_watching
from annotate.watching.pages import watching_context, watching_form

PAGE = "annotate/watching/watching.html"


@require_http_methods(["GET", "POST"])
def watching(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    if request.method == "GET":
        return render(request, PAGE, watching_context(membership))
    form = watching_form(membership.project, request.POST)
    if not form.is_valid():
        return render(request, PAGE, watching_context(membership, form), status=422)
    project = membership.project
    require_watching(project=project, percents=form.percents(), admin=request.user)
    messages.success(request, "Saved. It applies to everything that is submitted from now on.")
    return redirect("annotate:watching", slug)
