"""A text model writes modifications, request by request (TF-CoVR, appendix B). For a worker."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from annotate.content import storable
from annotate.models import Project
from inference.backends.protocols import BackendError, Generation, TextModel
from inference.loading import batch_size_of, load_model
from inference.registry import model_settings
from review.leases import go_on, work_through
from review.modifications.models import Modification, ModificationRequest, ModificationRun
from review.modifications.prompts import problem_with_reply, question
from review.modifications.queries import directions_without_text
from review.modifications.runs import end_run

RequestState = ModificationRequest.State

MOST_RETRIES = 2
MOST_TOKENS = 120
CUT_OFF = (
    f"The model used up its {MOST_TOKENS} tokens before its answer was complete. Choose one that "
    "answers without thinking aloud."
)


def write(*, run: ModificationRun) -> ModificationRun:
    """Ask for the texts that are left, and commit each reply by itself.

    Safe to run twice, also at once, and after a killed worker: a direction that has got a text or
    a person meanwhile is left alone.
    """
    work_through(run, _ask_for_all, end_run)
    run.refresh_from_db()
    return run


def _ask_for_all(run: ModificationRun) -> None:
    settings = model_settings(run.model)
    writer, at_once = load_model(settings), batch_size_of(settings)
    while some := list(_waiting(run)[:at_once]):
        _ask(run, writer, some)


def _waiting(run: ModificationRun) -> QuerySet[ModificationRequest]:
    return run.requests.filter(state=RequestState.WAITING).select_related("source", "target")


def _ask(run: ModificationRun, writer: TextModel, some: list[ModificationRequest]) -> None:
    """Ask about these; a malformed reply is asked for again.

    Raises Stopped, and BackendError where every other request would fail too.
    """
    asked = list(_still_open(run.project, some))
    refused: dict[int, tuple[str, str]] = {}
    for attempt in range(1 + MOST_RETRIES):
        if not asked:
            return
        go_on(run)
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
        broken = None
        for request, reply in zip(asked, replies, strict=True):
            if isinstance(reply, BackendError):
                if reply.concerns_all:
                    broken = reply
                else:
                    _fail(request, CUT_OFF if reply.code == "cut_off" else str(reply))
            elif problem := problem_with_reply(reply):
                refused[request.pk] = (problem, storable(reply))
                again.append(request)
            else:
                _store(run, request, storable(reply).strip())
        # Only now: what the others of the batch answered is paid for.
        if broken:
            raise broken
        asked = again
    for request in asked:
        _fail(request, *refused[request.pk])


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


def _close(request: ModificationRequest, state: ModificationRequest.State, **told: str) -> None:
    ModificationRequest.objects.filter(pk=request.pk, state=RequestState.WAITING).update(
        state=state, **told
    )


@transaction.atomic
def _store(run: ModificationRun, request: ModificationRequest, text: str) -> None:
    """Keep the text, unless somebody has begun meanwhile: they would not see it."""
    direction = directions_without_text(run.project).filter(
        subject=request.pair_id, clip__label=request.source_id
    )
    # Asked again once it is locked: until then another run may have stored a text.
    if not (direction.select_for_update(of=("self",)).first() and direction.exists()):
        _close(request, RequestState.LEFT)
        return
    # Also where another worker has failed with it meanwhile.
    ModificationRequest.objects.filter(pk=request.pk).update(
        state=RequestState.WRITTEN, reason="", reply=""
    )
    Modification.objects.create(
        pair_id=request.pair_id,
        source_id=request.source_id,
        target_id=request.target_id,
        text=text,
        model=run.model,
        prompt=run.prompt,
    )
