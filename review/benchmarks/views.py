"""Views of the page Benchmarks and its files."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from annotate.responses import file_to_save
from review.access import admin
from review.benchmarks.pages import benchmarks_context
from review.reports.section_files import file_name, section_table


@require_GET
def benchmarks(request: UserRequest, slug: str) -> HttpResponse:
    context = benchmarks_context(admin(request, slug), request.GET)
    status = 422 if context["form"].errors else 200
    return render(request, "review/benchmarks/benchmarks.html", context, status=status)


@require_GET
def download(request: UserRequest, slug: str) -> HttpResponseBase:
    """Send the table `file`, such as table-16.csv, of the page with the same query; or return to
    the page, which says why it has no tables.
    """
    membership = admin(request, slug)
    table, _, ending = request.GET.get("file", "").rpartition(".")
    parts = benchmarks_context(membership, request.GET)["parts"]
    section = next((part.section for part in parts if part.section.key == table), None)
    project = membership.project
    content = section_table(project, section).text(ending) if section else None
    if section is None or content is None:
        page = reverse("review:benchmarks", args=[slug])
        return redirect(f"{page}?{request.GET.urlencode()}")
    return file_to_save(content, file_name(project, f"{table}.{ending}"))
