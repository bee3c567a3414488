"""How precise what people judge is, and when they have judged enough."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.refusals import refusal_in
from review import access
from review.precision.access import find_judging
from review.precision.forms import StoppingRuleForm
from review.precision.pages import precision_context
from review.precision.services import choose_stopping_rule

TEMPLATE = "review/precision/precision.html"


@require_GET
def precision(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    return render(request, TEMPLATE, precision_context(membership, request.GET.get("of", "")))


@require_POST
def set_rule(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    judging = find_judging(membership, request.POST.get("of", ""))
    if judging is None:
        messages.error(request, "Choose a study, a round or a spot check of this project.")
        return redirect("review:precision", slug)
    form = StoppingRuleForm(judging, request.POST)
    if form.is_valid():
        width = form.cleaned_data["width"]
        with refusal_in(form):
            choose_stopping_rule(
                project=membership.project,
                judging=judging,
                width=width,
                action=form.cleaned_data["action"],
                admin=request.user,
            )
            messages.success(request, _told(width))
            page = reverse("review:precision", args=[slug])
            return redirect(f"{page}?of={judging.key}")
    context = precision_context(membership, judging.key, form)
    if not judging.is_open:
        messages.error(
            request, f"{judging.title} has ended meanwhile: choose a rule for one that is open."
        )
    elif judging.rule and judging.rule.reached_at:
        messages.error(
            request, f"{judging.title} is precise enough meanwhile: stop it, or let people finish."
        )
    return render(request, TEMPLATE, context, status=422)


def _told(width: float | None) -> str:
    if width is None:
        return "The rule is removed. Intervals are again those for a number set in advance."
    return f"Enough at a width of {width:g}. The intervals now hold however often you look."
