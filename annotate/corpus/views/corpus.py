"""Views of the corpus: the list of clips and its balance."""

from __future__ import annotations

from urllib.parse import parse_qsl

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from annotate import access
from annotate.access import UserRequest
from annotate.corpus.balance import has_quota, spread_of
from annotate.corpus.caption_hits import MAX_CAPTIONS
from annotate.corpus.clip_stages import kinds_in
from annotate.corpus.forms import CorpusForm, corpus_form
from annotate.corpus.histogram import draw_histogram
from annotate.corpus.pieces import left_out
from annotate.corpus.queries import choose_clips, corpus_page
from annotate.lists.columns import ChosenColumns, Column
from annotate.lists.pages import default_address, list_menu
from annotate.models import Role, SavedView
from annotate.search.queries import count_waiting

LIST = SavedView.ListName.CLIPS
COLUMNS = (
    Column("picture", "Picture", is_wide=True),
    Column("stage", "Stage or label"),
    Column("category", "Category", is_wide=True),
    Column("length", "Length", is_wide=True),
    Column("added", "Added", is_wide=True),
)


@require_GET
def corpus(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    project = membership.project
    if default := default_address(membership, LIST, request.GET):
        return redirect(default)
    kinds = kinds_in(project)
    form = corpus_form(project, kinds, request.GET)
    menu = list_menu(membership, LIST, request, columns=COLUMNS, filters=form.query())
    chosen = choose_clips(membership, form.filters)
    changes_clips = membership.has_role(Role.ADMIN, Role.EXPERT)
    number = request.GET.get("page")
    page = corpus_page(membership, chosen, form.filters, number, kinds, shows_work=changes_clips)
    context = {
        "membership": membership,
        "project": project,
        "form": form,
        "page": page,
        "chosen": parse_qsl(form.query()),
        "is_empty": not page.paginator.count and not form.is_filtered,
        "heads": _heads(form, menu["columns_chosen"]),
        "changes_clips": changes_clips,
        # The priority of work can reveal the score of its caption.
        "shows_priority": not membership.has_role(Role.ANNOTATOR, Role.REVIEWER),
        "hits": chosen.hits,
        "most_captions": MAX_CAPTIONS,
        "not_searchable": count_waiting(project) if chosen.hits else 0,
    }
    return render(request, "annotate/corpus/corpus.html", context | menu)


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


def _heads(form: CorpusForm, columns: ChosenColumns) -> list[dict[str, str]]:
    """Return the sortable heads of the chosen columns: each with its link and current order."""
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
        if name == "name" or name in columns.names
    ]
