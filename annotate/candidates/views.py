"""Views that import candidates, list them, and decide about one or several."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.candidates import access as candidate_access
from annotate.candidates import decisions
from annotate.candidates.forms import (
    REJECT,
    SELECT,
    TAKE_BACK,
    UNDO,
    WITHDRAW,
    AnnotationsForm,
    DecisionForm,
    ManyForm,
)
from annotate.candidates.pages import (
    actions_for,
    candidate_context,
    candidates_context,
    cutting_context,
)
from annotate.candidates.queries import candidate_of, keys_among, next_undecided
from annotate.candidates.starting import (
    IMPORT_CANDIDATES,
    start_candidate_import,
    start_cutting,
)
from annotate.datasets.faults import DatasetInvalid
from annotate.errors import AnnotateError, Refused
from annotate.jobs.file_imports import last_import
from annotate.models import Candidate, Membership, Role
from annotate.refusals import refusal_in
from annotate.responses import back_to_list

DONE = {
    SELECT: "Selected {name}. A worker cuts it into a clip.",
    REJECT: "Rejected {name}.",
    UNDO: "{name} is undecided again.",
    WITHDRAW: "Withdrew {name}. All texts and drafts are kept.",
    TAKE_BACK: "{name} is in the benchmark again, with its work.",
}
# After these the page shows the next undecided candidate.
GO_ON = {SELECT, REJECT}


@require_GET
def candidates(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    context = candidates_context(membership, request.GET)
    return render(request, "annotate/candidates/candidates.html", context)


@require_POST
def decide_many(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    project = membership.project
    chosen = [int(key) for key in request.POST.getlist("candidate") if key.isdecimal()]
    form = ManyForm(request.POST, keys=keys_among(project, chosen))
    if form.is_valid():
        with refusal_in(form):
            number = decisions.decide_candidates(
                membership.project, request.user, **form.cleaned_data
            )
            verb = "Selected" if form.cleaned_data["action"] == SELECT else "Rejected"
            messages.success(request, f"{verb} {number} candidate{'' if number == 1 else 's'}.")
            return back_to_list(request, "annotate:candidates", slug)
    context = candidates_context(membership, request.GET, form)
    if not context["page"].paginator.count:
        messages.error(request, "These candidates have been decided meanwhile: choose others.")
    return render(request, "annotate/candidates/candidates.html", context, status=422)


@require_GET
def candidate(request: UserRequest, slug: str, candidate_id: int) -> HttpResponse:
    return _page(request, *candidate_access.candidate(request, slug, candidate_id))


@require_POST
def decide(request: UserRequest, slug: str, candidate_id: int) -> HttpResponse:
    membership, candidate = candidate_access.candidate(request, slug, candidate_id)
    form = DecisionForm(request.POST, actions=actions_for(candidate))
    if not form.is_valid():
        return _page(request, membership, candidate, form, status=422)
    action = form.cleaned_data["action"]
    try:
        decisions.decide_candidate(candidate, request.user, **form.cleaned_data)
    except AnnotateError as error:
        form.add_error(None, str(error))
        return _page(request, membership, candidate, form, status=422)
    messages.success(request, DONE[action].format(name=candidate.name))
    following = next_undecided(membership.project, candidate) if action in GO_ON else candidate
    if following is None:
        return redirect("annotate:candidates", slug)
    address = reverse("annotate:candidate", args=[slug, following.pk])
    return redirect(f"{address}?last={candidate.pk}" if action in GO_ON else address)


@require_GET
def cutting(request: UserRequest, slug: str) -> HttpResponse:
    """Return how far the selected candidates are cut; the page reloads once they are."""
    context = cutting_context(access.member(request, slug, Role.ADMIN))
    response = render(request, "annotate/candidates/cutting.html", context)
    if not context["is_cutting"]:
        response["HX-Refresh"] = "true"
    return response


@require_POST
def cut(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    start_cutting(membership.project, request.user)
    messages.success(request, "A worker cuts the selected candidates.")
    return redirect("annotate:candidates", slug)


@require_http_methods(["GET", "POST"])
def add(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    form = AnnotationsForm(request.POST or None, request.FILES or None)
    invalid = None
    if request.method == "POST" and form.is_valid():
        try:
            start_candidate_import(
                project=membership.project, file=form.chosen_file(), admin=request.user
            )
        except DatasetInvalid as error:
            invalid = error
        except Refused as error:
            form.add_error(None, str(error))
        else:
            return redirect("annotate:add_candidates", slug)
    context = {
        "membership": membership,
        "project": membership.project,
        "form": form,
        "invalid": invalid,
        "last_import": last_import(membership.project_id, IMPORT_CANDIDATES),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "annotate/candidates/add_candidates.html", context, status=status)


def _page(
    request: UserRequest,
    membership: Membership,
    candidate: Candidate,
    form: DecisionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    last = None
    if (key := request.GET.get("last", "")).isdecimal():
        last = candidate_of(membership.project, int(key))
        if last and UNDO not in actions_for(last):
            last = None
    context = candidate_context(membership, candidate, last, form)
    return render(request, "annotate/candidates/candidate.html", context, status=status)
