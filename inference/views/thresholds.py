"""From which score captions are kept, and the scores of one clip."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from annotate.access import clip as clip_of
from inference import access
from inference.errors import InferenceError
from inference.forms.thresholds import ThresholdForm
from inference.score_pages import clip_scores_context, form_ids, threshold_context
from inference.services.thresholds import adopt_threshold


@require_http_methods(["GET", "POST"])
def threshold(request: HttpRequest, slug: str) -> HttpResponse:
    """The thresholds by scorer; a POST adopts another one for a scorer."""
    membership = access.admin(request, slug)
    form = None
    if request.method == "POST":
        form = ThresholdForm(request.POST, auto_id=form_ids(request.POST.get("scorer", "")))
        if form.is_valid():
            try:
                adopted = adopt_threshold(
                    project=membership.project, admin=request.user, **form.cleaned_data
                )
            except InferenceError as error:
                form.add_error("value", str(error))
            else:
                said = f"{adopted.value:g} is the threshold of {adopted.scorer_name} now."
                messages.success(request, said)
                return redirect("inference:threshold", slug)
    context = threshold_context(membership.project, form) | {
        "membership": membership,
        "refused": form,
    }
    return render(request, "inference/threshold.html", context, status=422 if form else 200)


@require_GET
def clip_scores(request: HttpRequest, slug: str, clip_id: int) -> HttpResponse:
    membership, found = clip_of(request, slug, clip_id)
    context = clip_scores_context(membership, found)
    return render(request, "inference/clip_scores.html", context)
