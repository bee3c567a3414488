"""Views of thresholds: start a study, choose and adopt a value, assign captions."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.models import Membership
from annotate.refusals import refusal_shown
from annotate.responses import back_to_list
from inference.errors import InferenceError
from review import access
from review.errors import ReviewError
from review.studies import services
from review.threshold import access as threshold_access
from review.threshold import services as thresholds
from review.threshold import studies
from review.threshold.basis import basis_of
from review.threshold.forms import StudyForm, ValueForm, sent_study_form, sent_value_form
from review.threshold.pages import PAGE, adopt_context, described, trial_of
from review.threshold.scorer_parts import View

TO_PEOPLE = "people"  # the form's value for assigning captions
BY_EXPECTED_ERRORS = "errors"


@require_GET
def try_value(request: UserRequest, slug: str) -> HttpResponse:
    """Answer what a value would keep and send back, while an admin chooses it."""
    membership = access.admin(request, slug)
    form = sent_value_form(request.GET)
    trial = trial_of(membership.project, form, View.of(request.GET).counting)
    context = {"project": membership.project, "trial": trial}
    status = 200 if trial.choice else 422
    return render(request, "review/threshold/trial.html", context, status=status)


@require_http_methods(["GET", "POST"])
def adopt(request: UserRequest, slug: str) -> HttpResponse:
    """Show what adopting a value would do; a POST adopts it."""
    membership = access.admin(request, slug)
    form = sent_value_form(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        return _refused(request, membership, form)
    project = membership.project
    view = View.of(request.POST or request.GET, form)
    report = form.cleaned_data["report"]
    rests_on = basis_of(project, view.scorer, report, view.rule, view.counting)
    choice = {"scorer": view.scorer, "value": form.cleaned_data["value"]}
    try:
        if request.method == "GET":
            context = adopt_context(membership, **choice)
            context |= {"view": view, "report": report, "basis": described(rests_on)}
            return render(request, "review/threshold/adopt_threshold.html", context)
        hand_out = request.POST.get("then") == TO_PEOPLE
        adopted, handed = thresholds.adopt(
            project=project, admin=request.user, hand_out=hand_out, rests_on=rests_on, **choice
        )
    except InferenceError as error:
        form.add_error("value", str(error))
        return _refused(request, membership, form)
    changes = [f"{adopted.value:g} is now the threshold of {adopted.scorer_name}.", _told(handed)]
    if not hand_out and not thresholds.is_of_videos(project, adopted.scorer):
        changes.append("Refine lets other models rewrite the captions below it.")
    messages.success(request, " ".join(changes))
    return redirect("review:report_page", slug, "threshold")


@require_POST
def hand_out(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    with refusal_shown(request):
        handed = thresholds.hand_out_low_captions(
            project=membership.project,
            by_expected_errors=request.POST.get("order") == BY_EXPECTED_ERRORS,
            admin=request.user,
        )
        messages.success(request, _told(handed))
    return back_to_list(request, "review:report_page", slug, "threshold")


@require_POST
def start_study(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = sent_study_form(request.POST)
    if form.is_valid():
        try:
            study = studies.start_threshold_study(
                project=membership.project, admin=request.user, **form.cleaned_data
            )
        except ReviewError as error:
            too_few = isinstance(error, studies.TooFewPeopleError)
            form.add_error("people" if too_few else "captions", str(error))
        else:
            n = form.cleaned_data["captions"] - study.undrawn
            later = f" {study.undrawn} more follow in waves." if study.undrawn else ""
            messages.success(
                request,
                f"{n} captions wait for {study.people} {_people(study.people)} each.{later}",
            )
            return back_to_list(request, "review:report_page", slug, "threshold")
    return _refused(request, membership, form)


@require_POST
def stop_study(request: UserRequest, slug: str, study_id: int) -> HttpResponse:
    _, study = threshold_access.threshold_study(request, slug, study_id)
    with refusal_shown(request):
        services.stop_study(study=study, admin=request.user)
        messages.success(request, "Study stopped. Completed verifications count.")
    return back_to_list(request, "review:report_page", slug, "threshold")


def _refused(
    request: UserRequest, membership: Membership, refused: ValueForm | StudyForm
) -> HttpResponse:
    context = PAGE.context(membership, request.GET, refused=refused)
    return render(request, PAGE.template, context, status=422)


def _told(handed: thresholds.Handed) -> str:
    opened, withdrawn = handed.opened, handed.withdrawn
    if not opened and not withdrawn:
        return "People’s work stays the same."
    return (
        f"{opened} caption{'' if opened == 1 else 's'} handed out to verify, {withdrawn} withdrawn."
    )


def _people(number: int) -> str:
    return "person" if number == 1 else "people"
