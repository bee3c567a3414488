"""The events of the audit log, as far as a person may read them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.apps import apps
from django.db.models import QuerySet
from django.utils.text import capfirst

from annotate.models import AuditEvent, Membership, Project, Role, User
from annotate.table_names import table_name

WORKING = (Role.ANNOTATOR, Role.EXPERT, Role.REVIEWER)


def events_of(project: Project, filters: Mapping[str, Any]) -> QuerySet[AuditEvent]:
    """Return the events that match, the newest first.

    `filters`: any of person (key), action (a part of the verb), kind (of the object), key (of the
    object), since and until (days of UTC, both included).
    """
    events = AuditEvent.objects.filter(project=project).select_related("actor")
    if person := filters.get("person"):
        events = events.filter(actor=person)
    if action := filters.get("action"):
        events = events.filter(verb__icontains=action)
    if kind := filters.get("kind"):
        events = events.filter(object_type=kind)
    if key := filters.get("key"):
        events = events.filter(object_id=key)
    if since := filters.get("since"):
        events = events.filter(at__gte=datetime.combine(since, time.min, UTC))
    if until := filters.get("until"):
        events = events.filter(at__lt=datetime.combine(until + timedelta(days=1), time.min, UTC))
    return events.order_by("-pk")


def may_read_values(membership: Membership) -> bool:
    """Return whether the person can read the values of changes. They contain verdicts, votes and
    texts, so people who could still do such work themselves see only that something changed."""
    return not membership.has_role(*WORKING)


def kinds_in_log(project: Project) -> list[tuple[str, str]]:
    """Return the kinds of objects in the log with their names."""
    events = AuditEvent.objects.filter(project=project).order_by()
    kinds = events.values_list("object_type", flat=True).distinct()
    return sorted(((kind, kind_name(kind)) for kind in kinds), key=lambda choice: choice[1])


def kind_name(kind: str) -> str:
    """Return a model's name as people read it: "workitem" is "Piece of work"."""
    for app in ("annotate", "inference", "review"):
        try:
            return capfirst(table_name(apps.get_model(app, kind)))
        except LookupError:
            continue
    return kind


def people_in_log(project: Project) -> list[tuple[str, str]]:
    """Return the members, and those who have left, by name."""
    actors = AuditEvent.objects.filter(project=project).exclude(actor=None).order_by()
    people = User.objects.filter(memberships__project=project) | User.objects.filter(
        pk__in=actors.values("actor")
    )
    return [(str(person.pk), str(person)) for person in people.distinct().order_by("name", "pk")]
