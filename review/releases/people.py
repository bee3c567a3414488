"""Pseudonyms of people who wrote captions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Min
from django.db.models.fields.json import KT

from annotate.models import Caption, Project
from review.releases.pseudonyms import Pseudonyms, number_people

# A caption of an imported release has neither account nor assignment, but names its release.
RELEASE = "release"


def caption_people(project: Project) -> Pseudonyms:
    """Return `person-1`, … in the order of people's first captions in the project, so that a person
    has the same number in all releases. People of an imported release keep their numbers there.
    """
    captions = Caption.objects.filter(project=project).order_by()
    restored = captions.filter(author=None, provenance__0__has_key=RELEASE)
    labels = (
        restored.filter(provenance__0__has_key="label")
        .annotate(label=KT("provenance__0__label"))
        .values_list("label")
        .annotate(first=Min("pk"))
    )
    own = captions.values_list("author_id").annotate(first=Min("pk"))
    people: dict[Any, Any] = dict(own)
    if None in people:
        nobody = captions.filter(author=None).exclude(pk__in=restored.values("pk"))
        first = nobody.aggregate(first=Min("pk"))["first"]
        people.pop(None) if first is None else people.update({None: first})
    return number_people(people, dict(labels))


def pseudonym(
    people: Pseudonyms, author: int | None, provenance: Sequence[dict[str, Any]]
) -> str | None:
    """Return a caption's author; None for a model, or for unknown people."""
    if author is not None:
        return people.people[author]
    origin = provenance[0] if provenance else {}
    return people.imported.get(origin.get("label", "")) if RELEASE in origin else None
