"""What a page that waits for a worker asks every few seconds."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh

from annotate.access import UserRequest
from review.reports.state import ReportState


def state_response(request: UserRequest, state: ReportState) -> HttpResponse:
    """Whether a worker is at it; once none is, the page is to be loaded anew."""
    if not state.is_busy:
        return HttpResponseClientRefresh()
    return render(request, "review/reports/report_state.html", {"state": state})
