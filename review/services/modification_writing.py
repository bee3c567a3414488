"""A text model writes modifications, request by request (TF-CoVR, appendix B). For a worker."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.content import storable
from annotate.models import Project
from inference.backends.protocols import BackendError, Generation, TextModel
from inference.loading import batch_size_of, load_model
from inference.registry import model_settings
from review.models import Modification, ModificationRequest, ModificationRun
from review.modifications.prompts import problem_with_reply, question
from review.services.modification_runs import directions_without_text, end_run

State = ModificationRun.State
RequestState = ModificationRequest.State

MOST_RETRIES = 2
MOST_TOKENS = 120
# Longer than a worker is ever silent; two at once cost requests and change nothing.
LEASE = timedelta(minutes=10)


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
        end_run(run, State.STOPPED, str(error))
    else:
        end_run(run, State.FINISHED)
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
