"""Having a text model write the modifications that nobody has written (TF-CoVR, appendix B)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotate.content import storable
from annotate.models import Project, User, WorkItem
from annotate.services.audit import record_event
from inference.backends.protocols import BackendError, Generation, TextModel
from inference.loading import batch_size_of, load_model
from inference.models import ModelSpec
from inference.queries import AT_ONCE
from inference.registry import Role, has_role, info, model_settings
from review.errors import ReviewError
from review.models import LabelPair, Modification, ModificationRequest, ModificationRun
from review.modification_prompts import problem_with_reply, question
from review.services.modification_prompts import prompt_in_force
from review.services.modifications import IN_USE
from review.tasks import write_modifications

State = ModificationRun.State
RequestState = ModificationRequest.State

MOST_RETRIES = 2
MOST_TOKENS = 120
# Longer than a worker is ever silent; two at once cost requests and change nothing.
LEASE = timedelta(minutes=10)


def directions_without_text(project: Project) -> QuerySet[WorkItem]:
    """The work of writing a modification that nobody is at and that has no text to look at, the
    most alike labels first."""
    texts = Modification.objects.filter(
        pair=OuterRef("subject"),
        source=OuterRef("clip__label"),
        state__in=[Modification.State.WAITING, Modification.State.ACCEPTED],
    )
    pairs = LabelPair.objects.filter(pk=OuterRef("subject"), kind__in=IN_USE)
    return (
        WorkItem.objects.filter(
            project=project,
            kind=WorkItem.Kind.MODIFY,
            state=WorkItem.State.OPEN,
            open_slots__gt=0,
            clip__label__isnull=False,
        )
        .filter(Exists(pairs), ~Exists(texts))
        .order_by("-priority", "id")
    )


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


@transaction.atomic
def stop_modification_run(*, run: ModificationRun, admin: User) -> None:
    """Ask for no further text; those that are written stay. Raises ReviewError where it is over."""
    stopped = _end(run, State.STOPPED, f"Stopped by {admin}.")
    if not stopped:
        raise ReviewError("This run is over already.")
    record_event(actor=admin, verb="stop writing modifications", subject=run, project=run.project)


def write(*, run: ModificationRun) -> ModificationRun:
    """Ask for the texts that are left, and commit each reply by itself.

    Safe to run twice, also at once, and after a killed worker: a direction that has got a text or
    a person meanwhile is left alone.
    """
    if not _renew(run, ModificationRun.objects.filter(lease_until__lt=timezone.now())):
        return run
    try:
        settings = model_settings(run.model)
        writer, at_once = load_model(settings), batch_size_of(settings)
        while some := list(_waiting(run)[:at_once]):
            if not _ask(run, writer, some):
                return run
    except BackendError as error:
        _end(run, State.STOPPED, str(error))
    else:
        _end(run, State.FINISHED)
    run.refresh_from_db()
    return run


def _waiting(run: ModificationRun) -> QuerySet[ModificationRequest]:
    return run.requests.filter(state=RequestState.WAITING).select_related("source", "target")


def _renew(run: ModificationRun, among: QuerySet[ModificationRun] | None = None) -> bool:
    """Whether the run goes on, and is this worker's for a while longer."""
    runs = ModificationRun.objects if among is None else among
    return bool(
        runs.filter(pk=run.pk, state=State.RUNNING).update(lease_until=timezone.now() + LEASE)
    )


def _end(run: ModificationRun, state: ModificationRun.State, reason: str = "") -> bool:
    return bool(
        ModificationRun.objects.filter(pk=run.pk, state=State.RUNNING).update(
            state=state, reason=reason[:500], finished_at=timezone.now()
        )
    )


def _ask(run: ModificationRun, writer: TextModel, some: list[ModificationRequest]) -> bool:
    """Ask about these; a malformed reply is asked for again. False where the run was stopped.

    Raises BackendError where every other request would fail too.
    """
    asked = list(_still_open(run.project, some))
    refused: dict[int, tuple[str, str]] = {}
    for attempt in range(1 + MOST_RETRIES):
        if not asked:
            return True
        if not _renew(run):
            return False
        replies = writer.complete(
            [
                question(
                    run.prompt.examples,
                    request.source.caption,
                    request.target.caption,
                    refused.get(request.pk, ("", ""))[0],
                )
                for request in asked
            ],
            Generation(max_tokens=MOST_TOKENS, seed=attempt),
            system=run.prompt.instruction,
        )
        again = []
        for request, reply in zip(asked, replies, strict=True):
            if isinstance(reply, BackendError):
                if reply.concerns_all:
                    raise reply
                _fail(request, str(reply))
            elif problem := problem_with_reply(reply):
                refused[request.pk] = (problem, storable(reply))
                again.append(request)
            else:
                _store(run, request, storable(reply).strip())
        asked = again
    for request in asked:
        _fail(request, *refused[request.pk])
    return True


def _still_open(project: Project, some: list[ModificationRequest]) -> Iterable[ModificationRequest]:
    """Those whose direction still waits for a text; the others are left to people."""
    waiting = directions_without_text(project).filter(
        subject__in=[request.pair_id for request in some]
    )
    waits = set(waiting.values_list("subject", "clip__label"))
    for request in some:
        if (request.pair_id, request.source_id) in waits:
            yield request
        else:
            _close(request, RequestState.LEFT)


def _fail(request: ModificationRequest, reason: str, reply: str = "") -> None:
    _close(request, RequestState.FAILED, reason=reason[:500], reply=reply[:500])


def _close(request: ModificationRequest, state: ModificationRequest.State, **told: str) -> bool:
    return bool(
        ModificationRequest.objects.filter(pk=request.pk, state=RequestState.WAITING).update(
            state=state, **told
        )
    )


@transaction.atomic
def _store(run: ModificationRun, request: ModificationRequest, text: str) -> None:
    """Keep the text, unless somebody has begun meanwhile: they would not see it."""
    item = (
        directions_without_text(run.project)
        .filter(subject=request.pair_id, clip__label=request.source_id)
        .select_for_update(of=("self",))
        .first()
    )
    if item is None:
        _close(request, RequestState.LEFT)
    elif _close(request, RequestState.WRITTEN):
        Modification.objects.create(
            pair_id=request.pair_id,
            source_id=request.source_id,
            target_id=request.target_id,
            text=text,
            model=run.model,
            prompt=run.prompt,
        )
