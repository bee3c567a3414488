"""The list of a project's clips, fast even for 200,000."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from annotate.clips_to_do import hide, hides_facts, hides_progress
from annotate.corpus.caption_hits import Hits, Snippet, find_captions, snippets_of
from annotate.corpus.clip_stages import Mark, at_stage, count_at_step, marks_of
from annotate.kinds import Kind, kinds_with
from annotate.models import Assignment, Clip, Membership, Project, Tag, Video, WorkItem
from annotate.paging import CountedRows
from annotate.search.words import Term, read_terms

PAGE_SIZE = 50
FEW = 1000
SHORT_MS, LONG_MS = 5_000, 20_000  # CaReBench's clips are 5 to 20 s long (paper, section 3.1)
MAX_LICENSES = 50
# A filter's value; no category has this name, because names never begin with a space.
NO_CATEGORY = " none"

LENGTHS = {
    "short": Q(duration_ms__lt=SHORT_MS),
    "band": Q(duration_ms__gte=SHORT_MS, duration_ms__lte=LONG_MS),
    "long": Q(duration_ms__gt=LONG_MS),
}
# Filters by facts about a clip that can be the answer to work on it.
FACTS = ("q", "category", "subcategory", "label", "tagged")
VIDEO_FACTS = ("category", "subcategory")
# Each order has an index, so that a page never sorts the whole corpus.
ORDERS = {
    "name": ["name"],
    "length": ["duration_ms", "id"],
    "category": ["video__category", "video__subcategory", "video_id", "id"],
    "added": ["id"],
}


@dataclass(frozen=True)
class ClipRow:
    """`snippet`: the match of the searched words, if any. `priority`: the highest of its open work,
    None without any. `assigned`: the people with work on it reserved for them.
    """

    clip: Clip
    marks: list[Mark]
    snippet: Snippet | None
    tags: list[str]
    priority: float | None
    assigned: list[str]


@dataclass(frozen=True)
class ChosenClips:
    """The clips that match a list's filters. `hits` are the captions with the searched `terms`.

    `keys`: all of them in the list's order, where leaving out hidden clips takes longer than
    reading the rest; else None.
    """

    clips: QuerySet[Clip]
    total: int
    terms: list[Term]
    hits: Hits | None
    keys: list[int] | None = None


def choose_clips(membership: Membership, filters: Mapping[str, Any]) -> ChosenClips:
    """Return the clips that match a CorpusForm's filters, for this member, who can search only the
    captions that they may read.
    """
    project = membership.project
    clips = filter_clips(membership, filters)
    if terms := read_terms(filters.get("text", "")):
        narrowing = _narrowing(filters) - {"text"}
        hits = find_captions(membership, terms, clips if narrowing else None)
        clips = Clip.objects.filter(project=project, pk__in=list(hits.caption_of))
        return ChosenClips(clips, len(hits.caption_of), terms, hits)
    if _hides(membership, filters):
        keys = list(_in_order(clips, project, filters))
        return ChosenClips(clips, len(keys), [], None, keys)
    return ChosenClips(clips, _count(membership, clips, filters), [], None)


def corpus_page(
    membership: Membership,
    chosen: ChosenClips,
    filters: Mapping[str, Any],
    number: str | int | None,
    kinds: list[Kind],
    *,
    shows_work: bool = False,
) -> Page[ClipRow]:
    """Return a page of the chosen clips, each with its video. `filters`: the values of a
    CorpusForm. `kinds`: the project's kinds of work. `shows_work`: include the priority of their
    work and its reservations.
    """
    project = membership.project

    def read(start: int, stop: int) -> list[ClipRow]:
        if chosen.keys is None:
            keys = _keys(chosen, project, filters, start, stop)
        else:
            keys = chosen.keys[start:stop]
        return _rows(keys, membership, kinds, chosen, shows_work)

    return Paginator(CountedRows(chosen.total, read), PAGE_SIZE).get_page(number)


def _categories_key(project: Project) -> str:
    return f"categories-{project.pk}"


def _keys(
    chosen: ChosenClips, project: Project, filters: Mapping[str, Any], start: int, stop: int
) -> list[int]:
    """Return only the keys of the page's clips, from an index, read from the nearer end."""
    total = chosen.total
    from_end = start > total // 2
    if from_end:
        start, stop = total - stop, total - start
    keys = _in_order(chosen.clips, project, filters, from_end=from_end)
    # With a LIMIT, PostgreSQL would scan the whole index of the order for the few matches.
    on_page = list(keys)[start:stop] if total <= FEW else list(keys[start:stop])
    return on_page[::-1] if from_end else on_page


def _in_order(
    clips: QuerySet[Clip], project: Project, filters: Mapping[str, Any], *, from_end: bool = False
) -> QuerySet[Clip, int]:
    """Return the keys of the clips in the order of the list, or in the opposite one."""
    if filters["sort"] == "category":
        clips = clips.filter(video__project=project)  # its index has this order
    sign = "-" if bool(filters["descending"]) != from_end else ""
    order = [sign + field for field in ORDERS[filters["sort"]]]
    return clips.order_by(*order).values_list("pk", flat=True)


def _hides(membership: Membership, filters: Mapping[str, Any]) -> bool:
    """Return whether `filter_clips` leaves out what is hidden of clips from this member."""
    by_facts = _tells(filters, FACTS, ("name", "category"))
    if by_facts and hides_facts(membership) is not None:
        return True
    return _tells(filters, ("stage",)) and hides_progress(membership) is not None


def filter_clips(membership: Membership, filters: Mapping[str, Any]) -> QuerySet[Clip]:
    """Return the clips that match. A filter or an order by what is hidden of a clip leaves it out,
    for it would tell just that."""
    project = membership.project
    clips: QuerySet[Clip] = Clip.objects.filter(project=project)
    if any(filters.get(field) for field in VIDEO_FACTS):
        # The index on videos begins with the project. With the clip's project, too, SQLite would
        # take the clips from that index and ask about each whether it is hidden.
        clips = Clip.objects.filter(video__project=project)
    if _tells(filters, FACTS, ("name", "category")) and (hidden := hides_facts(membership)):
        # With another such filter or order, its presence or place would tell more than its number.
        tells_more = _tells(filters, set(FACTS) - {"q"}, ("name", "category"))
        by_number = Q() if tells_more else by_clip_number(filters.get("q") or "")
        clips = clips.filter(by_number | ~Q(hidden)) if by_number else clips.exclude(hidden)
    if _tells(filters, ("stage",)) and (hidden := hides_progress(membership)):
        clips = clips.exclude(hidden)
    if name := filters.get("q"):
        clips = clips.filter(Q(name__icontains=name) | by_clip_number(name))
    for field in VIDEO_FACTS:
        if value := filters.get(field):
            clips = clips.filter(**{f"video__{field}": "" if value == NO_CATEGORY else value})
    if label := filters.get("label"):
        clips = clips.filter(label__key=label, label__project=project)
    if tag := filters.get("tagged"):
        clips = clips.filter(tags__project=project, tags__name=tag)
    if length := filters.get("length"):
        clips = clips.filter(LENGTHS[length])
    if stage := filters.get("stage"):
        clips = at_stage(clips, project, stage)
    return clips


def categories(project: Project) -> list[tuple[str, str]]:
    """Return the (category, subcategory) pairs of the project's videos."""
    videos = Video.objects.filter(project=project).order_by("category", "subcategory")
    return list(videos.values_list("category", "subcategory").distinct())


def tags_of(project: Project) -> list[str]:
    return list(Tag.objects.filter(project=project).values_list("name", flat=True))


def facts_in_use(project: Project) -> dict[str, list[str]]:
    """Return the facts used for the project's videos, to offer them for other videos."""
    pairs = categories(project)
    licenses = Video.objects.filter(project=project).exclude(license="").order_by()
    return {
        "categories": sorted({category for category, _ in pairs} - {""}),
        "subcategories": sorted({subcategory for _, subcategory in pairs} - {""}),
        "licenses": sorted(licenses.values_list("license", flat=True).distinct()[:MAX_LICENSES]),
    }


def _tells(filters: Mapping[str, Any], names: Iterable[str], orders: Sequence[str] = ()) -> bool:
    order = str(filters.get("sort") or "").removeprefix("-")
    return order in orders or any(filters.get(name) for name in names)


def _count(membership: Membership, clips: QuerySet[Clip], filters: Mapping[str, Any]) -> int:
    """Count the clips; those at one stage are counted by the index on work."""
    is_by_stage = _narrowing(filters) == {"stage"} and hides_progress(membership) is None
    by_step = count_at_step(membership.project, filters["stage"]) if is_by_stage else None
    return clips.count() if by_step is None else by_step


def _narrowing(filters: Mapping[str, Any]) -> set[str]:
    return {name for name, value in filters.items() if value} - {"sort", "descending"}


def _rows(
    clip_ids: list[int],
    membership: Membership,
    kinds: list[Kind],
    chosen: ChosenClips,
    shows_work: bool,
) -> list[ClipRow]:
    project, clips = membership.project, Clip.objects.for_corpus().in_bulk(clip_ids)
    marks = marks_of(clips.values(), project, kinds)
    without_progress = hide(membership, clips.values())
    marks |= {key: [] for key in without_progress}
    snippets = snippets_of(chosen.hits, clip_ids, chosen.terms) if chosen.hits else {}
    with_names = [key for key in clip_ids if clips[key].name != clips[key].short_name]
    tags = _tags(with_names)
    work = (
        _open_work([key for key in clip_ids if key not in without_progress]) if shows_work else {}
    )
    return [
        ClipRow(
            clips[key],
            marks[key],
            snippets.get(key),
            tags.get(key, []),
            max((round(item.priority, 3) for item in work.get(key, [])), default=None),
            sorted({str(item.reserved_for) for item in work.get(key, []) if item.reserved_for}),
        )
        for key in clip_ids
    ]


def _tags(clip_ids: list[int]) -> dict[int, list[str]]:
    links = Tag.clips.through.objects.filter(clip__in=clip_ids).order_by("tag__name")
    names: dict[int, list[str]] = defaultdict(list)
    for clip, name in links.values_list("clip", "tag__name"):
        names[clip].append(name)
    return names


def _open_work(clip_ids: list[int]) -> dict[int, list[WorkItem]]:
    items = WorkItem.objects.filter(clip__in=clip_ids, state=WorkItem.State.OPEN)
    items = items.exclude(kind__in=kinds_with("reserves_itself")).select_related("reserved_for")
    by_clip: dict[int, list[WorkItem]] = defaultdict(list)
    for item in items.only("clip", "priority", "reserved_for__name", "reserved_for__email"):
        by_clip[item.clip_id].append(item)
    return by_clip


def by_clip_number(typed: str) -> Q:
    """Return the condition for the clip of this number, typed as "12" or "Clip 12"; an empty one
    if none is typed."""
    number = re.fullmatch(r"(?:clip\s+)?([0-9]{1,15})", typed.strip(), re.IGNORECASE)
    return Q(pk=int(number[1])) if number else Q()


def returnable_kinds(clip: Clip) -> set[str]:
    """Return the kinds of the clip's submitted work that can be sent back."""
    submitted = Assignment.objects.filter(
        item__clip=clip,
        item__kind__in=["split", "merge"],
        state=Assignment.State.SUBMITTED,
    )
    return set(submitted.values_list("item__kind", flat=True))
