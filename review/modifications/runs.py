"""Start runs of a text model that writes missing modifications. A worker plans them."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from annotate.audit import record_event
from annotate.jobs.services.starting import start_job
from annotate.models import Project, User, WorkItem
from inference.models import ModelSpec
from inference.queries import BATCH_SIZE
from inference.registry import Role, has_role, info
from review.errors import ReviewError
from review.modifications.models import ModificationRequest, ModificationRun
from review.modifications.prompt_changes import current_prompt
from review.modifications.queries import directions_without_text
from review.pairs.models import LabelPair

WRITE_MODIFICATIONS = "modifications"
NONE_WAITS = "No direction between these labels needs a text. Judge label pairs first."


@transaction.atomic
def start_modification_run(
    *, project: Project, model: ModelSpec, domain: str, admin: User | None
) -> ModificationRun:
    """Have a worker ask the model about every direction without a text whose source is of this
    domain, with the current prompt. Raises ReviewError, and JobInProgress while a model writes."""
    if not has_role(model, Role.TEXT):
        raise ReviewError(f"{model.name} can't write texts. Choose a text model.")
    project = Project.objects.lock(project.pk)
    if not _directions(project, domain).exists():
        raise ReviewError(NONE_WAITS)
    prompt = current_prompt(project, domain)
    if not prompt.pk:
        prompt.created_by = admin
        prompt.save()
    run = start_job(
        ModificationRun(
            project=project,
            kind=WRITE_MODIFICATIONS,
            lane="all",
            title=f"{model.name}, {prompt}"[:200],
            queue=info(model).queue,
            model=model,
            prompt=prompt,
            created_by=admin,
        )
    )
    record_event(
        actor=admin,
        verb="write modifications",
        subject=run,
        project=project,
        after={"model": model.name, "prompt": str(prompt)},
    )
    return run


def plan_requests(run: ModificationRun) -> list[ModificationRequest]:
    """Return an unsaved request for each direction without a text. Raises ReviewError if every
    direction has one."""
    waiting = _directions(run.project, run.prompt.domain)
    sources = dict.fromkeys(waiting.values_list("subject", "clip__label"))
    if not sources:
        raise ReviewError(NONE_WAITS)
    ends = _ends({pair for pair, _ in sources})
    return [
        ModificationRequest(
            run=run,
            position=position,
            pair_id=pair,
            source_id=source,
            target_id=sum(ends[pair]) - source,
        )
        for position, (pair, source) in enumerate(sources, 1)
    ]


def _directions(project: Project, domain: str) -> QuerySet[WorkItem]:
    return directions_without_text(project).filter(clip__label__domain=domain)


def _ends(pairs: set[int]) -> dict[int, tuple[int, int]]:
    """Return the two labels of each pair."""
    keys = sorted(pairs)
    return {
        pair: (first, second)
        for start in range(0, len(keys), BATCH_SIZE)
        for pair, first, second in LabelPair.objects.filter(
            pk__in=keys[start : start + BATCH_SIZE]
        ).values_list("pk", "first", "second")
    }
