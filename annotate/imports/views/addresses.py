"""Import videos from addresses: the page, and what its form starts."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.corpus.queries import facts_in_use
from annotate.imports import services as imports
from annotate.imports.addresses import COLUMNS, MAX_ROWS
from annotate.imports.forms import AddressesForm
from annotate.models import Membership, Role


@require_GET
def addresses(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    return _page(request, membership, AddressesForm())


@require_POST
def import_addresses(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    form = AddressesForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, membership, form, status=422)
    batch = imports.import_addresses(project=membership.project, admin=request.user, rows=form.rows)
    videos = "1 video is" if len(form.rows) == 1 else f"{len(form.rows):,} videos are"
    messages.success(request, f"{videos} being downloaded.")
    return redirect("annotate:import_batch", slug, batch.pk)


def _page(
    request: UserRequest, membership: Membership, form: AddressesForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "membership": membership,
        "project": membership.project,
        "form": form,
        "in_use": facts_in_use(membership.project),
        "columns": ", ".join(COLUMNS),
        "most_rows": MAX_ROWS,
    }
    return render(request, "annotate/imports/addresses.html", context, status=status)
