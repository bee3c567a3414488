"""The pages of known answers for admins, and of a training for those who go through it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.agreed import consent_address, must_agree
from annotate.refusals import refusal_in, refusal_shown
from review import access
from review.quality import access as quality_access
from review.quality import services
from review.quality.answering import take_training
from review.quality.forms import KnownAnswerForm
from review.quality.pages import (
    answer_context,
    kind_context,
    quality_context,
    rule_form,
    source_context,
    sources_context,
    training_context,
)


@require_GET
def quality(request: UserRequest, slug: str) -> HttpResponse:
    context = quality_context(access.admin(request, slug))
    return render(request, "review/quality/quality.html", context)


@require_http_methods(["GET", "POST"])
def kind(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    membership, graded = quality_access.graded_kind(request, slug, kind)
    form = rule_form(graded, data=request.POST) if request.method == "POST" else None
    if form and form.is_valid():
        with refusal_in(form):
            services.set_rule(
                project=membership.project,
                kind=graded,
                admin=request.user,
                requirements=form.requirements,
            )
            messages.success(request, "Saved.")
            return redirect("review:quality_kind", slug, kind)
    context = kind_context(membership, graded, form)
    return render(request, "review/quality/kind.html", context, status=422 if form else 200)


@require_GET
def sources(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    membership, graded = quality_access.graded_kind(request, slug, kind)
    name = request.GET.get("name", "").strip()
    context = sources_context(membership, graded, name, request.GET.get("page"))
    return render(request, "review/quality/sources.html", context)


@require_http_methods(["GET", "POST"])
def add(request: UserRequest, slug: str, source_id: int) -> HttpResponse:
    membership, source = quality_access.source(request, slug, source_id)
    if request.method == "GET":
        return render(request, "review/quality/source.html", source_context(membership, source))
    form = KnownAnswerForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            services.add_known_answer(
                project=membership.project,
                kind=source.item.kind,
                source_id=source.pk,
                admin=request.user,
                **form.cleaned_data,
            )
            messages.success(request, "Added.")
            return redirect("review:quality_kind", slug, source.item.kind)
    context = source_context(membership, source, form)
    return render(request, "review/quality/source.html", context, status=422)


@require_POST
def move(request: UserRequest, slug: str, known_id: int) -> HttpResponse:
    """Move an item of the training. `direction`: up or down."""
    _, known_answer = quality_access.known_answer(request, slug, known_id)
    with refusal_shown(request):
        services.move_known_answer(
            known_answer=known_answer,
            direction=request.POST.get("direction", ""),
            admin=request.user,
        )
    page = reverse("review:quality_kind", args=[slug, known_answer.item.kind])
    return redirect(f"{page}#known-{known_answer.pk}")


@require_POST
def retire(request: UserRequest, slug: str, known_id: int) -> HttpResponse:
    _, known_answer = quality_access.known_answer(request, slug, known_id)
    services.retire_known_answer(known_answer=known_answer, admin=request.user)
    messages.success(request, "Removed. What people answered is kept.")
    return redirect("review:quality_kind", slug, known_answer.item.kind)


@require_POST
def train_again(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    membership, graded = quality_access.graded_kind(request, slug, kind)
    with refusal_shown(request):
        services.train_again(project=membership.project, kind=graded, admin=request.user)
        messages.success(request, "Everybody must pass the training again before their next work.")
    return redirect("review:quality_kind", slug, kind)


@require_POST
def let_in(request: UserRequest, slug: str, kind: str, person_id: int) -> HttpResponse:
    membership, graded = quality_access.graded_kind(request, slug, kind)
    _, person = quality_access.colleague(request, slug, person_id)
    services.let_in(project=membership.project, person=person, kind=graded, admin=request.user)
    messages.success(request, f"{person} can take this work now.")
    return redirect("review:quality_kind", slug, kind)


@require_POST
def end_pause(request: UserRequest, slug: str, pause_id: int) -> HttpResponse:
    _, pause = quality_access.pause(request, slug, pause_id)
    services.end_pause(pause=pause, admin=request.user)
    messages.success(request, f"{pause.person} can take this work again.")
    return redirect("review:quality_kind", slug, pause.kind)


@never_cache
@require_GET
def training(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    membership, graded = quality_access.trainee(request, slug, kind)
    return render(request, "review/quality/training.html", training_context(membership, graded))


@require_POST
def next_training(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    """Take the next item of the training."""
    membership, graded = quality_access.trainee(request, slug, kind)
    page = redirect("review:kind_training", slug, kind)
    if must_agree(request.user, membership.project):
        return redirect(consent_address(membership.project, next=page.url))
    with refusal_shown(request):
        if held := take_training(membership=membership, kind=graded):
            return redirect("annotate:work", held.pk)
    return page


@never_cache
@require_GET
def training_answer(request: UserRequest, slug: str, answer_id: int) -> HttpResponse:
    membership, answer = quality_access.own_training_answer(request, slug, answer_id)
    return render(request, "review/quality/answer.html", answer_context(membership, answer))
