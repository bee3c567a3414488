"""The training of a rater: one example after the other, each explained once it is answered."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from review import access
from review.errors import ReviewError
from review.ratings.forms import AnswerForm
from review.ratings.training_pages import example_context, next_example, training_context
from review.services.rating_training import answer_example


@never_cache
@require_GET
def training(request: HttpRequest, slug: str) -> HttpResponse:
    """Leads to the next example; once all are answered, how they were answered."""
    membership = access.rater(request, slug)
    following = next_example(membership)
    if following is not None:
        return redirect("review:training_example", slug, following.pk)
    return render(request, "review/training.html", training_context(membership))


@never_cache
@require_GET
def example(request: HttpRequest, slug: str, example_id: int) -> HttpResponse:
    membership, found = access.training_example(request, slug, example_id)
    return render(request, "review/training_example.html", example_context(membership, found))


@require_POST
def answer(request: HttpRequest, slug: str, example_id: int) -> HttpResponse:
    membership, found = access.training_example(request, slug, example_id)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        context = example_context(membership, found) | {"form": form}
        return render(request, "review/training_example.html", context, status=422)
    try:
        answer_example(example=found, rater=request.user, value=form.cleaned_data["value"])
    except ReviewError as error:
        messages.error(request, str(error))
        return redirect("review:training", slug)
    return redirect("review:training_example", slug, example_id)
