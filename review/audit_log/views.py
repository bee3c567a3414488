"""The audit log, as a page and as a file."""

from __future__ import annotations

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from annotate.lists.pages import list_menu
from review import access
from review.audit_log.pages import audit_context, audit_csv, columns_for


@require_GET
def audit_log(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    context = audit_context(membership, request.GET)
    context |= list_menu(membership, "audit-log", request, columns=columns_for(membership))
    return render(request, "review/audit_log/audit_log.html", context)


@require_GET
def download(request: UserRequest, slug: str) -> StreamingHttpResponse:
    membership = access.admin(request, slug)
    lines = audit_csv(membership, request.GET)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-audit-log.csv"'
    return response
