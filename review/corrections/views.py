"""The corrections that people proposed in a study, and the decision which one counts."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.models import Membership
from annotate.refusals import refusal_shown
from review import access
from review.corrections import access as corrections_access
from review.corrections.pages import correction_context, corrections_context
from review.corrections.queries import may_decide, next_to_decide, proposals_of
from review.corrections.services import decide_corrections
from review.verification.forms import CorrectionForm

DECIDED = "You have no decision to make about this caption."


@require_GET
def corrections(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    context = corrections_context(membership, request.GET.get("page"))
    return render(request, "review/corrections/study_corrections.html", context)


@require_GET
def correction(request: UserRequest, slug: str, caption_id: int) -> HttpResponse:
    membership, caption = corrections_access.proposed_correction(request, slug, caption_id)
    if not may_decide(membership, caption):
        messages.info(request, DECIDED)
        return redirect("review:study_corrections", slug)
    context = correction_context(membership, caption)
    return render(request, "review/corrections/study_correction.html", context)


@require_POST
def decide(request: UserRequest, slug: str, caption_id: int) -> HttpResponse:
    membership, caption = corrections_access.proposed_correction(request, slug, caption_id)
    if not may_decide(membership, caption):
        messages.error(request, DECIDED)
        return redirect("review:study_corrections", slug)
    form = CorrectionForm(request.POST, verifications=list(proposals_of(caption)))
    if not form.is_valid():
        context = correction_context(membership, caption, form)
        return render(request, "review/corrections/study_correction.html", context, status=422)
    with refusal_shown(request):
        decision = decide_corrections(
            membership=membership, caption=caption, accepted=form.verification
        )
        accepted = "The correction is now the clip's caption."
        messages.success(request, accepted if decision.result else "The machine caption stays.")
        return _next(membership, slug, caption.pk)
    return redirect("review:study_corrections", slug)


def _next(membership: Membership, slug: str, after: int) -> HttpResponse:
    following = next_to_decide(membership, after)
    if following is None:
        return redirect("review:study_corrections", slug)
    return redirect("review:study_correction", slug, following.pk)
