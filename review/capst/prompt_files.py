"""Loading the prompts of the official choices, and going back to Vericap's own."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from annotate.text.storable import storable
from review.capst.loaded_prompts import parse_prompts
from review.capst.models import CapstPrompts, CapstRun


def prompts_in_use(project: Project) -> CapstPrompts | None:
    """Return what runs with the official choices ask with, None for Vericap's own prompts."""
    return CapstPrompts.objects.filter(project=project, is_used=True).order_by("-pk").first()


def recipe_of_prompts(project: Project, preset: str) -> dict[str, Any]:
    """Return what the recipe of a model has beyond the model itself."""
    loaded = prompts_in_use(project) if preset == CapstRun.Preset.OFFICIAL else None
    if loaded is None:
        return {}
    return {"prompts": {"by_name": loaded.by_name, "sha256": loaded.sha256}}


@transaction.atomic
def load_prompts(
    *, project: Project, data: bytes, file_name: str, admin: User | None
) -> CapstPrompts:
    """Use the prompts of a file from now on; results that there are keep theirs. Raises ReviewError
    for a file that is no set of prompts."""
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
    """Ask with Vericap's own prompts from now on. Twice is once."""
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
