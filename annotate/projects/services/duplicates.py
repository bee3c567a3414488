"""Make a new project with the settings of another."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from annotate.audit import record_event
from annotate.consent.queries import current_text
from annotate.consent.services import write_consent_text
from annotate.models import Membership, Project, User, WorkRules
from annotate.projects.services.projects import create_project

# Columns that belong to one project; all others are settings.
OWN = {"id", "name", "slug", "is_simulated", "currency", "archived_at", "created_at"}
Copy = Callable[[Project, Project, User], None]
_COPIES: list[Copy] = []


def copies_settings(copy: Copy) -> Copy:
    """Have a project that is duplicated also get what `copy(source, new project, admin)` copies."""
    _COPIES.append(copy)
    return copy


@transaction.atomic
def duplicate_project(
    *, source: Project, admin: User, name: str, slug: str, with_members: bool = False
) -> Project:
    """Return a new project with the settings, guidelines, consent text, models and release checks
    of another, optionally with its members, but without its videos and their data. Raises
    AnnotateError if the address is taken or invalid.
    """
    settings = {
        field.attname: getattr(source, field.attname)
        for field in Project._meta.concrete_fields
        if field.attname not in OWN
    }
    project = create_project(creator=admin, name=name, slug=slug, **settings)
    for rules in WorkRules.objects.filter(project=source):
        rules.pk, rules.project = None, project
        rules.save()
    text = current_text(source)
    if text and text.text:
        write_consent_text(
            project=project, admin=admin, text=text.text, asks_again=True, base_number=0
        )
    for copy in _COPIES:
        copy(source, project, admin)
    if with_members:
        _copy_members(source, project, admin)
    record_event(
        actor=admin, verb="duplicate", subject=project, project=project, after={"of": source.slug}
    )
    return project


def _copy_members(source: Project, project: Project, admin: User) -> None:
    for member in source.memberships.exclude(user=admin):
        roles = {f"is_{role}": True for role in member.roles}
        Membership.objects.create(
            project=project, user_id=member.user_id, program=member.program, **roles
        )
    own = source.memberships.filter(user=admin).first()
    if own is not None:
        roles = {f"is_{role}": True for role in own.roles}
        Membership.objects.filter(project=project, user=admin).update(**roles | {"is_admin": True})
