"""The ratings of captions: the studies with their report, and rating by a script."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.content import storable
from annotate.errors import AnnotateError
from annotate.models import Membership
from annotate.views.responses import error_response, read_json
from review import access
from review.errors import ReviewError
from review.ratings.forms import RatingStudyForm, ShareForm
from review.ratings.page import ratings_context
from review.reports import services
from review.reports.models import Report
from review.services.rating import rate_caption
from review.services.rating_studies import change_share, open_rating_study
from review.studies.services import stop_study


@require_GET
def ratings(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, access.judge(request, slug))


@require_POST
def open_study(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = RatingStudyForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, status=422)
    try:
        study = open_rating_study(
            project=membership.project, admin=request.user, **form.cleaned_data
        )
    except ReviewError as error:
        form.add_error(None, str(error))
        return _page(request, membership, form, status=422)
    messages.success(request, f"Started. Everybody is asked for {study.per_rater} ratings.")
    return redirect("review:ratings", slug)


@require_POST
def stop(request: HttpRequest, slug: str, study_id: int) -> HttpResponse:
    _, study = access.rating_study(request, slug, study_id)
    try:
        stop_study(study=study, admin=request.user)
    except ReviewError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Stopped. Whoever is at a caption may finish it.")
    return redirect("review:ratings", slug)


@require_POST
def share(request: HttpRequest, slug: str, study_id: int) -> HttpResponse:
    membership, study = access.rating_study(request, slug, study_id)
    form = ShareForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, share_form=form, status=422)
    try:
        change_share(study=study, admin=request.user, **form.cleaned_data)
    except ReviewError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Saved how many ratings each person is asked for.")
    return redirect("review:ratings", slug)


@require_POST
def recompute(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.judge(request, slug)
    services.recompute(project=membership.project, name=Report.Name.RATINGS)
    messages.success(request, "The report is up to date with the ratings.")
    return redirect("review:ratings", slug)


@require_POST
def rate(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """JSON in: `value`, `remark` and `key`. JSON out: what is stored."""
    assignment = access.own_rating(request, assignment_id)
    try:
        data = read_json(request)
        remark = data.get("remark", "")
        if not isinstance(remark, str):
            raise AnnotateError("The remark must be a text.")
        rated = rate_caption(
            assignment_id=assignment.pk,
            annotator=request.user,
            key=_key(data.get("key")),
            base_version=assignment.draft_version,
            value=data.get("value"),
            remark=storable(remark),
        )
    except AnnotateError as error:
        return error_response(error)
    return JsonResponse({"assignment": rated.pk, "value": rated.rating.value})


def _key(value: object) -> UUID:
    try:
        return UUID(str(value))
    except ValueError:
        raise AnnotateError("Send a key of your own, a UUID, with each rating.") from None


def _page(
    request: HttpRequest,
    membership: Membership,
    form: RatingStudyForm | None = None,
    *,
    share_form: ShareForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = ratings_context(
        membership, study=request.GET.get("study", ""), form=form, share_form=share_form
    )
    return render(request, "review/ratings.html", context, status=status)
