"""The page of a project's tables, their downloads and their import."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import DatasetFile
from annotate.refusals import refusal_shown
from annotate.responses import file_to_save
from annotate.text.storable import storable
from review import access
from review.errors import ReviewError
from review.exchange.tables import counted
from review.tables.forms import ImportTableForm, SetForm
from review.tables.kinds import TABLES
from review.tables.queries import imported_annotators
from review.tables.services import import_table, preview_table, remove_imported, table_lines


@require_http_methods(["GET", "POST"])
def tables(request: UserRequest, slug: str) -> HttpResponse:
    """Show the tables; preview a file, or import it."""
    membership = access.admin(request, slug)
    project = membership.project
    form = ImportTableForm(project, request.POST or None, request.FILES or None)
    context: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data["file"]
        choice: dict[str, Any] = {
            "project": project,
            "table": TABLES[form.cleaned_data["table"]],
            "file": DatasetFile(upload.name or "", upload.read()),
            "choices": form.choices,
        }
        try:
            if "preview" in request.POST:
                context["preview"] = preview_table(**choice)
            else:
                plan = import_table(**choice, admin=request.user)
                imported = f"Imported {counted(plan.new, 'row', 'rows')}."
                messages.success(request, f"{imported} {plan.left_out.sentence}".strip())
                return redirect("review:tables", slug)
        except DatasetInvalid as error:
            context["invalid"] = error
        except ReviewError as error:
            form.add_error(None, str(error))
    context |= {
        "project": project,
        "membership": membership,
        "form": form,
        "tables": TABLES.values(),
        "set_form": SetForm(project),
        "imported": imported_annotators(project),
    }
    is_refused = request.method == "POST" and "preview" not in context
    return render(request, "review/tables/tables.html", context, status=422 if is_refused else 200)


@require_POST
def remove(request: UserRequest, slug: str) -> HttpResponse:
    """Remove the imported verdicts of an annotator."""
    membership = access.admin(request, slug)
    table, annotator = request.POST.get("table", ""), storable(request.POST.get("annotator", ""))
    with refusal_shown(request):
        removed = remove_imported(
            project=membership.project, table=table, annotator=annotator, admin=request.user
        )
        verdicts = counted(removed, "verdict", "verdicts")
        messages.success(request, f"Removed {verdicts} of {annotator}. Decisions about pairs stay.")
    return redirect("review:tables", slug)


@require_GET
def download(request: UserRequest, slug: str, table: str) -> HttpResponseBase:
    """Download a table as CSV; `?set=2` has the verdicts of that set."""
    membership = access.admin(request, slug)
    chosen = TABLES.get(table)
    form = SetForm(membership.project, request.GET)
    if chosen is None or not form.is_valid():
        raise Http404("There is no such table.")
    try:
        lines = table_lines(membership.project, chosen, form.choices)
    except ReviewError as error:
        messages.error(request, str(error))
        return redirect("review:tables", slug)
    return file_to_save(lines, f"{slug}-{chosen.key}.csv")
