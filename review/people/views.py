"""The page of all people, the page of one for admins, and a person's own page."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from annotate.lists.pages import default_address, list_menu
from annotate.models import SavedView
from review import access
from review.people import access as people_access
from review.people.own import own_context
from review.people.pages import COLUMNS, people_context, person_context

VIEWS = SavedView.ListName.PEOPLE


@require_GET
def people(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    if default := default_address(membership, VIEWS, request.GET):
        return redirect(default)
    menu = list_menu(membership, VIEWS, request, columns=COLUMNS)
    context = people_context(membership, request.GET, menu["columns_chosen"].names) | menu
    return render(request, "review/people/people.html", context)


@require_GET
def person(request: UserRequest, slug: str, membership_id: int) -> HttpResponse:
    membership, member = people_access.person(request, slug, membership_id)
    context = person_context(membership, member)
    return render(request, "review/people/person.html", context)


@require_GET
def own_numbers(request: UserRequest, slug: str) -> HttpResponse:
    membership = people_access.own(request, slug)
    return render(request, "review/people/own_numbers.html", own_context(membership))
