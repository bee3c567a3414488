"""Numbers instead of the names of those who judged pairs, texts and queries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Min, QuerySet

from annotate.models import Project
from review.modifications.models import Modification
from review.pairs.models import PairVerdict
from review.triplets.models import TripletVerdict

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


def pseudonyms_of(project: Project) -> Pseudonyms:
    """Return `person-1`, … in the order in which people first judged a pair, a text or a query,
    and `imported-1`, … for imported annotators in theirs. Who comes later changes no number."""
    pairs = PairVerdict.objects.filter(pair__project=project)
    queries = TripletVerdict.objects.filter(query__triplets__project=project)
    texts = Modification.objects.filter(pair__project=project)
    people = _first_acts(
        pairs.values_list("person").annotate(at=Min("created_at")),
        queries.values_list("person").annotate(at=Min("created_at")),
        texts.values_list("author").annotate(at=Min("created_at")),
        texts.values_list("assignment__annotator").annotate(at=Min("assignment__submitted_at")),
    )
    imported = _first_acts(
        pairs.values_list("label").annotate(at=Min("created_at")),
        queries.values_list("label").annotate(at=Min("created_at")),
    )
    return Pseudonyms(
        {person: f"person-{number}" for number, person in enumerate(people, 1)},
        {label: f"imported-{number}" for number, label in enumerate(imported, 1)},
    )


def _first_acts(*sources: QuerySet[Any, tuple[Any, ...]]) -> list[Any]:
    """Return who acted, by the time of their first act."""
    first: dict[Any, datetime] = {}
    for rows in sources:
        for who, at in rows.order_by():
            if who:
                first[who] = min(first.get(who, LATEST), at or LATEST)
    return sorted(first, key=lambda who: (first[who], who))
