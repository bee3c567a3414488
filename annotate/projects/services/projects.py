"""Create and change projects."""

from __future__ import annotations

import re
from typing import Unpack

from django.db import IntegrityError, transaction

from annotate.audit import record_event
from annotate.corpus.services.clip_limits import LIMITS, apply_limits
from annotate.corpus.services.sign_offs import open_sign_offs
from annotate.errors import AnnotateError
from annotate.guidelines.versions import record_version
from annotate.models import ImportBatch, Membership, Project, Role, User
from annotate.programs import programs_changed
from annotate.projects.settings import ProjectChanges, ProjectSettings
from annotate.rules import store_rule, values_of

_ADDRESS = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")


@transaction.atomic
def create_project(
    *, creator: User | None, name: str, slug: str, **settings: Unpack[ProjectSettings]
) -> Project:
    """Create a project; its creator, if given, becomes its first admin.

    Raises AnnotateError if the address is taken or has characters that aren't allowed.
    """
    refuse_address(slug)
    guidelines = settings.pop("guidelines", {})
    try:
        with transaction.atomic():
            project = Project.objects.create(name=name, slug=slug, **settings)
            store_rule(project=project, rule="guideline", values=guidelines)
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
def change_project(*, project_id: int, admin: User, **settings: Unpack[ProjectChanges]) -> Project:
    project = Project.objects.select_for_update().get(pk=project_id)
    texts: dict[str, str] = values_of(project, "guideline")
    guidelines = {
        kind: text
        for kind, text in settings.pop("guidelines", {}).items()
        if text != texts.get(kind, "")
    }
    changes = {name: new for name, new in settings.items() if new != getattr(project, name)}
    if not changes and not guidelines:
        return project
    if "protocol" in changes and (reason := why_protocol_stays(project)):
        raise AnnotateError(reason)
    before = {name: getattr(project, name) for name in changes}
    for name, value in changes.items():
        setattr(project, name, value)
    project.save(update_fields=list(changes))
    store_rule(project=project, rule="guideline", values=texts | guidelines)
    record_event(
        actor=admin,
        verb="change",
        subject=project,
        project=project,
        before=before | {f"{kind}_guideline": texts.get(kind, "") for kind in guidelines},
        after=changes | {f"{kind}_guideline": text for kind, text in guidelines.items()},
    )
    for kind in guidelines:
        record_version(project=project, kind=kind, admin=admin, change="Text changed")
    if "counts_programs" in changes:
        programs_changed(project)
    if "sign_offs" in changes:
        open_sign_offs(project)
    if changes.keys() & set(LIMITS):
        min_seconds = before.get("min_clip_seconds", project.min_clip_seconds)
        apply_limits(project, (min_seconds, before.get("min_frame_side", project.min_frame_side)))
    return project


def refuse_address(slug: str) -> None:
    """Raise AnnotateError unless the slug has only lower-case letters, digits and hyphens."""
    if not _ADDRESS.fullmatch(slug):
        raise AnnotateError(
            f"The address {slug!r} can't be used. Give lower-case letters, digits and hyphens, "
            "with a letter or a digit at both ends."
        )


def why_protocol_stays(project: Project) -> str:
    """Return why the protocol can no longer be changed; empty while nothing in the project depends
    on it.

    Videos, imports of videos, action labels and work for people depend on it. All else, such as
    runs, captions and releases, needs videos. Members, models and settings don't count.
    """
    counts = {
        ("video", "videos"): project.videos.count(),
        ("import", "imports"): ImportBatch.objects.filter(project=project).count(),
        ("label", "labels"): project.action_labels.count(),
        ("piece of work", "pieces of work"): project.work_items.count(),
    }
    contents = [f"{number:,} {nouns[number != 1]}" for nouns, number in counts.items() if number]
    if not contents:
        return ""
    return (
        f"The protocol can't be changed now, because this project has {', '.join(contents)}. "
        "Create a new project with the other protocol, and import the videos there."
    )


def may_create_projects(user: User) -> bool:
    """Return whether the user is a superuser, or already administers a project."""
    return (
        user.is_superuser
        or Membership.objects.filter(user=user, **{f"is_{Role.ADMIN}": True}).exists()
    )
