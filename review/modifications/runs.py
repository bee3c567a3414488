"""Runs of a text model that writes the modifications that nobody has written."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.models import Project, User
from annotate.services.audit import record_event
from inference.models import ModelSpec
from inference.queries import AT_ONCE
from inference.registry import Role, has_role, info
from review.errors import ReviewError
from review.modifications.models import ModificationRequest, ModificationRun
from review.modifications.prompt_changes import prompt_in_force
from review.modifications.queries import directions_without_text
from review.modifications.tasks import write_modifications
from review.pairs.models import LabelPair

State = ModificationRun.State


@transaction.atomic
def start_modification_run(
    *, project: Project, model: ModelSpec, domain: str, admin: User | None
) -> ModificationRun:
    """Have a worker ask the model about every direction without a text whose source is of this
    domain, with the prompt in force. Raises ReviewError."""
    if not has_role(model, Role.TEXT):
        raise ReviewError(f"{model.name} answers no questions. Choose a text model.")
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if ModificationRun.objects.filter(project=project, state=State.RUNNING).exists():
        raise ReviewError("A model is writing now. Wait until it is finished, or stop it.")
    waiting = directions_without_text(project).filter(clip__label__domain=domain)
    sources = dict.fromkeys(waiting.values_list("subject", "clip__label"))
    if not sources:
        raise ReviewError("No direction of these labels waits for a text. Judge label pairs first.")
    prompt = prompt_in_force(project, domain)
    if not prompt.pk:
        prompt.created_by = admin
        prompt.save()
    run = ModificationRun.objects.create(
        project=project, model=model, prompt=prompt, created_by=admin
    )
    ends = _ends({pair for pair, _ in sources})
    ModificationRequest.objects.bulk_create(
        [
            ModificationRequest(
                run=run, pair_id=pair, source_id=source, target_id=sum(ends[pair]) - source
            )
            for pair, source in sources
        ],
        batch_size=AT_ONCE,
    )
    record_event(
        actor=admin,
        verb="write modifications",
        subject=run,
        project=project,
        after={"model": model.name, "prompt": str(prompt), "directions": len(sources)},
    )
    queue_modification_run(run)
    return run


def _ends(pairs: set[int]) -> dict[int, tuple[int, int]]:
    """pair -> its two labels."""
    keys = sorted(pairs)
    return {
        pair: (first, second)
        for start in range(0, len(keys), AT_ONCE)
        for pair, first, second in LabelPair.objects.filter(
            pk__in=keys[start : start + AT_ONCE]
        ).values_list("pk", "first", "second")
    }


def queue_modification_run(run: ModificationRun) -> None:
    """Send a message once the rows are committed; a lost one costs a later requeue and no more."""
    send = partial(write_modifications.apply_async, args=(run.pk,), queue=info(run.model).queue)
    transaction.on_commit(send, robust=True)


def abandoned_modification_runs() -> QuerySet[ModificationRun]:
    """Runs with work left on which no living worker is."""
    return ModificationRun.objects.filter(
        state=State.RUNNING, lease_until__lt=timezone.now()
    ).select_related("model")


def requeue_modification_runs() -> int:
    """Queue again every run that nobody is working on; gives how many. Safe at any time."""
    runs = list(abandoned_modification_runs())
    for run in runs:
        queue_modification_run(run)
    return len(runs)


@transaction.atomic
def stop_modification_run(*, run: ModificationRun, admin: User) -> None:
    """Ask for no further text; those that are written stay. Raises ReviewError where it is over."""
    stopped = end_run(run, State.STOPPED, f"Stopped by {admin}.")
    if not stopped:
        raise ReviewError("This run is over already.")
    record_event(actor=admin, verb="stop writing modifications", subject=run, project=run.project)


def end_run(run: ModificationRun, state: ModificationRun.State, reason: str = "") -> bool:
    """False where it was over already."""
    return bool(
        ModificationRun.objects.filter(pk=run.pk, state=State.RUNNING).update(
            state=state, reason=reason[:500], finished_at=timezone.now()
        )
    )
