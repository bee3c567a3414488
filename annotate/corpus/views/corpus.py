"""Views of the corpus: the list of clips and its balance."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate import access
from annotate.access import UserRequest
from annotate.corpus.balance import has_quota, spread_of
from annotate.corpus.clip_stages import kinds_in, stage_choices
from annotate.corpus.forms import CorpusForm
from annotate.corpus.histogram import draw_histogram
from annotate.corpus.labels import label_choices
from annotate.corpus.pieces import left_out
from annotate.corpus.queries import categories, corpus_page
from annotate.models import Project


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
    by_category, lengths = spread_of(project)
    quota = (project.quota_min, project.quota_max) if has_quota(project) else (0, 0)
    context = {
        "membership": membership,
        "project": project,
        "categories": by_category,
        "has_quota": has_quota(project),
        "most_clips": max([quota[1], *(s.clips for c in by_category for s in c.subcategories)]),
        "quota_width": quota[1] - quota[0],
        "lengths": lengths,
        "histogram": draw_histogram(lengths, band=has_quota(project)),
        "left_out": left_out(project),
    }
    return render(request, "annotate/corpus/corpus_balance.html", context)


def _columns(form: CorpusForm) -> list[dict[str, str]]:
    """Return the sortable heads: each with its link and current order."""
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
