"""The rules that a project sets for its kinds of work: reading them, and storing them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from django.db.models import prefetch_related_objects

from annotate.models import Project, WorkRules

Rule = Literal["guideline", "has_gold", "has_training", "watched_percent"]
DEFAULTS: dict[Rule, Any] = {
    "guideline": "",
    "has_gold": False,
    "has_training": False,
    "watched_percent": 0,
}


def rules_of(project: Project) -> dict[str, WorkRules]:
    """Return the rules by kind, of kinds that differ from the defaults. They are read once for each
    loaded project."""
    prefetch_related_objects([project], "work_rules")
    return {rules.kind: rules for rules in project.work_rules.all()}


def rules_for(project: Project, kind: str) -> WorkRules:
    return rules_of(project).get(kind) or WorkRules(project=project, kind=kind)


def values_of(project: Project, rule: Rule) -> dict[str, Any]:
    """Return the values of one rule by kind, without defaults."""
    values = {kind: getattr(rules, rule) for kind, rules in rules_of(project).items()}
    return {kind: values[kind] for kind in sorted(values) if values[kind] != DEFAULTS[rule]}


def store_rule(*, project: Project, rule: Rule, values: Mapping[str, Any]) -> None:
    """Store one rule of all kinds: the default for kinds without a value. Call it in the
    transaction of the change, which writes the audit event, with the project locked."""
    stored = WorkRules.objects.filter(project=project)
    stored.exclude(kind__in=values).update(**{rule: DEFAULTS[rule]})
    WorkRules.objects.bulk_create(
        [WorkRules(project=project, kind=kind, **{rule: values[kind]}) for kind in values],
        update_conflicts=True,
        unique_fields=["project", "kind"],
        update_fields=[rule],
    )
    stored.filter(**DEFAULTS).delete()
    getattr(project, "_prefetched_objects_cache", {}).pop("work_rules", None)
