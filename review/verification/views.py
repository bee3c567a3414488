"""The verifications of a project's captions, and LoVR's annotation table in and out."""

from __future__ import annotations

import tempfile

from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest, own_assignment
from annotate.errors import AnnotateError
from annotate.jobs.services.starting import JobInProgress
from annotate.lists.pages import default_address, list_menu
from annotate.models import Membership, SavedView, WorkItem
from annotate.queue.content import read_content
from annotate.responses import error_response, read_json
from review import access
from review.errors import ReviewError
from review.reports.sections import sections_of
from review.verification import access as verification_access
from review.verification.annotation_csv import annotation_lines
from review.verification.forms import MarksForm, TableForm
from review.verification.pages import (
    COLUMNS,
    table_context,
    verification_context,
    verifications_context,
)
from review.verification.queries import readable_verifications
from review.verification.services import correction_changes
from review.verification.table_job import start_table_import

VIEWS = SavedView.ListName.VERIFICATIONS


@require_POST
def verify_changes(request: UserRequest, assignment_id: int) -> JsonResponse:
    """Take JSON with `content`; return JSON with the corrected caption as HTML
    (verify_rebuilt.html). Nothing is saved.
    """
    assignment = own_assignment(request, assignment_id)
    if assignment.item.kind != WorkItem.Kind.VERIFY:
        raise Http404("This work is not a verification.")
    try:
        content = read_content(read_json(request).get("content"))
        changes = correction_changes(assignment.item, content)
    except AnnotateError as error:
        return error_response(error)
    partial = "review/verification/verify_rebuilt.html"
    return JsonResponse({"html": render_to_string(partial, {"changes": changes})})


@require_GET
def verifications(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    if default := default_address(membership, VIEWS, request.GET):
        return redirect(default)
    context = verifications_context(membership, request.GET)
    context["added"] = sections_of("verifications", membership, request.GET, context)
    context |= list_menu(membership, VIEWS, request, columns=COLUMNS)
    return render(request, "review/verification/verifications.html", context)


@require_GET
def verification(request: UserRequest, slug: str, verification_id: int) -> HttpResponse:
    membership, verification = verification_access.verification(request, slug, verification_id)
    context = verification_context(membership, verification, request.GET.get("page"))
    return render(request, "review/verification/verification.html", context)


@require_GET
def annotation_table(request: UserRequest, slug: str) -> HttpResponse:
    return _table_page(request, access.reviewer(request, slug))


@require_GET
def download_annotations(request: UserRequest, slug: str) -> HttpResponseBase:
    membership = access.reviewer(request, slug)
    form = MarksForm(request.GET, auto_id="download-%s")
    if not form.is_valid():
        return _table_page(request, membership, download=form, status=422)
    # Complete before the first byte is sent: a caption may ask for other marks.
    file = tempfile.TemporaryFile()  # noqa: SIM115 (the response closes it)
    try:
        for line in annotation_lines(
            membership.project, form.marks, among=readable_verifications(membership)
        ):
            file.write(line.encode())
    except ReviewError as error:
        file.close()
        form.add_error(None, str(error))
        return _table_page(request, membership, download=form, status=422)
    file.seek(0)
    return FileResponse(
        file, as_attachment=True, filename=f"{slug}-annotations.csv", content_type="text/csv"
    )


@require_POST
def upload_annotations(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = TableForm(request.POST, request.FILES, auto_id="upload-%s")
    if not form.is_valid():
        return _table_page(request, membership, upload=form, status=422)
    table = form.cleaned_data["table"]
    try:
        start_table_import(
            project=membership.project,
            file_name=table.name or "",
            data=table.read(),
            marks=form.marks,
            admin=request.user,
        )
    except JobInProgress as error:
        form.add_error("table", str(error))
        return _table_page(request, membership, upload=form, status=422)
    return redirect("review:annotation_table", slug)


def _table_page(
    request: UserRequest,
    membership: Membership,
    *,
    download: MarksForm | None = None,
    upload: TableForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = table_context(membership, download=download, upload=upload)
    return render(request, "review/verification/annotation_table.html", context, status=status)
