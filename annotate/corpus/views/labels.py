"""The view of the clips' labels."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate import access
from annotate.access import UserRequest
from annotate.corpus.balance import clip_lengths
from annotate.corpus.forms import LabelSearchForm
from annotate.corpus.histogram import draw_histogram
from annotate.corpus.label_chart import draw_labels
from annotate.corpus.labels import label_counts, label_groups, label_page, labeled_clips


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
        "query": urlencode(form.filters),
        "counts": counts,
        "without_clips": sum(not label.clips for label in counts),
        "chart": draw_labels(counts),
        "lengths": lengths,
        "histogram": draw_histogram(lengths, band=False),
    }
    return render(request, "annotate/corpus/labels.html", context)
