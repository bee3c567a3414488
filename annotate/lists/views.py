"""Views that save, change and delete a view of a list, and keep a person's columns."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.lists import services
from annotate.lists.access import own_view
from annotate.lists.columns import PARAMETER, cookie_of
from annotate.lists.forms import NewViewForm, ViewForm
from annotate.lists.pages import PAGES, address_of, refused_menu
from annotate.lists.queries import opens_with_a_view
from annotate.models import SavedView
from annotate.refusals import refusal_in

KEPT_SECONDS = 365 * 24 * 3600


@require_POST
def save_view(request: UserRequest, slug: str, list_name: str) -> HttpResponse:
    membership = access.member(request, slug)
    if list_name not in SavedView.ListName.values:
        raise Http404("This list has no views.")
    form = NewViewForm(request.POST)
    if form.is_valid():
        with refusal_in(form, "name"):
            view, is_new = services.save_view(
                project=membership.project,
                owner=request.user,
                list_name=list_name,
                **form.cleaned_data,
            )
            done = "Saved as" if is_new else "Replaced your view"
            messages.success(request, f"{done} {view.name}.")
            return _to_list(slug, list_name, view.query)
    query = request.POST.get("query", "")
    return _refused(request, refused_menu(membership, list_name, query, form))


@require_POST
def change_view(request: UserRequest, slug: str, saved_view_id: int) -> HttpResponse:
    membership = access.member(request, slug)
    view = own_view(request, slug, saved_view_id)
    form = ViewForm(request.POST)
    if form.is_valid():
        with refusal_in(form, "name"):
            services.change_view(view=view, **form.cleaned_data)
            messages.success(request, f"Changed {view.name}.")
            return _to_list(slug, view.list_name, view.query)
    return _refused(request, refused_menu(membership, view.list_name, view.query, form))


@require_POST
def delete_view(request: UserRequest, slug: str, saved_view_id: int) -> HttpResponse:
    view = own_view(request, slug, saved_view_id)
    services.delete_view(view=view)
    messages.success(request, f"Deleted {view.name}. The list is as it was.")
    return _to_list(slug, view.list_name, view.query)


@require_POST
def choose_columns(request: UserRequest, slug: str, list_name: str) -> HttpResponse:
    """Keep the chosen columns in a cookie, and show the list with them."""
    membership = access.member(request, slug)
    if list_name not in PAGES:
        raise Http404("No such list.")
    query = [
        pair for pair in parse_qsl(request.POST.get("query", "")[:2000]) if pair[0] != PARAMETER
    ]
    if query or opens_with_a_view(membership, list_name):
        response = _to_list(slug, list_name, urlencode(query))
    else:
        response = HttpResponseRedirect(address_of(slug, list_name))
    names = ".".join(request.POST.getlist("column"))[:200] or "none"
    response.set_cookie(
        cookie_of(list_name),
        names,
        max_age=KEPT_SECONDS,
        samesite="Lax",
        httponly=True,
    )
    return response


def _refused(request: UserRequest, context: dict[str, Any]) -> HttpResponse:
    return render(request, "annotate/lists/view_refused.html", context, status=422)


def _to_list(slug: str, list_name: str, query: str) -> HttpResponseRedirect:
    # Without parameters the list opens with the default view.
    return HttpResponseRedirect(f"{address_of(slug, list_name)}?{query or 'page=1'}")
