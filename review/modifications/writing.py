"""Have a text model write modifications, in batches of directions (TF-CoVR, appendix B). For a
worker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from annotate.jobs.kinds import BatchWork, Outcome
from annotate.jobs.services.leases import refuse_lost
from annotate.models.jobs import AbstractJobItem
from annotate.text.storable import storable
from inference.backends.protocols import BackendError, Generation
from inference.loading import batch_size_of, load_model
from inference.registry import model_settings
from review.modifications.models import Modification, ModificationRequest, ModificationRun
from review.modifications.prompts import problem_with_reply, question
from review.modifications.queries import directions_without_text, word_limits
from review.modifications.text import Limits

State = AbstractJobItem.State

MAX_RETRIES = 2
MAX_TOKENS = 120
CUT_OFF = (
    f"The model used up its {MAX_TOKENS} tokens before its answer was complete. Choose a model "
    "that answers without thinking aloud."
)


@dataclass(frozen=True)
class Answer:
    """The model's text, or the `problem` with its last `reply`; a malformed reply may be requested
    again. Without either, the direction no longer needed a text, and the model wasn't asked.
    """

    text: str = ""
    problem: str = ""
    reply: str = ""
    is_malformed: bool = False


Result = Answer | BackendError


class Writing(BatchWork[ModificationRequest, ModificationRequest, ModificationRequest, Answer]):
    """Writes modifications, except for directions that have received a text or a person in the
    meantime.
    """

    def __init__(self, run: ModificationRun) -> None:
        settings = model_settings(run.model)
        self.run = run
        self.model = load_model(settings)
        self.batch_size = batch_size_of(settings)

    def describe(self, items: Sequence[ModificationRequest]) -> list[ModificationRequest]:
        requests = ModificationRequest.objects.select_related("source", "target")
        by_key = requests.in_bulk([item.pk for item in items])
        return [by_key[item.pk] for item in items]

    def read(self, task: ModificationRequest) -> ModificationRequest:
        return task

    def compute(
        self, tasks: Sequence[ModificationRequest], materials: Sequence[ModificationRequest]
    ) -> Sequence[Result]:
        """Return each request's answer, or a BackendError for the unanswered ones if all would
        fail. A malformed reply is requested again. Raises ItemLost if these were canceled.
        """
        results: dict[int, Result] = {task.pk: Answer() for task in tasks}
        open_tasks = self._still_open(tasks)
        for attempt in range(1 + MAX_RETRIES):
            if open_tasks:
                refuse_lost(tasks)
                results |= self._ask(open_tasks, attempt, results)
            open_tasks = [task for task in open_tasks if _is_malformed(results[task.pk])]
            errors = (result for result in results.values() if isinstance(result, BackendError))
            if error := next(errors, None):
                # Keep the batch's other answers, which are paid for; unanswered requests are
                # repeated later.
                return [error if task in open_tasks else results[task.pk] for task in tasks]
        return [results[task.pk] for task in tasks]

    def _still_open(self, tasks: Sequence[ModificationRequest]) -> list[ModificationRequest]:
        """Return the requests whose direction still needs a text; others are left to people."""
        waiting = directions_without_text(self.run.project).filter(
            subject__in=[task.pair_id for task in tasks]
        )
        waits = set(waiting.values_list("subject", "clip__label"))
        return [task for task in tasks if (task.pair_id, task.source_id) in waits]

    def _ask(
        self,
        tasks: Sequence[ModificationRequest],
        attempt: int,
        results: dict[int, Result],
    ) -> dict[int, Result]:
        replies = self.model.complete(
            [
                question(
                    self.run.prompt.examples,
                    task.source.caption,
                    task.target.caption,
                    _problem(results[task.pk]),
                )
                for task in tasks
            ],
            Generation(max_tokens=MAX_TOKENS, seed=attempt),
            system=self.run.prompt.instruction,
        )
        limits = word_limits(self.run.project)
        return {task.pk: _read(reply, limits) for task, reply in zip(tasks, replies, strict=True)}

    def store(
        self, item: ModificationRequest, task: ModificationRequest, result: Answer
    ) -> Outcome:
        if result.problem:
            return Outcome(
                state=State.FAILED, reason=result.problem, values={"reply": result.reply[:500]}
            )
        if not result.text:
            return Outcome(state=State.SKIPPED)
        return store_text(self.run, task, result.text)


def _read(reply: str | BackendError, limits: Limits) -> Result:
    """Return the answer in the model's reply; a BackendError only if all other requests would fail
    too.
    """
    if isinstance(reply, BackendError):
        if reply.concerns_all:
            return reply
        return Answer(problem=CUT_OFF if reply.code == "cut_off" else str(reply))
    if problem := problem_with_reply(reply, limits):
        return Answer(problem=problem, reply=storable(reply), is_malformed=True)
    return Answer(text=storable(reply).strip())


def _is_malformed(result: Result) -> bool:
    return isinstance(result, Answer) and result.is_malformed


def _problem(result: Result) -> str:
    return result.problem if isinstance(result, Answer) else ""


@transaction.atomic
def store_text(run: ModificationRun, request: ModificationRequest, text: str) -> Outcome:
    """Store the text, unless a person, who wouldn't see it, has started in the meantime."""
    direction = directions_without_text(run.project).filter(
        subject=request.pair_id, clip__label=request.source_id
    )
    # Check again under the lock: another run can have stored a text before.
    if not (direction.select_for_update(of=("self",)).first() and direction.exists()):
        return Outcome(state=State.SKIPPED)
    Modification.objects.create(
        pair_id=request.pair_id,
        source_id=request.source_id,
        target_id=request.target_id,
        text=text,
        model=run.model,
        prompt=run.prompt,
    )
    return Outcome(text)
