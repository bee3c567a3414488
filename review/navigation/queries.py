"""Finding a page, a clip, a caption, a person, a run or a project by some of its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Collate, Lower
from django.urls import reverse

from annotate.clips_to_do import hide, hides_facts
from annotate.corpus.caption_hits import find_captions, snippets_of
from annotate.corpus.queries import by_clip_number
from annotate.models import Clip, Membership, Project, User
from annotate.search.words import read_terms
from inference.models import InferenceRun
from inference.words import KINDS
from review.navigation.project_pages import LABELS, links_of

MAX_RESULTS = 8  # of each kind, so that the answer is always short
MAX_WORDS = 6
MIN_TEXT_LENGTH = 3  # letters; a shorter beginning matches nearly every caption
MAX_LOOKED_AT = 50  # captions; a clip can have several


@dataclass(frozen=True)
class Result:
    label: str
    url: str
    detail: str = ""


@dataclass(frozen=True)
class Results:
    heading: str
    rows: Sequence[Result]


def find_in_project(membership: Membership, typed: str) -> list[Results]:
    """Return what the member can open in the project, and their projects, that match all typed
    words. Without words, return only pages and projects."""
    words = _words(typed)
    project = membership.project
    kinds = [("Pages", _pages(membership, words))]
    if words:
        kinds.append(("Clips", _clips(membership, words)))
        kinds.append(("Captions", _captions(membership, typed)))
        if membership.is_admin:
            kinds += [("People", _people(project, words)), ("Runs", _runs(project, words))]
    kinds.append(("Projects", _projects(membership.user, words, apart_from=project)))
    return [Results(heading, rows) for heading, rows in kinds if rows]


def find_projects(user: User, typed: str) -> list[Results]:
    """Return the person's projects whose names have all the typed words."""
    rows = _projects(user, _words(typed))
    return [Results("Projects", rows)] if rows else []


def _words(typed: str) -> list[str]:
    return typed.casefold().split()[:MAX_WORDS]


def _pages(membership: Membership, words: list[str]) -> list[Result]:
    """Return pages by their labels first, then by the other words that find them."""
    links = links_of(membership)
    by_label = [link for link in links if _has_all(link.label, words)]
    by_words = [
        link
        for link in links
        if link not in by_label
        and _has_all(f"{link.label} {LABELS[link.group]} {link.words}", words)
    ]
    by_label.sort(key=lambda link: not link.label.casefold().startswith(" ".join(words)))
    return [
        Result(link.label, link.url, LABELS[link.group] if LABELS[link.group] != link.label else "")
        for link in (by_label + by_words)[:MAX_RESULTS]
    ]


def _has_all(text: str, words: Iterable[str]) -> bool:
    text = text.casefold()
    return all(word in text for word in words)


def _clips(membership: Membership, words: list[str]) -> list[Result]:
    """Return the clip of the typed number, and clips by their names as far as the member may read
    them.

    PostgreSQL compares the names as bytes: in another collation, converting 40,804 of them to lower
    case takes three times as long. SQLite's LIKE does the same.
    """
    is_postgresql = connection.vendor == "postgresql"
    name = Lower(Collate("name", "C")) if is_postgresql else Lower("name")
    project = membership.project
    clips = Clip.objects.filter(project=project).alias(lower_name=name)
    if hidden := hides_facts(membership):
        clips = clips.exclude(hidden)
    for word in words:
        clips = clips.filter(lower_name__contains=word)
    by_number = by_clip_number(" ".join(words))
    numbered = list(Clip.objects.filter(by_number, project=project)) if by_number else []
    hide(membership, numbered)
    rows = [
        (clip.name if clip.name == clip.short_name else f"{clip.name} ({clip.short_name})", clip.pk)
        for clip in numbered
    ]
    by_name = clips.exclude(by_number) if by_number else clips
    rows += by_name.order_by("name").values_list("name", "pk")[: MAX_RESULTS - len(rows)]
    return [Result(name, reverse("annotate:clip", args=[project.slug, key])) for name, key in rows]


def _captions(membership: Membership, typed: str) -> list[Result]:
    """Return clips by the words of the captions that the member can read. The last word can be
    incomplete, because it is still being typed.
    """
    typed = typed.strip()
    if len(typed) < MIN_TEXT_LENGTH:
        return []
    terms = read_terms(f"{typed}*" if typed[-1].isalnum() else typed)
    hits = find_captions(membership, terms, most=MAX_LOOKED_AT)
    keys = list(hits.caption_of)[:MAX_RESULTS]
    clips = Clip.objects.in_bulk(keys)
    hide(membership, clips.values())
    snippets = snippets_of(hits, keys, terms)
    slug = membership.project.slug
    return [
        Result(
            clips[key].name,
            reverse("annotate:clip", args=[slug, key]),
            "".join(piece.text for piece in snippets[key].pieces),
        )
        for key in keys
    ]


def _people(project: Project, words: list[str]) -> list[Result]:
    members = (
        Membership.objects.filter(_contains(words, "user__name", "user__email"), project=project)
        .select_related("user")
        .order_by("user__name", "pk")
    )
    url = reverse("annotate:members", args=[project.slug])
    return [
        Result(str(member.user), f"{url}#person-{member.pk}", ", ".join(member.roles))
        for member in members[:MAX_RESULTS]
    ]


def _runs(project: Project, words: list[str]) -> list[Result]:
    """Return the newest runs whose number, kind or model has the words."""
    matches = Q()
    for word in words:
        kinds = [kind for kind, names in KINDS.items() if word in names.label.casefold()]
        number = Q(pk=int(word.lstrip("#"))) if _is_number(word.lstrip("#")) else Q()
        matches &= Q(kind__in=kinds) | Q(model__name__icontains=word) | number
    runs: QuerySet[InferenceRun] = InferenceRun.objects.filter(matches, project=project)
    rows = runs.order_by("-pk").values_list("pk", "kind", "model__name", "state")
    return [
        Result(
            f"{KINDS[kind].label} run {key}",
            reverse("inference:run", args=[project.slug, key]),
            f"{model}, {state}" if model else state,
        )
        for key, kind, model, state in rows[:MAX_RESULTS]
    ]


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _projects(user: User, words: list[str], apart_from: Project | None = None) -> list[Result]:
    projects = Project.objects.filter(
        _contains(words, "name"), memberships__user=user, memberships__deactivated_at=None
    )
    if apart_from is not None:
        projects = projects.exclude(pk=apart_from.pk)
    return [
        Result(name, reverse("annotate:my_work", args=[slug]))
        for name, slug in projects.order_by("name").values_list("name", "slug")[:MAX_RESULTS]
    ]


def _contains(words: list[str], *fields: str) -> Q:
    matches = Q()
    for word in words:
        anywhere = Q()
        for field in fields:
            anywhere |= Q(**{f"{field}__icontains": word})
        matches &= anywhere
    return matches
