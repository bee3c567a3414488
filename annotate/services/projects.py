"""Creating and changing projects."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction

from annotate.errors import AnnotateError
from annotate.models import Membership, Project, Role, User
from annotate.services.audit import record_event

SETTINGS = (
    "name",
    "protocol",
    "licence",
    "write_guideline",
    "merge_guideline",
    "split_guideline",
    "dynamics_guideline",
    "hand_guideline",
    "show_machine_draft",
    "study_corrections",
    "min_words",
    "max_words",
    "writers_per_clip",
    "quota_min",
    "quota_max",
    "lease_minutes",
)


@transaction.atomic
def create_project(*, creator: User | None, name: str, slug: str, **settings: Any) -> Project:
    """Make a project; its creator, where there is one, becomes its first admin."""
    try:
        with transaction.atomic():
            project = Project.objects.create(name=name, slug=slug, **settings)
    except IntegrityError as error:
        raise AnnotateError(
            f"A project with the address {slug!r} exists. Choose another."
        ) from error
    if creator is not None:
        Membership.objects.create(project=project, user=creator, is_admin=True)
    record_event(
        actor=creator, verb="create", subject=project, project=project, after={"name": name}
    )
    return project


@transaction.atomic
def change_project(*, project_id: int, admin: User, **changes: Any) -> Project:
    project = Project.objects.select_for_update().get(pk=project_id)
    before = {name: getattr(project, name) for name in changes}
    for name, value in changes.items():
        setattr(project, name, value)
    project.save(update_fields=list(changes))
    record_event(
        actor=admin, verb="change", subject=project, project=project, before=before, after=changes
    )
    return project


def may_create_projects(user: User) -> bool:
    """Superusers, and whoever already administers a project."""
    return (
        user.is_superuser
        or Membership.objects.filter(user=user, **{f"is_{Role.ADMIN}": True}).exists()
    )
