"""Views of the split of the source videos: planned here, or read from files."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.datasets.faults import DatasetInvalid
from annotate.models import Membership
from inference.words import counted
from review import access
from review.errors import ReviewError
from review.triplets.split_form import USUAL, GivenSplitsForm, SplitForm
from review.triplets.splits import (
    assign_splits,
    current_split,
    import_splits,
    preview_splits,
    refuse_change,
)


@require_http_methods(["GET", "POST"])
def split_videos(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    project = membership.project
    is_post = request.method == "POST"
    form = SplitForm(request.POST if is_post else request.GET or USUAL)
    preview, problem, is_fixed = None, "", True
    try:
        refuse_change(project)
        is_fixed = False
        if form.is_valid() and is_post:
            assign_splits(project=project, admin=request.user, **form.choice)
            messages.success(request, "The source videos are split.")
            return redirect("annotate:labels", slug)
        if form.is_valid():
            preview = preview_splits(project=project, **form.choice)
    except ReviewError as error:
        problem = str(error)
    return _page(
        request,
        membership,
        {"form": form, "preview": preview, "problem": problem, "is_fixed": is_fixed},
        status=422 if is_post else 200,
    )


@require_POST
def import_given(request: UserRequest, slug: str) -> HttpResponse:
    """Read the split from files."""
    membership = access.admin(request, slug)
    form = GivenSplitsForm(request.POST, request.FILES)
    context: dict[str, Any] = {"form": SplitForm(USUAL), "given_form": form}
    if form.is_valid():
        try:
            splits = import_splits(project=membership.project, admin=request.user, **form.choice)
        except DatasetInvalid as error:
            context["invalid"] = error
        except ReviewError as error:
            context["given_problem"] = str(error)
        else:
            messages.success(request, f"The files split {len(splits.plan)} source videos.")
            if splits.unknown:
                nouns = ("name in them isn’t", "names in them aren’t")
                messages.info(request, f"{counted(len(splits.unknown), nouns)} in this project.")
            return redirect("review:split_videos", slug)
    return _page(request, membership, context, status=422)


def _page(
    request: UserRequest, membership: Membership, context: dict[str, Any], *, status: int
) -> HttpResponse:
    usual = {
        "membership": membership,
        "project": membership.project,
        "current": current_split(membership.project),
        "given_form": GivenSplitsForm(),
    }
    template = "review/triplets/split_videos.html"
    return render(request, template, {**usual, **context}, status=status)
