"""The kinds of human work in a project."""

from __future__ import annotations

from collections.abc import Collection

from annotate.kinds import Kind, all_kinds
from annotate.models import Project
from annotate.protocols import registered_protocols
from annotate.protocols.protocol import PEOPLE, Step


def kinds_of(project: Project, in_use: Collection[str] = ()) -> list[Kind]:
    """Return the kinds of work that the project's protocol asks for, optional ones that the
    project's settings ask for, and those `in_use`, in the order of the work."""
    steps = [step for step in project.pipeline.steps if step.by == PEOPLE]
    asked_for = {*(step.key for step in steps if is_asked_for(step, project)), *in_use}
    return [kind for kind in all_kinds() if kind in asked_for]


def is_asked_for(step: Step, project: Project) -> bool:
    """Return whether the project needs this step: an optional one if its settings say so."""
    return not step.is_optional or (
        isinstance(step.people, str) and people_per_item(step, project) > 0
    )


def people_per_item(step: Step, project: Project) -> int:
    return step.people if isinstance(step.people, int) else getattr(project, step.people)


def people_needed(project: Project, kind: str) -> int:
    """Return how many people an item of this kind needs, by the project's protocol and settings;
    for work that it doesn't ask for, by the first protocol that does."""
    protocols = [project.pipeline, *registered_protocols()]
    steps = (step for protocol in protocols for step in protocol.steps if step.key == kind)
    return next((people_per_item(step, project) for step in steps), 1)
