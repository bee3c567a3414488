"""The contents of the page and the file of the audit log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from annotate.lists.columns import Column
from annotate.models import AuditEvent, Membership, Project
from review.audit_log.forms import AuditForm
from review.audit_log.queries import (
    events_of,
    kind_name,
    kinds_in_log,
    may_read_values,
    people_in_log,
)
from review.display.tables import csv_lines

PER_PAGE = 100
MAX_VALUE_LENGTH = 300
PERSON, OBJECT, CHANGE = (
    Column("person", "Person"),
    Column("object", "Object"),
    Column("change", "Change"),
)
FILE_COLUMNS = ("event", "at", "person", "action", "object", "number", "before", "after")
# Pages of objects that have their key in the address.
PAGES = {
    "clip": "annotate:clip",
    "job": "annotate:job",
    "actionlabel": "annotate:label",
}


@dataclass(frozen=True)
class Change:
    """A field's value before and after, as texts; empty for none."""

    field: str
    before: str
    after: str


@dataclass(frozen=True)
class Entry:
    """One event as the page shows it."""

    event: AuditEvent
    kind: str
    url: str
    changes: tuple[Change, ...]


def columns_for(membership: Membership) -> tuple[Column, ...]:
    """Return the columns to choose; who reads no values has none for them."""
    return (PERSON, OBJECT, CHANGE) if may_read_values(membership) else (PERSON, OBJECT)


def audit_context(membership: Membership, data: Any) -> dict[str, Any]:
    project = membership.project
    form = _form(project, data)
    filters = form.filters
    events = events_of(project, filters)
    if before := form.cleaned_data.get("before"):
        events = events.filter(pk__lt=before)
    rows = list(events[: PER_PAGE + 1])
    has_values = may_read_values(membership)
    return {
        "membership": membership,
        "project": project,
        "form": form,
        "is_filtered": bool(filters),
        "entries": [_entry(project, event, has_values) for event in rows[:PER_PAGE]],
        "older": form.query(before=rows[PER_PAGE - 1].pk) if len(rows) > PER_PAGE else "",
        "newest": form.query(before=None) if before else "",
        "is_first": not before,
        "download": form.query(before=None),
        "has_values": has_values,
    }


def audit_csv(membership: Membership, data: Any) -> Iterator[str]:
    """Return the matching events as lines of CSV, the newest first."""
    project = membership.project
    has_values = may_read_values(membership)
    events = events_of(project, _form(project, data).filters).iterator(chunk_size=1000)
    return csv_lines(FILE_COLUMNS, (_row(event, has_values) for event in events))


def _form(project: Project, data: Any) -> AuditForm:
    people = [("", "Anybody"), *people_in_log(project)]
    return AuditForm(data, person=people, kind=[("", "Anything"), *kinds_in_log(project)])


def _row(event: AuditEvent, has_values: bool) -> tuple[object, ...]:
    values = [json.dumps(part, ensure_ascii=False) for part in (event.before, event.after)]
    return (
        event.pk,
        event.at.isoformat(timespec="seconds"),
        event.actor or "",
        event.verb,
        event.object_type,
        event.object_id,
        *(values if has_values else ("", "")),
    )


def _entry(project: Project, event: AuditEvent, has_values: bool) -> Entry:
    page = PAGES.get(event.object_type)
    return Entry(
        event=event,
        kind=kind_name(event.object_type),
        url=reverse(page, args=[project.slug, event.object_id]) if page else "",
        changes=_changes(event.before, event.after) if has_values else (),
    )


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    fields = [*before, *(field for field in after if field not in before)]
    return tuple(
        Change(field.replace("_", " "), _text(before.get(field)), _text(after.get(field)))
        for field in fields
        if before.get(field) != after.get(field)
    )


def _text(value: object) -> str:
    if value is None or value == "":
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[:MAX_VALUE_LENGTH]}…"
