"""The view of a person's waiting, held and finished work in a project."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotate import access
from annotate.access import UserRequest
from annotate.queue.my_work import my_work_context


@never_cache
@require_GET
def my_work(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    return render(request, "annotate/queue/my_work.html", my_work_context(membership))
