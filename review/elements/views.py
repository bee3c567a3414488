"""Check a caption's elements while they are typed."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from annotate.access import UserRequest, own_assignment
from annotate.text.storable import storable
from review.elements.lines import KINDS
from review.elements.work import typed_list


@require_POST
def check(request: UserRequest, assignment_id: int, kind: str) -> HttpResponse:
    """Return the partial with the number of lines, and the lines worth a second look."""
    own_assignment(request, assignment_id, "elements")
    if kind not in KINDS:
        raise Http404("This list doesn’t exist.")
    context = {"list": typed_list(kind, storable(request.POST.get(kind, "")))}
    return render(request, "review/elements/elements_check.html", context)
