"""The queries of an mAP@K report, with the clips that each baseline ranks first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q

from annotate.models import Clip, Membership, Video
from review.composed.computing import BASELINES, SHOWN, Composed
from review.composed.forms import BASELINE_NAMES, FIRST, MISSED, QueryFilterForm
from review.composed.report import ComposedParameters
from review.reports.models import Report
from review.reports.results import parameters_of, result_of
from review.triplets.models import ComposedQuery

PAGE_SIZE = 50


@dataclass(frozen=True)
class AskedQuery:
    """A query of the report. `rankings`: by baseline, the keys of its first clips."""

    key: int
    clip: int
    text: str
    targets: tuple[int, ...]
    right_too: frozenset[int]
    rankings: Mapping[str, Sequence[int]]

    def first_hit(self, baseline: str) -> int | None:
        """Return the rank, from 1, of the first target; None if no target is ranked."""
        ranked = (clip for clip in self.rankings[baseline] if clip not in self.right_too)
        return next((rank for rank, clip in enumerate(ranked, 1) if clip in self.targets), None)

    def found_by(self, baselines: Sequence[str]) -> bool:
        return any(self.first_hit(baseline) for baseline in baselines)


@dataclass(frozen=True)
class ListedQuery:
    asked: AskedQuery
    composed: ComposedQuery
    first_hits: list[int | None]

    @property
    def named_hits(self) -> list[tuple[str, int | None]]:
        """Return the rank of the first target by the name of its baseline."""
        return list(zip(BASELINE_NAMES.values(), self.first_hits, strict=True))


@dataclass(frozen=True)
class RankedClip:
    """`rank` is None if the clip is right but not a target, and so omitted from the ranking.
    `is_spare`: it has the target label, but counts as wrong.
    """

    rank: int | None
    clip: Clip
    is_right: bool
    is_spare: bool


@dataclass(frozen=True)
class Ranking:
    baseline: str
    name: str
    clips: list[RankedClip]

    @property
    def n_right(self) -> int:
        return sum(ranked.is_right for ranked in self.clips)


def asked_queries(report: Report) -> list[AskedQuery]:
    result = result_of(report, Composed)
    return [
        AskedQuery(
            key=query.key,
            clip=query.clip,
            text=query.text,
            targets=tuple(query.targets),
            right_too=frozenset(query.right_too),
            rankings={name: result.rankings[name][query.key] for name in BASELINES},
        )
        for query in result.queries
    ]


def queries_context(
    membership: Membership, report: Report, form: QueryFilterForm, number: str | None
) -> dict[str, Any]:
    queries = asked_queries(report)
    page = Paginator(_filtered(report, queries, form), PAGE_SIZE).get_page(number)
    return {
        "membership": membership,
        "project": membership.project,
        "report": report,
        "parameters": parameters_of(report, ComposedParameters),
        "form": form,
        "query": form.query(),
        "page": page,
        "queries": _listed(page),
        "total": len(queries),
        "n_shown": SHOWN,
        "baselines": list(BASELINE_NAMES.values()),
        "is_superseded": report.is_superseded,
    }


def query_context(
    membership: Membership, report: Report, form: QueryFilterForm, composed: ComposedQuery
) -> dict[str, Any]:
    """Return the context of `composed`, one of the report's queries. Its neighbors are those in the
    filtered list.
    """
    queries = asked_queries(report)
    query = next(query for query in queries if query.key == composed.pk)
    keys = [query.key for query in _filtered(report, queries, form)]
    place = keys.index(query.key) if query.key in keys else None
    clip_keys = {*query.targets, *(clip for ranked in query.rankings.values() for clip in ranked)}
    clips = Clip.objects.select_related("video", "label").in_bulk([query.clip, *clip_keys])
    return {
        "membership": membership,
        "project": membership.project,
        "report": report,
        "parameters": parameters_of(report, ComposedParameters),
        "asked": query,
        "composed": composed,
        "clip": clips[query.clip],
        "targets": [clips[key] for key in query.targets if key in clips],
        "rankings": [
            rank_clips(query, baseline, clips, composed.modification.target_id)
            for baseline in BASELINES
        ],
        "query": form.query(),
        "place": None if place is None else place + 1,
        "count": len(keys),
        "previous": keys[place - 1] if place else None,
        "next": None if place is None or place + 1 == len(keys) else keys[place + 1],
        "n_shown": SHOWN,
        "is_superseded": report.is_superseded,
    }


def _listed(listed: Sequence[AskedQuery]) -> list[ListedQuery]:
    """Return queries, each with its clip and its labels."""
    composed = ComposedQuery.objects.select_related(
        "clip__video", "modification__source", "modification__target"
    ).in_bulk([query.key for query in listed])
    return [
        ListedQuery(
            query,
            composed[query.key],
            [query.first_hit(baseline) for baseline in BASELINES],
        )
        for query in listed
    ]


def _filtered(
    report: Report, asked: Sequence[AskedQuery], form: QueryFilterForm
) -> list[AskedQuery]:
    queries = list(asked)
    if form.outcome in {FIRST, MISSED}:
        is_first = form.outcome == FIRST
        queries = [query for query in queries if query.found_by(form.baselines) == is_first]
    if words := form.words:
        of_label = _of_label(report, words)
        plain = words.casefold()
        queries = [
            query for query in queries if plain in query.text.casefold() or query.key in of_label
        ]
    return queries


def _of_label(report: Report, words: str) -> set[int]:
    """Return the queries from or to a label with this key, or with these words in its caption."""
    either = Q()
    for side in ("source", "target"):
        either |= Q(**{f"modification__{side}__key__iexact": words})
        either |= Q(**{f"modification__{side}__caption__icontains": words})
    queries = ComposedQuery.objects.filter(
        either,
        triplets__project=report.project_id,
        triplets__number=parameters_of(report, ComposedParameters).triplets,
        split=Video.Split.TEST,
    )
    return set(queries.values_list("pk", flat=True))


def rank_clips(query: AskedQuery, baseline: str, clips: Mapping[int, Clip], label: int) -> Ranking:
    """Return the first clips of a baseline. `label`: that of the targets."""
    ranked, rank = [], 0
    for key in query.rankings[baseline]:
        counts = key not in query.right_too
        rank += counts
        if clip := clips.get(key):  # it may have been deleted since
            is_right = key in query.targets
            ranked.append(
                RankedClip(
                    rank if counts else None,
                    clip,
                    is_right=is_right,
                    is_spare=counts and not is_right and clip.label_id == label,
                )
            )
    return Ranking(baseline, BASELINE_NAMES[baseline], ranked)
