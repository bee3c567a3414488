"""The hours of each device, as a page and as a file."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from annotate.responses import file_to_save
from review import access
from review.hours.pages import hours_context, hours_csv


@require_GET
def device_hours(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    return render(request, "review/hours/hours.html", hours_context(membership))


@require_GET
def download(request: UserRequest, slug: str) -> HttpResponseBase:
    membership = access.admin(request, slug)
    return file_to_save(hours_csv(membership.project), f"{slug}-device-hours.csv")
