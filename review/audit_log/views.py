"""The audit log, as a page and as a file."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from annotate.lists.pages import list_menu
from annotate.responses import file_to_save
from review import access
from review.audit_log.pages import audit_context, audit_csv, columns_for


@require_GET
def audit_log(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    context = audit_context(membership, request.GET)
    context |= list_menu(membership, "audit-log", request, columns=columns_for(membership))
    return render(request, "review/audit_log/audit_log.html", context)


@require_GET
def download(request: UserRequest, slug: str) -> HttpResponseBase:
    membership = access.admin(request, slug)
    return file_to_save(audit_csv(membership, request.GET), f"{slug}-audit-log.csv")
