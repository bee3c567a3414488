"""The corpus: the list of clips, and how it is balanced."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate import access
from annotate.access import UserRequest
from annotate.corpus.balance import category_counts, clip_lengths
from annotate.corpus.clip_stages import kinds_in, stage_choices
from annotate.corpus.forms import CorpusForm
from annotate.corpus.histogram import draw_histogram
from annotate.corpus.labels import label_choices
from annotate.corpus.queries import categories, corpus_page
from annotate.models import Clip, Project


@require_GET
def corpus(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    project = membership.project
    kinds = kinds_in(project)
    form = CorpusForm(
        request.GET,
        categories=categories(project),
        stages=stage_choices(kinds),
        labels=label_choices(project) if project.protocol == Project.Protocol.TFCOVR else (),
    )
    page = corpus_page(project, form.filters, request.GET.get("page"), kinds)
    context = {
        "membership": membership,
        "project": project,
        "form": form,
        "page": page,
        "query": form.query(),
        "is_empty": not page.paginator.count and not form.is_filtered,
        "columns": _columns(form),
    }
    return render(request, "annotate/corpus/corpus.html", context)


@require_GET
def balance(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    project = membership.project
    lengths = clip_lengths(Clip.objects.filter(project=project))
    found = category_counts(project)
    context = {
        "membership": membership,
        "project": project,
        "categories": found,
        "most_clips": max([project.quota_max, *(s.clips for c in found for s in c.subcategories)]),
        "quota_width": project.quota_max - project.quota_min,
        "lengths": lengths,
        "histogram": draw_histogram(lengths),
    }
    return render(request, "annotate/corpus/corpus_balance.html", context)


def _columns(form: CorpusForm) -> list[dict[str, str]]:
    """The sortable heads: where each leads, and how it stands now."""
    sort, down = form.filters["sort"], form.filters.get("descending", False)
    return [
        {
            "name": name,
            "label": label,
            "state": ("descending" if down else "ascending") if name == sort else "",
            "query": form.query(sort=name, descending=name == sort and not down),
        }
        for name, label in (
            ("name", "Clip"),
            ("category", "Category"),
            ("length", "Length"),
            ("added", "Added"),
        )
    ]
