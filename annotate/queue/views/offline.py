"""The script that lets a work page open without a network."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

SCRIPT = "js/offline/service_worker.js"


@login_not_required
@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker. It has an address of its own, because it serves only pages below
    its address, and no hash, because browsers look for a newer one at the same address.
    """
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(_script(), content_type="text/javascript", headers=headers)


@cache
def _script() -> bytes:
    return Path(settings.STATICFILES_DIRS[0], SCRIPT).read_bytes()
