"""Splitting the source videos: GET shows what would come of it, POST stores it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from review import access
from review.errors import ReviewError
from review.services.splits import (
    assign_splits,
    preview_splits,
    refuse_change,
    split_in_force,
)
from review.splits.form import USUAL, SplitForm


@require_http_methods(["GET", "POST"])
def split_videos(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    project = membership.project
    is_post = request.method == "POST"
    form = SplitForm(request.POST if is_post else request.GET or USUAL)
    preview, problem = None, ""
    try:
        refuse_change(project)
        if form.is_valid() and is_post:
            assign_splits(project=project, admin=request.user, **form.choice)
            messages.success(request, "The source videos are split.")
            return redirect("annotate:labels", slug)
        if form.is_valid():
            preview = preview_splits(project=project, **form.choice)
    except ReviewError as error:
        problem = str(error)
    context = {
        "membership": membership,
        "project": project,
        "form": form,
        "preview": preview,
        "in_force": split_in_force(project),
        "problem": problem,
    }
    return render(request, "review/split_videos.html", context, status=422 if is_post else 200)
