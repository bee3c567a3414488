"""Keeping the training set: captions with the rating they deserve, and why."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from review import access
from review.errors import ReviewError
from review.ratings.example_pages import examples_context, new_example_context
from review.ratings.forms import ExampleForm
from review.services import rating_training


@require_GET
def examples(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.trainer(request, slug)
    context = examples_context(membership, data=request.GET, number=request.GET.get("page"))
    return render(request, "review/rating_examples.html", context)


@require_GET
def new(request: HttpRequest, slug: str, caption_id: int) -> HttpResponse:
    membership, caption = access.example_caption(request, slug, caption_id)
    context = new_example_context(membership, caption, ExampleForm())
    return render(request, "review/rating_example_new.html", context)


@require_POST
def add(request: HttpRequest, slug: str, caption_id: int) -> HttpResponse:
    membership, caption = access.example_caption(request, slug, caption_id)
    form = ExampleForm(request.POST)
    if form.is_valid():
        try:
            rating_training.add_example(
                project=membership.project,
                caption=caption,
                person=request.user,
                **form.cleaned_data,
            )
        except ReviewError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Added to the training, as its last example.")
            return redirect("review:rating_examples", slug)
    context = new_example_context(membership, caption, form)
    return render(request, "review/rating_example_new.html", context, status=422)


@require_POST
def move(request: HttpRequest, slug: str, example_id: int) -> HttpResponse:
    """`direction`: up or down."""
    _, example = access.kept_example(request, slug, example_id)
    try:
        rating_training.move_example(
            example=example, direction=request.POST.get("direction", ""), person=request.user
        )
    except ReviewError as error:
        messages.error(request, str(error))
    # To its row: whoever moves it by keyboard can go on from there.
    return redirect(f"{reverse('review:rating_examples', args=[slug])}#example-{example.pk}")


@require_POST
def retire(request: HttpRequest, slug: str, example_id: int) -> HttpResponse:
    _, example = access.kept_example(request, slug, example_id)
    rating_training.retire_example(example=example, person=request.user)
    messages.success(request, "Taken out of use. What people answered to it is kept.")
    return redirect("review:rating_examples", slug)
