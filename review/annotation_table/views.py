"""LoVR's annotation table, out and in."""

from __future__ import annotations

import tempfile

from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.models import Membership
from annotate.refusals import refusal_in
from review import access
from review.annotation_table.csv_format import annotation_lines
from review.annotation_table.forms import MarksForm, TableForm
from review.annotation_table.jobs import start_table_import
from review.annotation_table.pages import table_context
from review.errors import ReviewError
from review.verification.queries import readable_verifications


@require_GET
def annotation_table(request: UserRequest, slug: str) -> HttpResponse:
    return _table_page(request, access.reviewer(request, slug))


@require_GET
def download_annotations(request: UserRequest, slug: str) -> HttpResponseBase:
    membership = access.reviewer(request, slug)
    form = MarksForm(request.GET, auto_id="download-%s")
    if not form.is_valid():
        return _table_page(request, membership, download=form, status=422)
    # Completed before the first byte is sent, because a caption can require other marks.
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
    if form.is_valid():
        table = form.cleaned_data["table"]
        with refusal_in(form, "table"):
            start_table_import(
                project=membership.project,
                file_name=table.name or "",
                data=table.read(),
                marks=form.marks,
                admin=request.user,
            )
            return redirect("review:annotation_table", slug)
    return _table_page(request, membership, upload=form, status=422)


def _table_page(
    request: UserRequest,
    membership: Membership,
    *,
    download: MarksForm | None = None,
    upload: TableForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = table_context(membership, download=download, upload=upload)
    return render(request, "review/annotation_table/annotation_table.html", context, status=status)
