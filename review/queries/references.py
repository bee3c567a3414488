"""The human captions in force, which a model's captions are held against."""

from __future__ import annotations

import hashlib
import json

from django.db.models import Max, Q, QuerySet

from annotate.models import Caption, Project, WorkItem

Source = Caption.Source
_BY_HAND = Q(source=Source.HUMAN, assignment__item__kind=WorkItem.Kind.HAND)
_FINISHED = Q(source__in=[Source.MERGED, Source.CORRECTED])


def human_references(project: Project, kind: str) -> dict[int, int]:
    """clip -> its human caption of this kind in force: the newest one, by the keys of both.

    Of general captions those that were merged, corrected, or written by hand where no model would
    do; a write-up of one of two writers is half of what there is to say. Spatial and temporal ones
    are those of the split; of whole videos, those that people corrected or wrote. Texts that were
    imported may be a machine's, so they are none.
    """
    found = _by_people(kind).filter(project=project).order_by("pk")
    return dict(sorted(dict(found.values_list("clip", "pk")).items()))


def human_reference(clip: int, kind: str) -> int | None:
    """The same of one clip, which is named by its key; None where it has none."""
    newest: int | None = _by_people(kind).filter(clip=clip).aggregate(key=Max("pk"))["key"]
    return newest


def _by_people(kind: str) -> QuerySet[Caption]:
    by_people = _FINISHED | (_BY_HAND if kind == Caption.Kind.GENERAL else Q(source=Source.HUMAN))
    return Caption.objects.filter(by_people, kind=kind)


def references_digest(references: dict[int, int]) -> str:
    """Eight characters that tell these references from any others."""
    written = json.dumps(sorted(references.items()), separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:8]
