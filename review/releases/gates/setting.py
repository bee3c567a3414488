"""Set the gates of a project."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from annotate.projects.services.duplicates import copies_settings
from review.releases.gates.findings import gate_states
from review.releases.models import GateSetting, Level


@transaction.atomic
def set_gates(
    *, project: Project, admin: User, choices: Mapping[str, tuple[Level, float | None]]
) -> None:
    """Store the level and limit of each gate by name, as checked by `GatesForm`; unchanged ones are
    skipped."""
    project = Project.objects.select_for_update().get(pk=project.pk)
    before, after = {}, {}
    for state in gate_states(project):
        gate = state.gate
        if gate.fixed or gate.name not in choices:
            continue
        level, limit = choices[gate.name]
        new = state.limit if limit is None else limit
        if (level, new) == (state.level, state.limit):
            continue
        GateSetting.objects.update_or_create(
            project=project,
            gate=gate.name,
            defaults={"level": level, "limit": new if gate.limit else None},
        )
        before[gate.name] = [state.level, state.limit]
        after[gate.name] = [level, new]
    if after:
        record_event(
            actor=admin,
            verb="set release gates",
            subject=project,
            project=project,
            before=before,
            after=after,
        )


@copies_settings
def copy_gates(source: Project, project: Project, admin: User) -> None:
    """Set the gates as in another project."""
    for setting in GateSetting.objects.filter(project=source):
        setting.pk, setting.project = None, project
        setting.save()
