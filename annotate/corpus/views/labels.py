"""The views of the clips' labels: the list, and one label with its corrections."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.corpus.balance import clip_lengths
from annotate.corpus.forms import LabelForm, LabelSearchForm
from annotate.corpus.histogram import draw_histogram
from annotate.corpus.label_chart import draw_labels
from annotate.corpus.labels import (
    equal_labels,
    label_counts,
    label_groups,
    label_history,
    label_page,
    labeled_clips,
)
from annotate.corpus.services import labels as corrections
from annotate.models import ActionLabel, Membership, Role
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import back_to_list


@require_GET
def labels(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    project = membership.project
    form = LabelSearchForm(request.GET, **label_groups(project))
    counts = label_counts(project)
    lengths = clip_lengths(labeled_clips(project))
    context = {
        "membership": membership,
        "project": project,
        "form": form,
        "page": label_page(project, form.filters, request.GET.get("page")),
        "query": form.query(),
        "counts": counts,
        "equal": equal_labels(project),
        "without_clips": sum(not label.clips for label in counts),
        "chart": draw_labels(counts),
        "lengths": lengths,
        "histogram": draw_histogram(lengths, band=False),
    }
    return render(request, "annotate/corpus/labels.html", context)


@require_GET
def label(request: UserRequest, slug: str, label_id: int) -> HttpResponse:
    return _label_page(request, *access.label(request, slug, label_id))


@require_POST
def correct_label(request: UserRequest, slug: str, label_id: int) -> HttpResponse:
    membership, label = access.label(request, slug, label_id, Role.ADMIN)
    form = LabelForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            corrections.correct_label(label=label, admin=request.user, **form.cleaned_data)
            messages.success(
                request, "Corrected. Texts and sets that use it are marked as outdated."
            )
            return redirect("annotate:label", slug, label_id)
    return _label_page(request, membership, label, form, status=422)


@require_POST
def count_as_one(request: UserRequest, slug: str, label_id: int) -> HttpResponse:
    _, label = access.label(request, slug, label_id, Role.ADMIN)
    with refusal_shown(request):
        equal = corrections.count_as_one(label=label, admin=request.user)
        keys = ", ".join(each.key for each in equal)
        messages.success(request, f"{keys} count as one in the next set of triplets.")
    return back_to_list(request, "annotate:labels", slug)


@require_POST
def count_apart(request: UserRequest, slug: str, label_id: int) -> HttpResponse:
    _, label = access.label(request, slug, label_id, Role.ADMIN)
    with refusal_shown(request):
        corrections.count_apart(label=label, admin=request.user)
        messages.success(request, "They count apart in the next set of triplets.")
    return back_to_list(request, "annotate:labels", slug)


def _label_page(
    request: UserRequest,
    membership: Membership,
    label: ActionLabel,
    form: LabelForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "membership": membership,
        "project": membership.project,
        "label": label,
        "clips": label.clips.count(),
        "history": label_history(label),
        "form": form or LabelForm(initial={"caption": label.caption, "event": label.event}),
    }
    return render(request, "annotate/corpus/label.html", context, status=status)
