"""The search for pages, clips, people, runs and projects: a page, and the list of the switcher."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate import access
from annotate.access import UserRequest
from review.navigation.forms import FindForm
from review.navigation.queries import find_in_project, find_projects


@require_GET
def find(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    form = FindForm(request.GET)
    results = find_in_project(membership, form.cleaned_data["q"]) if form.is_valid() else []
    context = {"membership": membership, "project": membership.project}
    return _show(request, context | {"form": form, "results": results})


@require_GET
def find_project(request: UserRequest) -> HttpResponse:
    form = FindForm(request.GET)
    results = find_projects(request.user, form.cleaned_data["q"]) if form.is_valid() else []
    return _show(request, {"form": form, "results": results})


def _show(request: UserRequest, context: dict[str, Any]) -> HttpResponse:
    is_part = request.headers.get("HX-Target") == "switcher-results"
    template = "switcher_results" if is_part else "find"
    return render(request, f"review/navigation/{template}.html", context)
