"""Views of other benchmarks' rows, for admins; the page Statistics shows them to everybody."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.models import Membership
from annotate.refusals import refusal_in
from review import access
from review.errors import ReviewError
from review.statistics import access as statistics_access
from review.statistics.forms import PasteForm, RemoveForm, RowForm
from review.statistics.models import BenchmarkRow
from review.statistics.pages import benchmark_rows_context, printed_rows
from review.statistics.services import RowsInvalid, add_rows, change_row, read_rows, remove_row


@require_GET
def benchmark_rows(request: UserRequest, slug: str) -> HttpResponse:
    """Show the rows. `rows=printed` fills the box with the rows printed in the paper."""
    membership = access.admin(request, slug)
    filled = printed_rows(membership.project) if request.GET.get("rows") == "printed" else ""
    return _page(request, membership, pasted=PasteForm(initial={"rows": filled}))


@require_POST
def add(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = RowForm(request.POST, project=membership.project)
    if form.is_valid():
        with refusal_in(form, "name"):
            add_rows(project=membership.project, stated=[form.stated], admin=request.user)
            messages.success(request, f"{form.stated.name} is in the table.")
            return redirect("review:benchmark_rows", slug)
    return _page(request, membership, typed=form, status=422)


@require_POST
def paste(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form, errors = PasteForm(request.POST), []
    if form.is_valid():
        try:
            stated = read_rows(membership.project, form.cleaned_data["rows"])
            rows = add_rows(project=membership.project, stated=stated, admin=request.user)
        except RowsInvalid as error:
            errors = error.errors
        except ReviewError as error:
            errors = [str(error)]
        else:
            messages.success(request, f"{len(rows)} row{'' if len(rows) == 1 else 's'} added.")
            return redirect("review:benchmark_rows", slug)
    return _page(request, membership, pasted=form, errors=errors, status=422)


@require_http_methods(["GET", "POST"])
def benchmark_row(request: UserRequest, slug: str, row_id: int) -> HttpResponse:
    membership, row = statistics_access.benchmark_row(request, slug, row_id)
    form = RowForm(request.POST or None, project=membership.project, row=row)
    if request.method == "POST" and form.is_valid():
        with refusal_in(form, "name"):
            change_row(row=row, stated=form.stated, admin=request.user)
            messages.success(request, f"{row.name} is saved.")
            return redirect("review:benchmark_rows", slug)
    return _row_page(request, membership, row, form, RemoveForm())


@require_POST
def remove(request: UserRequest, slug: str, row_id: int) -> HttpResponse:
    membership, row = statistics_access.benchmark_row(request, slug, row_id)
    form = RemoveForm(request.POST)
    if not form.is_valid():
        return _row_page(request, membership, row, RowForm(project=row.project, row=row), form)
    remove_row(row=row, admin=request.user)
    messages.success(request, f"{row.name} is removed.")
    return redirect("review:benchmark_rows", slug)


def _page(
    request: UserRequest,
    membership: Membership,
    *,
    typed: RowForm | None = None,
    pasted: PasteForm | None = None,
    errors: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    context = benchmark_rows_context(membership) | {
        "typed": typed or RowForm(project=membership.project),
        "pasted": pasted or PasteForm(),
        "errors": errors,
    }
    return render(request, "review/statistics/benchmark_rows.html", context, status=status)


def _row_page(
    request: UserRequest,
    membership: Membership,
    row: BenchmarkRow,
    form: RowForm,
    removing: RemoveForm,
) -> HttpResponse:
    context = {
        "membership": membership,
        "project": membership.project,
        "row": row,
        "form": form,
        "removing": removing,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "review/statistics/benchmark_row.html", context, status=status)
