"""Pseudonyms of people who wrote captions, judged them and videos, and judged pairs, texts and
queries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Min, QuerySet
from django.db.models.fields.json import KeyTextTransform

from annotate.models import Caption, DynamicsVerdict, Project, SignOff
from annotate.programs import programs_of
from review.identification.models import IdentifiedClip
from review.modifications.models import Modification
from review.pairs.models import PairVerdict
from review.ratings.models import Rating
from review.triplets.models import TripletVerdict
from review.verification.models import Verification

LATEST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Pseudonyms:
    """`people` by key; `imported` by the name that an imported verdict has."""

    people: dict[int, str]
    imported: dict[str, str]

    def of(self, person: int | None, label: str = "") -> str:
        """Return the pseudonym of a person or of an imported annotator; empty for neither."""
        if person is not None:
            return self.people[person]
        return self.imported[label] if label else ""

    def repeated(self, provenance: Mapping[str, str]) -> dict[str, str]:
        """Return an imported release's statement about a text, with its people's current names."""
        renamed = dict(provenance)
        if by := renamed.get("decided_by"):
            renamed["decided_by"] = self.imported.get(by, by)
        return renamed


def caption_people(project: Project) -> Pseudonyms:
    """Return `person-1`, … in the order of people's first captions in the project, so that a person
    has the same number in all releases.
    """
    own = Caption.objects.filter(project=project).order_by().values_list("author_id")
    return number_people(project, dict(own.annotate(first=Min("pk"))), {})


def pseudonym(people: Pseudonyms, author: int | None) -> str | None:
    """Return a caption's author; None for a model, or for unknown people."""
    return None if author is None else people.people[author]


def pseudonyms_of(project: Project) -> Pseudonyms:
    """Return `person-1`, … in the order of people's first judgment of a pair, a text or a query,
    and `imported-1`, … for imported annotators in their order. New people never change a number.

    People of an imported release keep their pseudonyms, unless an earlier person has the same one.
    """
    pairs = PairVerdict.objects.filter(pair__project=project)
    queries = TripletVerdict.objects.filter(query__triplets__project=project)
    texts = Modification.objects.filter(pair__project=project)
    people = first_acts(
        pairs.values_list("person").annotate(at=Min("created_at")),
        queries.values_list("person").annotate(at=Min("created_at")),
        texts.values_list("author").annotate(at=Min("created_at")),
        texts.values_list("assignment__annotator").annotate(at=Min("assignment__submitted_at")),
    )
    labels = first_acts(
        pairs.values_list("label").annotate(at=Min("created_at")),
        queries.values_list("label").annotate(at=Min("created_at")),
        texts.annotate(by=KeyTextTransform("decided_by", "imported__provenance"))
        .values_list("by")
        .annotate(at=Min("created_at")),
    )
    return number_people(project, people, labels)


def reviewer_names(project: Project) -> Pseudonyms:
    """Return `reviewer-1`, … in the order in which people first verified or rated a caption, picked
    a clip, or judged a video, so that a person has the same number in all releases; imported
    verifications as in `pseudonyms_of`."""
    verifications = Verification.objects.filter(project=project)
    ratings = Rating.objects.filter(caption__project=project)
    picks = IdentifiedClip.objects.filter(task__text__test__project=project)
    dynamics = DynamicsVerdict.objects.filter(video__project=project)
    first = Min("created_at")
    people = first_acts(
        verifications.values_list("reviewer").annotate(at=first),
        ratings.values_list("rater").annotate(at=first),
        picks.values_list("task__person").annotate(at=first),
        dynamics.values_list("assignment__annotator").annotate(at=first),
    )
    labels = first_acts(verifications.values_list("label").annotate(at=first))
    return number_people(project, people, labels, noun="reviewer")


def signer_names(project: Project) -> Pseudonyms:
    """Return `signer-1`, … in the order of the experts' first verdicts on a clip's final texts."""
    own = SignOff.objects.filter(texts__clip__project=project)
    acts = first_acts(own.values_list("expert").annotate(at=Min("created_at")))
    return number_people(project, acts, {}, noun="signer")


def number_people(
    project: Project,
    people: Mapping[Any, Any],
    labels: Mapping[str, Any],
    *,
    noun: str = "person",
) -> Pseudonyms:
    """Return the pseudonyms of people and of imported annotators, given by their first acts, as
    times or keys: `person-1`, `imported-1`, and of another noun such as reviewer `reviewer-1`,
    `imported-reviewer-1`. A program has the number that it would have as a person, `program-2`, so
    that a declaration changes nobody else's."""
    programs = programs_of(project)
    imported = "imported" if noun == "person" else f"imported-{noun}"
    pattern = re.compile(rf"({noun}|{imported})-[1-9][0-9]{{0,8}}", re.ASCII)
    acts: list[tuple[Any, bool, Any]] = [(at, False, who) for who, at in people.items()]
    acts += [(at, True, label) for label, at in labels.items()]
    taken: set[str] = set()
    named: dict[tuple[bool, Any], str] = {}
    last = {noun: 0, imported: 0}
    for _, is_label, who in sorted(acts):
        name = str(who)
        if not (is_label and pattern.fullmatch(name) and name not in taken):
            kind = imported if is_label else noun
            name = ""
            while not name or name in taken:
                last[kind] += 1
                is_program = not is_label and who in programs
                name = f"{'program' if is_program else kind}-{last[kind]}"
        taken.add(name)
        named[is_label, who] = name
    return Pseudonyms(
        {who: name for (is_label, who), name in named.items() if not is_label},
        {who: name for (is_label, who), name in named.items() if is_label},
    )


def first_acts(*sources: QuerySet[Any, tuple[Any, ...]]) -> dict[Any, datetime]:
    """Return who acted, with the time of their first act."""
    first: dict[Any, datetime] = {}
    for rows in sources:
        for who, at in rows.order_by():
            if who:
                first[who] = min(first.get(who, LATEST), at or LATEST)
    return first
