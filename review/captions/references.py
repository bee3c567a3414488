"""The human captions of the clips, with which model captions are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


import hashlib
import json
from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.corpus.precedence import BY_PEOPLE, Rank, Ranked, with_rank
from annotate.models import Caption, Project

Source = Caption.Source
_BY_HAND = Q(source=Source.HUMAN, assignment__item__kind="hand")
_FINISHED = Q(source__in=[Source.MERGED, Source.CORRECTED, Source.PUBLISHED])


def human_references(
    project: Project, kind: str, clips: Collection[int] | None = None
) -> dict[int, int]:
    """Return clip -> its highest-ranking human caption of this kind, by keys. `clips`: only these;
    None for all.

    For general captions: merged, corrected, or written by hand where models failed; a single
    write-up has only half of the content. For spatial and temporal captions: those of the split.
    For whole videos: corrected or written by people. For every kind also captions of a published
    data set. Other imported texts don't count, because they can be a machine's. Excluded videos
    have none.
    """
    kept = _by_people(kind).filter(
        project=project, clip__video__excluded_because="", clip__excluded_because=""
    )
    captions = kept.order_by("precedence", "pk")
    if clips is not None:
        captions = captions.filter(clip__in=clips)
    return dict(sorted(dict(captions.values_list("clip", "pk")).items()))


def has_references(project: Project, kind: str) -> bool:
    """Return whether any clip has a human caption of this kind."""
    kept = _by_people(kind).filter(
        project=project, clip__video__excluded_because="", clip__excluded_because=""
    )
    return kept.exists()


def human_reference(clip: int, kind: str) -> int | None:
    """Return the human reference of one clip; None without one."""
    of_clip = _by_people(kind).filter(clip=clip).order_by("-precedence", "-pk")
    best: int | None = of_clip.values_list("pk", flat=True).first()
    return best


def have_human_reference(kind: str) -> Exists:
    """Return the condition on clips that they have a human caption of this kind."""
    return Exists(_by_people(kind).filter(clip=OuterRef("pk")))


def _by_people(kind: str) -> QuerySet[WithAnnotations[Caption, Ranked]]:
    by_people = _FINISHED | (_BY_HAND if kind == Caption.Kind.GENERAL else Q(source=Source.HUMAN))
    # Repeat the sources, so that an index is used.
    of_sources = Caption.objects.filter(by_people, kind=kind, source__in=BY_PEOPLE)
    captions = with_rank(of_sources)
    return captions.filter(precedence__gt=Rank.RECORD)


def further_references(project: Project, references: Mapping[int, int]) -> dict[int, list[int]]:
    """Return the further human captions of the clips whose reference comes from a published data
    set that has several for a clip, in its order: clip -> their keys."""
    further: dict[int, list[int]] = {}
    rows = Caption.objects.filter(project=project, kind=Caption.Kind.REFERENCE).order_by("pk")
    for key, clip, parent in rows.values_list("pk", "clip", "parents"):
        if parent is not None and references.get(clip) == parent:
            further.setdefault(clip, []).append(key)
    return further


def current_digest(project: Project, kind: str) -> str:
    """Return the digest of the references of this kind as they are now."""
    references = human_references(project, kind)
    return references_digest(references, further_of_kind(project, kind, references))


def further_of_kind(
    project: Project, kind: str, references: Mapping[int, int]
) -> dict[int, list[int]]:
    """Return the `further_references` of a kind of caption: only general ones have any."""
    return further_references(project, references) if kind == Caption.Kind.GENERAL else {}


def references_digest(
    references: Mapping[int, int], further: Mapping[int, list[int]] | None = None
) -> str:
    """Return eight characters that identify these references."""
    keys: object = sorted(references.items())
    if further:
        keys = [keys, sorted(further.items())]
    written = json.dumps(keys, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:8]
