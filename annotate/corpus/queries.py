"""The list of a project's clips, fast even for 200,000."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from annotate.corpus.clip_stages import Mark, at_stage, count_at_step, marks_of
from annotate.models import Clip, Project, Video, WorkItem
from annotate.paging import CountedRows

PAGE_SIZE = 50
FEW = 1000
SHORT_MS, LONG_MS = 5_000, 20_000  # CaReBench's clips are 5 to 20 s long (paper, section 3.1)
CATEGORIES_LAST_SECONDS = 60
MOST_LICENCES = 50
# A filter's value; no category has this name, because names never begin with a space.
NO_CATEGORY = " none"

LENGTHS = {
    "short": Q(duration_ms__lt=SHORT_MS),
    "band": Q(duration_ms__gte=SHORT_MS, duration_ms__lte=LONG_MS),
    "long": Q(duration_ms__gt=LONG_MS),
}
# Each order has an index, so that a page never sorts the whole corpus.
ORDERS = {
    "name": ["name"],
    "length": ["duration_ms", "id"],
    "category": ["video__category", "video__subcategory", "video_id", "id"],
    "added": ["id"],
}


class ClipRow(NamedTuple):
    clip: Clip
    marks: list[Mark]


def corpus_page(
    project: Project,
    filters: Mapping[str, Any],
    number: str | int | None,
    kinds: list[WorkItem.Kind],
) -> Page[ClipRow]:
    """Return a page of clips, each with its video. `filters` are a CorpusForm's; `kinds` are the
    project's kinds of work.
    """
    clips = filter_clips(project, filters)
    total = _count(project, clips, filters)
    if filters["sort"] == "category":
        clips = clips.filter(video__project=project)  # its index holds the order

    def read(start: int, stop: int) -> list[ClipRow]:
        return _with_marks(_keys(clips, filters, start, stop, total), project, kinds)

    return Paginator(CountedRows(total, read), PAGE_SIZE).get_page(number)


def _categories_key(project: Project) -> str:
    return f"categories-{project.pk}"


def _keys(
    clips: QuerySet[Clip], filters: Mapping[str, Any], start: int, stop: int, total: int
) -> list[int]:
    """Return only the keys of the page's clips, from an index, read from the nearer end."""
    from_end = start > total // 2
    if from_end:
        start, stop = total - stop, total - start
    sign = "-" if bool(filters["descending"]) != from_end else ""
    order = [sign + field for field in ORDERS[filters["sort"]]]
    keys = clips.order_by(*order).values_list("pk", flat=True)
    # With a LIMIT, PostgreSQL would scan the whole index of the order for the few matches.
    on_page = list(keys)[start:stop] if total <= FEW else list(keys[start:stop])
    return on_page[::-1] if from_end else on_page


def filter_clips(project: Project, filters: Mapping[str, Any]) -> QuerySet[Clip]:
    clips: QuerySet[Clip] = Clip.objects.filter(project=project)
    if name := filters.get("q"):
        clips = clips.filter(Q(name__icontains=name) | _by_short_name(name))
    for field in ("category", "subcategory"):
        if value := filters.get(field):
            # Repeat the project, because the index on videos begins with it.
            category = "" if value == NO_CATEGORY else value
            clips = clips.filter(**{f"video__{field}": category, "video__project": project})
    if label := filters.get("label"):
        clips = clips.filter(label__key=label, label__project=project)
    if length := filters.get("length"):
        clips = clips.filter(LENGTHS[length])
    if stage := filters.get("stage"):
        clips = at_stage(clips, project, stage)
    return clips


def categories(project: Project) -> list[tuple[str, str]]:
    """Return the (category, subcategory) pairs of the project's videos, at most a minute old."""
    key = _categories_key(project)
    pairs: list[tuple[str, str]] | None = cache.get(key)
    if pairs is None:
        pairs = list(
            Video.objects.filter(project=project)
            .order_by("category", "subcategory")
            .values_list("category", "subcategory")
            .distinct()
        )
        cache.set(key, pairs, CATEGORIES_LAST_SECONDS)
    return pairs


def facts_in_use(project: Project) -> dict[str, list[str]]:
    """Return the facts used for the project's videos, to offer them for other videos."""
    pairs = categories(project)
    licences = Video.objects.filter(project=project).exclude(licence="").order_by()
    return {
        "categories": sorted({category for category, _ in pairs} - {""}),
        "subcategories": sorted({subcategory for _, subcategory in pairs} - {""}),
        "licences": sorted(licences.values_list("licence", flat=True).distinct()[:MOST_LICENCES]),
    }


def forget_categories(project: Project) -> None:
    """A new or changed video may have a new category."""
    cache.delete(_categories_key(project))


def _count(project: Project, clips: QuerySet[Clip], filters: Mapping[str, Any]) -> int:
    """Count the clips; those at one stage are counted by the index on work."""
    narrowing = {name for name, value in filters.items() if value} - {"sort", "descending"}
    by_step = count_at_step(project, filters["stage"]) if narrowing == {"stage"} else None
    return clips.count() if by_step is None else by_step


def _with_marks(clip_ids: list[int], project: Project, kinds: list[WorkItem.Kind]) -> list[ClipRow]:
    clips = Clip.objects.for_corpus().in_bulk(clip_ids)
    marks = marks_of(clips.values(), project, kinds)
    return [ClipRow(clips[key], marks[key]) for key in clip_ids]


def _by_short_name(name: str) -> Q:
    """Return the condition for the clip that pages of work call so, such as "Clip 12"."""
    number = re.fullmatch(r"clip\s+([0-9]{1,15})", name.strip(), re.IGNORECASE)
    return Q(pk=int(number[1])) if number else Q()
