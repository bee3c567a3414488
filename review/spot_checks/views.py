"""The pages of spot checks."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.refusals import refusal_in
from review import access
from review.spot_checks import access as check_access
from review.spot_checks.forms import RIGHT, JudgmentForm, SpotCheckForm
from review.spot_checks.pages import check_context, checks_context, item_context
from review.spot_checks.queries import next_item
from review.spot_checks.services import draw_spot_check, end_spot_check, judge_item


@require_GET
def spot_checks(request: UserRequest, slug: str) -> HttpResponse:
    context = checks_context(access.reviewer(request, slug))
    return render(request, "review/spot_checks/spot_checks.html", context)


@require_POST
def draw(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = SpotCheckForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            check = draw_spot_check(
                project=membership.project, admin=request.user, **form.cleaned_data
            )
            return redirect("review:spot_check", slug, check.pk)
    context = checks_context(membership, form)
    return render(request, "review/spot_checks/spot_checks.html", context, status=422)


@require_GET
def spot_check(request: UserRequest, slug: str, check_id: int) -> HttpResponse:
    membership, check = check_access.spot_check(request, slug, check_id)
    context = check_context(membership, check, request.GET)
    return render(request, "review/spot_checks/spot_check.html", context)


@require_POST
def end(request: UserRequest, slug: str, check_id: int) -> HttpResponse:
    _, check = check_access.spot_check(request, slug, check_id)
    end_spot_check(check=check, admin=request.user)
    messages.success(request, "Ended. The judgments stay as they are.")
    return redirect("review:spot_check", slug, check_id)


@never_cache
@require_GET
def judge_next(request: UserRequest, slug: str, check_id: int) -> HttpResponse:
    """Show the next item, or go back to the list when none is left for this person."""
    membership, check = check_access.check_to_judge(request, slug, check_id)
    item = None if check.ended_at else next_item(check, request.user)
    if item is None:
        messages.info(request, "Nothing is left for you to judge in this spot check.")
        return redirect("review:spot_checks", slug)
    item.check_of = check
    return render(request, "review/spot_checks/item.html", item_context(membership, item))


@never_cache
@require_GET
def judged_item(request: UserRequest, slug: str, spot_item_id: int) -> HttpResponse:
    """Show an item again, so that its judgment can be replaced until the check ends."""
    membership, item = check_access.item_to_judge(request, slug, spot_item_id)
    if item.check_of.ended_at:
        return redirect("review:judge_next", slug, item.check_of_id)
    return render(request, "review/spot_checks/item.html", item_context(membership, item))


@require_POST
def judge(request: UserRequest, slug: str, spot_item_id: int) -> HttpResponse:
    membership, item = check_access.item_to_judge(request, slug, spot_item_id)
    form = JudgmentForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            judge_item(
                item=item,
                is_right=form.cleaned_data["verdict"] == RIGHT,
                remark=form.cleaned_data["remark"],
                reviewer=request.user,
            )
            return redirect("review:judge_next", slug, item.check_of_id)
    context = item_context(membership, item, form)
    return render(request, "review/spot_checks/item.html", context, status=422)
