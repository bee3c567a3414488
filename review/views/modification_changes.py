"""An accepted modification: changed, or taken back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.models import Membership
from review import access
from review.errors import ReviewError
from review.modifications.forms import ChangeForm
from review.pairs.models import Modification
from review.services.modification_changes import change_modification, withdraw_modification


@require_GET
def modification(request: HttpRequest, slug: str, modification_id: int) -> HttpResponse:
    membership, found = access.modification(request, slug, modification_id)
    return _page(request, membership, found, ChangeForm(initial={"text": found.text}))


@require_POST
def change(request: HttpRequest, slug: str, modification_id: int) -> HttpResponse:
    membership, found = access.modification(request, slug, modification_id)
    form = ChangeForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, found, form, status=422)
    try:
        change_modification(modification=found, person=request.user, **form.cleaned_data)
    except ReviewError as error:
        form.add_error("text", str(error))
        return _page(request, membership, found, form, status=422)
    messages.success(request, "Changed. The next set of triplets has the new text.")
    return redirect("review:modifications", slug)


@require_POST
def withdraw(request: HttpRequest, slug: str, modification_id: int) -> HttpResponse:
    _, found = access.modification(request, slug, modification_id)
    try:
        withdraw_modification(modification=found, person=request.user)
    except ReviewError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Withdrawn. The next set of triplets is made without it.")
    return redirect("review:modifications", slug)


def _page(
    request: HttpRequest,
    membership: Membership,
    found: Modification,
    form: ChangeForm,
    status: int = 200,
) -> HttpResponse:
    context = {
        "project": membership.project,
        "membership": membership,
        "modification": found,
        "is_in_use": found.state == Modification.State.ACCEPTED,
        "form": form,
    }
    return render(request, "review/modification.html", context, status=status)
