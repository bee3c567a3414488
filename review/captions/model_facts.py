"""The family and the size of the models in a table, by the names of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from annotate.models import Project
from inference.models import ModelSpec
from review.captions.models import CaptionSet
from review.reports.cells import Row
from review.reports.tables import Section, Table


@dataclass(frozen=True)
class ModelFacts:
    """`parameter_count` is None if unknown."""

    family: str = ""
    parameter_count: int | None = None


FactsByName = Mapping[str, ModelFacts]


def facts_by_name(project: Project) -> FactsByName:
    """Return the known facts of models, by model name and by the names of the caption sets of their
    runs; `joined_by` makes the keys. Two queries.
    """
    specs = ModelSpec.objects.filter(project=project).order_by()
    by_key = {
        key: (name, ModelFacts(family, count))
        for key, name, family, count in specs.values_list("pk", "name", "family", "parameter_count")
    }
    sets = CaptionSet.objects.filter(project=project, run__model__in=by_key).order_by()
    facts = {
        joined_by(name): by_key[int(model)][1]
        for name, model in sets.values_list("name", "run__model")
    }
    return facts | {joined_by(name): of_model for name, of_model in by_key.values()}


def joined_by(name: str) -> str:
    """Return the name in lower case and with single spaces; equal results mean the same model."""
    return " ".join(name.casefold().split())


def describe_rows(section: Section, facts: FactsByName) -> Section:
    """Return the section with the family and size of each row's model."""
    by_category = section.by_category
    return replace(
        section,
        table=_described(section.table, facts),
        by_category=_described(by_category, facts) if by_category else None,
    )


def _described(table: Table, facts: FactsByName) -> Table:
    return replace(table, rows=tuple(_with_facts(row, facts) for row in table.rows))


def _with_facts(row: Row, facts: FactsByName) -> Row:
    of_model = facts.get(joined_by(row.name), ModelFacts())
    return replace(row, family=of_model.family, parameter_count=of_model.parameter_count)
