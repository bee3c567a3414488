"""Load prompts for the official choices, or restore Vericap's own."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from annotate.text.storable import storable
from review.capst.loaded_prompts import parse_prompts
from review.capst.models import CapstPrompts, CapstRun


def prompts_in_use(project: Project) -> CapstPrompts | None:
    """Return the prompts of runs with the official choices, None for Vericap's own."""
    return CapstPrompts.objects.filter(project=project, is_used=True).order_by("-pk").first()


def recipe_of_prompts(project: Project, preset: str) -> dict[str, Any]:
    """Return the prompts' part of a model's recipe."""
    loaded = prompts_in_use(project) if preset == CapstRun.Preset.OFFICIAL else None
    if loaded is None:
        return {}
    return {"prompts": {"by_name": loaded.by_name, "sha256": loaded.sha256}}


@transaction.atomic
def load_prompts(
    *, project: Project, data: bytes, file_name: str, admin: User | None
) -> CapstPrompts:
    """Use a file's prompts for new runs; existing results keep theirs. Raises ReviewError for an
    invalid file.
    """
    parsed = parse_prompts(data)
    CapstPrompts.objects.filter(project=project, is_used=True).update(is_used=False)
    loaded = CapstPrompts.objects.create(
        project=project,
        file_name=storable(file_name)[:200],
        sha256=parsed.sha256,
        by_name=dict(parsed.by_name),
        created_by=admin,
    )
    record_event(
        actor=admin,
        verb="load CapST prompts",
        subject=loaded,
        project=project,
        after={"sha256": loaded.sha256},
    )
    return loaded


@transaction.atomic
def use_own_prompts(*, project: Project, admin: User | None) -> None:
    """Use Vericap's own prompts for new runs. Safe to repeat."""
    loaded = prompts_in_use(project)
    if loaded is None:
        return
    CapstPrompts.objects.filter(project=project, is_used=True).update(is_used=False)
    record_event(
        actor=admin,
        verb="use own CapST prompts",
        subject=loaded,
        project=project,
        before={"sha256": loaded.sha256},
    )
