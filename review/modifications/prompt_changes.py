"""The project's versions of the prompts for text models."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from review.errors import ReviewError
from review.modifications.models import ModificationPrompt
from review.modifications.prompts import default_instruction
from review.modifications.queries import word_limits


def current_prompt(project: Project, domain: str) -> ModificationPrompt:
    """Return the newest version for labels of this domain; an unsaved first one if
    none is stored.
    """
    stored = ModificationPrompt.objects.filter(project=project, domain=domain)
    return stored.order_by("-version").first() or _first(project, domain)


def _first(project: Project, domain: str) -> ModificationPrompt:
    instruction = default_instruction(domain, word_limits(project))
    return ModificationPrompt(project=project, domain=domain, version=1, instruction=instruction)


def current_prompts(project: Project, domains: Sequence[str]) -> dict[str, ModificationPrompt]:
    """Return the current prompt of each domain."""
    stored = ModificationPrompt.objects.filter(project=project).order_by("version")
    newest = {prompt.domain: prompt for prompt in stored.defer("instruction", "examples")}
    return {domain: newest.get(domain) or _first(project, domain) for domain in domains}


@transaction.atomic
def save_prompt(
    *,
    project: Project,
    domain: str,
    instruction: str,
    examples: list[dict[str, str]],
    author: User | None,
) -> ModificationPrompt:
    """Store the next version. Raises ReviewError if nothing has changed."""
    project = Project.objects.lock(project.pk)
    last = current_prompt(project, domain)
    if last.pk and (last.instruction, last.examples) == (instruction, examples):
        raise ReviewError(f"The prompt is the same as version {last.version}. Nothing was saved.")
    prompt = ModificationPrompt.objects.create(
        project=project,
        domain=domain,
        version=last.version + 1 if last.pk else 1,
        instruction=instruction,
        examples=examples,
        created_by=author,
    )
    record_event(
        actor=author,
        verb="save prompt",
        subject=prompt,
        project=project,
        after={"domain": domain, "version": prompt.version},
    )
    return prompt
