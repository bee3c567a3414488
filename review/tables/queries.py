"""The annotators whose verdicts were imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from annotate.models import Project
from review.pairs.exchange import PAIR_VERDICTS
from review.pairs.models import PairVerdict
from review.triplets.models import TripletVerdict
from review.triplets.verdict_exchange import QUERY_VERDICTS


@dataclass(frozen=True)
class ImportedAnnotator:
    """`table`: the key of the table that the verdicts belong to."""

    table: str
    title: str
    annotator: str
    verdicts: int


def imported_verdicts(project: Project) -> dict[str, QuerySet[Any]]:
    """Return the imported verdicts by table."""
    return {
        PAIR_VERDICTS.key: PairVerdict.objects.filter(pair__project=project).exclude(label=""),
        QUERY_VERDICTS.key: TripletVerdict.objects.filter(query__triplets__project=project).exclude(
            label=""
        ),
    }


def imported_annotators(project: Project) -> list[ImportedAnnotator]:
    titles = {table.key: table.title for table in (PAIR_VERDICTS, QUERY_VERDICTS)}
    return [
        ImportedAnnotator(key, titles[key], annotator, number)
        for key, verdicts in imported_verdicts(project).items()
        for annotator, number in verdicts.order_by("label")
        .values_list("label")
        .annotate(n=Count("pk"))
    ]
