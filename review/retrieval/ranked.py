"""The queries of a report of recall, and what each finds first (LoVR, section 4.5 and Figure 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.core.paginator import Paginator
from django.http import QueryDict
from numpy.typing import NDArray

from annotate.clips_to_do import hide, hides_facts
from annotate.corpus.blindness import hidden_captions
from annotate.models import Caption, Clip, Membership, Video
from annotate.paging import CountedRows
from review.reports.models import Report
from review.reports.results import parameters_of
from review.retrieval.directions import T2V
from review.retrieval.forms import BEST, OUTCOMES, QueryFilterForm
from review.retrieval.models import RecallRanking
from review.retrieval.queries import GALLERY_OF
from review.retrieval.results import VectorParameters
from review.retrieval.rows import KIND_NAMES
from review.retrieval.sections import WAY_NAMES

PAGE_SIZE = 50


@dataclass(frozen=True)
class Text:
    """A caption; `text` is "" if `is_hidden` from the person who looks."""

    caption: int
    text: str
    is_hidden: bool


@dataclass(frozen=True)
class ListedQuery:
    """`text` is None if a clip is the query."""

    key: int
    clip: Clip
    text: Text | None
    rank: int


@dataclass(frozen=True)
class RankedItem:
    """A clip at its place in the ranking, from 1; with `text` if captions are ranked."""

    place: int
    clip: Clip
    is_right: bool
    text: Text | None


def rankings_of(report: Report) -> list[RecallRanking]:
    """Return the report's rankings in the order of the tables, without their arrays."""
    order = list(GALLERY_OF)
    arrays = ("queries", "clips", "ranks", "nearest")
    rankings = RecallRanking.objects.filter(report=report).defer(*arrays)
    return sorted(rankings, key=lambda ranking: (order.index(ranking.kind), ranking.way != T2V))


def filter_form(report: Report, data: QueryDict) -> QueryFilterForm:
    """Return the filters with the kinds of captions and the categories that the report has."""
    rankings = rankings_of(report)
    kinds = dict.fromkeys(ranking.kind for ranking in rankings)
    videos = Video.objects.filter(project=report.project_id).order_by("category")
    categories = videos.values_list("category", flat=True).distinct()
    return QueryFilterForm(
        data,
        captions=[(kind, KIND_NAMES[kind]) for kind in kinds],
        category=[("", "Any"), *((name, name) for name in categories if name)],
    )


def queries_context(
    membership: Membership, report: Report, form: QueryFilterForm, number: str | None
) -> dict[str, Any]:
    """Return the context of the list, with a notice if the report keeps no ranks."""
    context: dict[str, Any] = {
        "membership": membership,
        "project": membership.project,
        "report": report,
        "parameters": parameters_of(report, VectorParameters),
        "form": form,
        "is_superseded": report.is_superseded,
    }
    ranking = _chosen(report, form)
    if ranking is None:
        return context
    places = filtered_places(membership, ranking, form)
    rows = CountedRows(
        len(places), lambda start, stop: _listed(membership, ranking, places[start:stop])
    )
    return (
        context
        | {
            "ranking": ranking,
            "page": Paginator(rows, PAGE_SIZE).get_page(number),
            "query": form.query(),
            "total": len(ranking.array("queries")),
        }
        | _about(ranking)
    )


def query_context(
    membership: Membership,
    report: Report,
    form: QueryFilterForm,
    ranking: RecallRanking,
    key: int,
) -> dict[str, Any]:
    """Return the context of the query `key` of the ranking. Its neighbors are those in the
    filtered list.
    """
    keys = ranking.array("queries")
    row = int(np.flatnonzero(keys == key)[0])
    places = filtered_places(membership, ranking, form).tolist()
    place = places.index(row) if row in places else None
    rank = int(ranking.array("ranks")[row])
    clip = Clip.objects.select_related("video").get(pk=int(ranking.array("clips")[row]))
    hide(membership, [clip])
    items = _ranked(membership, ranking, row, clip)
    found_at = next((item.place for item in items if item.is_right), None)
    own = [key] if _is_text(ranking) else _captions_of(ranking, clip)
    return {
        "membership": membership,
        "project": membership.project,
        "report": report,
        "parameters": parameters_of(report, VectorParameters),
        "ranking": ranking,
        "clip": clip,
        "texts": _texts(membership, own),
        "rank": rank,
        "has_ties": found_at is not None and found_at != rank,
        "items": items,
        "item_count": len(items),
        "query": form.query(),
        "place": None if place is None else place + 1,
        "count": len(places),
        "previous": int(keys[places[place - 1]]) if place else None,
        "next": int(keys[places[place + 1]])
        if place is not None and place + 1 < len(places)
        else None,
        "is_superseded": report.is_superseded,
    } | _about(ranking)


def filtered_places(
    membership: Membership, ranking: RecallRanking, form: QueryFilterForm
) -> NDArray[np.int64]:
    """Return the rows of the ranking that the filter keeps, worst rank first unless chosen
    otherwise; equals by key.
    """
    ranks, keys = ranking.array("ranks"), ranking.array("queries")
    low, high = OUTCOMES[form.outcome]
    kept = ranks >= low
    if high is not None:
        kept &= ranks <= high
    if form.in_category or form.words:
        clips = Clip.objects.filter(project=ranking.report.project_id)
        if hidden := hides_facts(membership):
            clips = clips.exclude(hidden)
        if form.in_category:
            clips = clips.filter(video__category=form.in_category)
        if form.words:
            clips = clips.filter(name__icontains=form.words)
        kept &= np.isin(ranking.array("clips"), list(clips.values_list("pk", flat=True)))
    places = np.flatnonzero(kept)
    of_places = ranks[places] if form.order == BEST else -ranks[places]
    return places[np.lexsort((keys[places], of_places))]


def _chosen(report: Report, form: QueryFilterForm) -> RecallRanking | None:
    """Return the ranking of the kind and direction that are chosen, or the first; None without
    any.
    """
    rankings = rankings_of(report)
    chosen = [r for r in rankings if (r.kind, r.way) == (form.kind, form.direction)]
    of_kind = [r for r in rankings if r.kind == form.kind]
    first = next(iter(chosen or of_kind or rankings), None)
    return RecallRanking.objects.select_related("report").get(pk=first.pk) if first else None


def _listed(
    membership: Membership, ranking: RecallRanking, places: NDArray[np.int64]
) -> list[ListedQuery]:
    """Return queries whose clip still exists."""
    keys, clips, ranks = (
        ranking.array(name)[places].tolist() for name in ("queries", "clips", "ranks")
    )
    by_key = Clip.objects.select_related("video").in_bulk(clips)
    hide(membership, by_key.values())
    texts = {text.caption: text for text in _texts(membership, keys)} if _is_text(ranking) else {}
    return [
        ListedQuery(key, by_key[clip], texts.get(key), rank)
        for key, clip, rank in zip(keys, clips, ranks, strict=True)
        if clip in by_key
    ]


def _ranked(
    membership: Membership, ranking: RecallRanking, row: int, right: Clip
) -> list[RankedItem]:
    nearest = [key for key in ranking.array("nearest")[row].tolist() if key >= 0]
    texts: dict[int, Text] = {}
    clip_of = {key: key for key in nearest}
    if not _is_text(ranking):
        texts = {text.caption: text for text in _texts(membership, nearest)}
        captions = Caption.objects.filter(pk__in=nearest)
        clip_of = dict(captions.values_list("pk", "clip"))
    clips = Clip.objects.select_related("video").in_bulk(list(clip_of.values()))
    hide(membership, clips.values())
    return [
        RankedItem(place, clips[clip_of[key]], clip_of[key] == right.pk, texts.get(key))
        for place, key in enumerate(nearest, 1)
        if clip_of.get(key) in clips  # it can have been removed since
    ]


def _texts(membership: Membership, keys: Sequence[int]) -> list[Text]:
    """Return these captions, without the texts that this person could still judge."""
    captions = Caption.objects.filter(pk__in=keys)
    hidden = set(hidden_captions(membership, captions).values_list("pk", flat=True))
    return [
        Text(pk, "" if pk in hidden else text, pk in hidden)
        for pk, text in captions.order_by("pk").values_list("pk", "text")
    ]


def _captions_of(ranking: RecallRanking, clip: Clip) -> list[int]:
    """Return the captions of the clip, which are queries in the other direction."""
    back = RecallRanking.objects.get(report=ranking.report_id, kind=ranking.kind, way=T2V)
    own: list[int] = back.array("queries")[back.array("clips") == clip.pk].tolist()
    return own


def _is_text(ranking: RecallRanking) -> bool:
    return ranking.way == T2V


def _about(ranking: RecallRanking) -> dict[str, Any]:
    return {
        "kind_name": KIND_NAMES[ranking.kind],
        "way_name": WAY_NAMES[ranking.way],
        "is_text": _is_text(ranking),
        "n_gallery": ranking.n_gallery,
    }
