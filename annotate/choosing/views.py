"""The list of waiting clips, and taking one of them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.agreed import ConsentMissing, consent_address
from annotate.choosing.access import chooser, chosen_item
from annotate.choosing.pages import choice_context
from annotate.errors import AnnotateError
from annotate.queue.services.taking import take_chosen
from annotate.queue.work_kinds import WorkClosed


@never_cache
@require_GET
def choices(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    membership = chooser(request, slug, kind)
    context = choice_context(membership, kind, request.GET)
    return render(request, "annotate/choosing/choices.html", context)


@require_POST
def choose(request: UserRequest, slug: str, kind: str, item_id: int) -> HttpResponse:
    membership, item = chosen_item(request, slug, kind, item_id)
    try:
        taken = take_chosen(membership=membership, kind=kind, item_id=item.pk)
    except ConsentMissing:
        return redirect(consent_address(membership.project, kind=kind))
    except WorkClosed as error:
        messages.info(request, str(error))
        return redirect(error.closed.url or reverse("annotate:choices", args=[slug, kind]))
    except AnnotateError as error:
        messages.error(request, str(error))
        return redirect("annotate:choices", slug, kind)
    return redirect("annotate:work", taken.pk)
