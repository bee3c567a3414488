"""The list of waiting clips, and taking one of them."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import ROLES_FOR_KIND, UserRequest
from annotate.agreed import ConsentMissing, consent_address
from annotate.choosing.pages import choice_context
from annotate.errors import AnnotateError
from annotate.models import Membership, WorkItem
from annotate.queue.services.choosing import CHOSEN_BY_PEOPLE
from annotate.queue.services.taking import take_chosen
from annotate.queue.work_kinds import WorkClosed


def chooser(request: UserRequest, slug: str, kind: str) -> Membership:
    """Return the membership of a person who may do this kind of work, if people can choose it."""
    if kind not in CHOSEN_BY_PEOPLE:
        raise Http404("Nobody chooses this kind of work.")
    return access.member(request, slug, *ROLES_FOR_KIND[WorkItem.Kind(kind)])


def chosen_item(
    request: UserRequest, slug: str, kind: str, item_id: int
) -> tuple[Membership, WorkItem]:
    """Return the item of the project, which may be taken already. Raises Http404."""
    membership = chooser(request, slug, kind)
    items = WorkItem.objects.filter(project=membership.project, kind=kind)
    return membership, get_object_or_404(items, pk=item_id)


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
