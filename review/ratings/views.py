"""Rating studies, the training set, a rater’s training, and rating by a script."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest, own_assignment
from annotate.agreed import consent_address, must_agree
from annotate.errors import AnnotateError
from annotate.models import Membership
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import back_to_list, error_response, read_json
from annotate.text.storable import storable
from review import access
from review.ratings import access as ratings_access
from review.ratings import training_set
from review.ratings.example_pages import examples_context, new_example_context
from review.ratings.forms import AnswerForm, ExampleForm, RatingStudyForm, ShareForm
from review.ratings.pages import PAGE
from review.ratings.services import rate_caption
from review.ratings.studies import change_share, open_rating_study
from review.ratings.training_pages import example_context, next_example, training_context
from review.ratings.training_set import answer_example
from review.studies.models import Study
from review.studies.services import stop_study


@require_POST
def open_study(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = RatingStudyForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            study = open_rating_study(
                project=membership.project, admin=request.user, **form.cleaned_data
            )
            messages.success(
                request, f"Started. Each person is asked for {study.per_rater} ratings."
            )
            return redirect("review:report_page", slug, "ratings")
    return _refused(request, membership, form)


@require_POST
def stop(request: UserRequest, slug: str, study_id: int) -> HttpResponse:
    _, study = ratings_access.rating_study(request, slug, study_id)
    with refusal_shown(request):
        stop_study(study=study, admin=request.user)
        messages.success(request, "Study stopped. People can finish the captions they have open.")
    return back_to_list(request, "review:report_page", slug, "ratings")


@require_POST
def share(request: UserRequest, slug: str, study_id: int) -> HttpResponse:
    membership, study = ratings_access.rating_study(request, slug, study_id)
    form = ShareForm(request.POST)
    if not form.is_valid():
        return _refused(request, membership, study=study, share_form=form)
    with refusal_shown(request):
        change_share(study=study, admin=request.user, **form.cleaned_data)
        messages.success(request, "Ratings per person saved.")
    return back_to_list(request, "review:report_page", slug, "ratings")


@require_POST
def rate(request: UserRequest, assignment_id: int) -> HttpResponse:
    """Take JSON with `value`, `remark` and `key`; return the stored rating as JSON."""
    assignment = own_assignment(request, assignment_id, "rate")
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
        raise AnnotateError("Send a unique UUID as the key of each rating.") from None


def _refused(
    request: UserRequest,
    membership: Membership,
    form: RatingStudyForm | None = None,
    *,
    study: Study | None = None,
    share_form: ShareForm | None = None,
) -> HttpResponse:
    """Show the page, or that of `study`, and say what changed if it no longer has the form."""
    query = QueryDict(f"study={study.pk}") if study else request.GET
    context = PAGE.context(membership, query, form=form, share_form=share_form)
    if form and context["is_running"]:
        messages.error(
            request, "A study has been started meanwhile: let people finish it, or stop it first."
        )
    elif study and not context["chosen_study"].is_running:
        messages.error(request, "The study has ended meanwhile: start another for more ratings.")
    return render(request, PAGE.template, context, status=422)


@require_GET
def examples(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.trainer(request, slug)
    context = examples_context(membership, data=request.GET, number=request.GET.get("page"))
    return render(request, "review/ratings/rating_examples.html", context)


@require_GET
def new(request: UserRequest, slug: str, caption_id: int) -> HttpResponse:
    membership, caption = ratings_access.example_caption(request, slug, caption_id)
    context = new_example_context(membership, caption, ExampleForm())
    return render(request, "review/ratings/rating_example_new.html", context)


@require_POST
def add(request: UserRequest, slug: str, caption_id: int) -> HttpResponse:
    membership, caption = ratings_access.example_caption(request, slug, caption_id)
    form = ExampleForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            training_set.add_example(
                project=membership.project,
                caption=caption,
                person=request.user,
                **form.cleaned_data,
            )
            messages.success(request, "Added as the last training example.")
            return redirect("review:rating_examples", slug)
    context = new_example_context(membership, caption, form)
    return render(request, "review/ratings/rating_example_new.html", context, status=422)


@require_POST
def move(request: UserRequest, slug: str, example_id: int) -> HttpResponse:
    """Move an example. `direction`: up or down."""
    _, example = ratings_access.kept_example(request, slug, example_id)
    with refusal_shown(request):
        training_set.move_example(
            example=example, direction=request.POST.get("direction", ""), person=request.user
        )
    # Return to its row, so that people who use the keyboard can continue there.
    page = back_to_list(request, "review:rating_examples", slug)
    return redirect(f"{page.url}#example-{example.pk}")


@require_POST
def retire(request: UserRequest, slug: str, example_id: int) -> HttpResponse:
    _, example = ratings_access.kept_example(request, slug, example_id)
    training_set.retire_example(example=example, person=request.user)
    messages.success(request, "Example removed. People’s answers are kept.")
    return back_to_list(request, "review:rating_examples", slug)


@never_cache
@require_GET
def training(request: UserRequest, slug: str) -> HttpResponse:
    """Redirect to the next example, or show the results once all are answered."""
    membership = access.rater(request, slug)
    if must_agree(request.user, membership.project):
        return redirect(consent_address(membership.project, next=request.path))
    following = next_example(membership)
    if following is not None:
        return redirect("review:training_example", slug, following.pk)
    return render(request, "review/ratings/training.html", training_context(membership))


@never_cache
@require_GET
def example(request: UserRequest, slug: str, example_id: int) -> HttpResponse:
    membership, example = ratings_access.training_example(request, slug, example_id)
    return render(
        request, "review/ratings/training_example.html", example_context(membership, example)
    )


@require_POST
def answer(request: UserRequest, slug: str, example_id: int) -> HttpResponse:
    membership, example = ratings_access.training_example(request, slug, example_id)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        context = example_context(membership, example) | {"form": form}
        return render(request, "review/ratings/training_example.html", context, status=422)
    with refusal_shown(request):
        answer_example(example=example, rater=request.user, value=form.cleaned_data["value"])
        return redirect("review:training_example", slug, example_id)
    return redirect("review:training", slug)
