"""Archived things, and what depends on a thing."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import DO_NOTHING, SET_NULL, ForeignObjectRel, Model, QuerySet

from annotate.archive.kinds import ArchiveKind
from annotate.models import Archived, Project
from annotate.table_names import table_name


def archived_keys(project: Project, kind: str) -> QuerySet[Archived, int]:
    """Return the keys of the archived things of a kind, to leave them out of a list."""
    return Archived.objects.filter(project=project, kind=kind).values_list("subject", flat=True)


def archived_row(kind: str, key: int) -> Archived | None:
    return Archived.objects.filter(kind=kind, subject=key).select_related("archived_by").first()


def dependents(kind: ArchiveKind[Any], thing: Model) -> dict[str, int]:
    """Count what depends on the thing, by name: rows of any table that refer to it or to one of its
    parts. Rows whose reference is then set to null, and the audit log, don't count.
    """
    counts: Counter[str] = Counter(kind.also_depends(thing))
    parts = tuple(kind.parts)
    waiting = kind.roots(thing)
    counted: set[tuple[str, str]] = set()
    roots = {rows.model for rows in waiting}
    while waiting:
        rows = waiting.pop()
        for relation in rows.model._meta.get_fields(include_hidden=True):
            if not isinstance(relation, ForeignObjectRel) or relation.many_to_many:
                continue
            table: Any = relation.related_model
            field: Any = relation.field
            if relation.on_delete in (SET_NULL, DO_NOTHING) or table in roots:
                continue
            # A run is a job, and its reference to itself as a job doesn't count.
            mark = (table._meta.label, f"{field.name} of {rows.model._meta.label}")
            if mark in counted or table._meta.auto_created or field.remote_field.parent_link:
                continue
            counted.add(mark)
            keys = rows.order_by().values(field.target_field.attname)
            referring = table._base_manager.filter(**{f"{field.name}__in": keys}).order_by()
            if table in parts:
                waiting.append(referring)
            elif number := referring.count():
                counts[table_name(table, number)] += number
    return {name: number for name, number in sorted(counts.items()) if number}
