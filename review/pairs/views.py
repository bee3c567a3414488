"""Label pairs: compared, handed out, judged again."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.lists.pages import default_address, list_menu
from annotate.models import Membership, SavedView
from annotate.queue.queries import held_meanwhile
from annotate.refusals import refusal_shown
from annotate.responses import back_to_list
from inference.registry import Role
from inference.words import counted
from review import access
from review.pairs import access as pairs_access
from review.pairs.comparison import start_comparison
from review.pairs.forms import CompareForm, HandOutForm, models_with
from review.pairs.models import LabelPair
from review.pairs.pages import comparison_context, label_pairs_context
from review.pairs.services import hand_out_pairs, record_pair_verdict
from review.reports.sections import sections_of

VIEWS = SavedView.ListName.LABEL_PAIRS


@require_GET
def label_pairs(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    if default := default_address(membership, VIEWS, request.GET):
        return redirect(default)
    return _page(request, membership)


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    """Show the state of the comparison; once it has ended, make the browser reload the page."""
    membership = access.reviewer(request, slug)
    context = comparison_context(membership)
    response = render(request, "review/pairs/pair_comparison.html", context)
    if not context["is_comparing"]:
        response["HX-Refresh"] = "true"
    return response


@require_POST
def compare(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    encoders = models_with(Role.ENCODER, membership.project_id)
    form = CompareForm(request.POST, models=encoders)
    if not form.is_valid():
        return _page(request, membership, compare_form=form, status=422)
    with refusal_shown(request):
        start_comparison(project=membership.project, admin=request.user, **form.cleaned_data)
    return back_to_list(request, "review:label_pairs", slug)


@require_POST
def hand_out(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = HandOutForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, hand_out_form=form, status=422)
    number = hand_out_pairs(project=membership.project, admin=request.user, **form.cleaned_data)
    if number:
        pairs = counted(number, ("pair", "pairs"))
        messages.success(request, f"Handed out {pairs}. See My work.")
    else:
        messages.info(
            request, "No new pair is this similar: all are already handed out or decided."
        )
    return back_to_list(request, "review:label_pairs", slug)


@require_POST
def judge_again(request: UserRequest, assignment_id: int) -> HttpResponse:
    assignment = pairs_access.own_pair_verdict(request, assignment_id)
    kind = request.POST.get("kind", "")
    if kind not in LabelPair.Kind.values:
        messages.error(request, "Choose temporal change, event change or reject.")
        return redirect("annotate:work", assignment.pk)
    with refusal_shown(request):
        record_pair_verdict(assignment=assignment, kind=kind)
        messages.success(request, f"Changed to: {LabelPair.Kind(kind).label.lower()}.")
        held = held_meanwhile(assignment)
        my_work = reverse("annotate:my_work", args=[assignment.item.project.slug])
        return redirect(reverse("annotate:work", args=[held.pk]) if held else my_work)
    return redirect("annotate:work", assignment.pk)


def _page(
    request: UserRequest,
    membership: Membership,
    *,
    compare_form: CompareForm | None = None,
    hand_out_form: HandOutForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = label_pairs_context(
        membership, request.GET, compare_form=compare_form, hand_out_form=hand_out_form
    )
    context["added"] = sections_of("label_pairs", membership, request.GET, context)
    context |= list_menu(membership, VIEWS, request)
    if compare_form and context["labels"] < 2:
        messages.error(request, "Fewer than two labels are left: add labels, then compare them.")
    elif compare_form and not context["encoders"]:
        messages.error(request, "No model that compares labels is left: add a model first.")
    elif hand_out_form and not context["progress"].pairs:
        messages.error(request, "No pairs are left: compare the labels first.")
    return render(request, "review/pairs/label_pairs.html", context, status=status)
