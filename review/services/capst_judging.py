"""A model finds the elements of captions and judges them, clip by clip. For a worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotate.models import Caption, Project
from inference.backends.protocols import BackendError, ElementKind
from metrics.capst import PRESETS
from review.capst.recipes import extraction_recipe, how_asked
from review.capst.results import KINDS, failures
from review.models import CapstItem, CapstRun, Extraction
from review.queries.capst import (
    References,
    extractions_in_force,
    references_in_force,
    wanted_elements,
)
from review.services.capst_asking import Asker, Extract, Stopped, Unanswered
from review.services.capst_lists import Failed, Lists, Wanted
from review.services.capst_runs import end_run

State = CapstRun.State
ItemState = CapstItem.State
# A worker that is silent for longer, because its server is, is taken for dead. Once it is back it
# finds that another has the run; what it was answered meanwhile is kept.
LEASE = timedelta(minutes=10)


def judge(*, run: CapstRun) -> CapstRun:
    """Find the elements of the human captions first, which stay for every later run, and then judge
    clip by clip; each clip is committed by itself.

    Safe to run twice, also at once, and after a killed worker: what is stored is not asked again.
    """
    if not _hold(run, Q(lease_until__lt=timezone.now())):
        return run
    try:
        _Worker(run).work()
    except Stopped:
        pass
    except BackendError as error:
        # What befalls a worker that was taken for dead says nothing about the run.
        if _hold(run, Q(lease_until=run.lease_until)):
            end_run(run, State.STOPPED, str(error))
    except OperationalError:
        # The task is tried again soon, and is to find the run free.
        CapstRun.objects.filter(pk=run.pk, lease_until=run.lease_until).update(
            lease_until=timezone.now()
        )
        raise
    except Exception as error:
        # Else every worker would break off in the same place; the log of this one has the rest.
        end_run(run, State.STOPPED, f"It broke off: {error or type(error).__name__}")
        raise
    else:
        end_run(run, State.FINISHED)
    run.refresh_from_db()
    return run


def _hold(run: CapstRun, is_free: Q) -> bool:
    """Whether the run goes on and `is_free`; then it is this worker's for a while longer, who is
    known by when its lease ends: whoever takes the run over has one that ends later."""
    until = timezone.now() + LEASE
    runs = CapstRun.objects.filter(is_free, pk=run.pk, state=State.RUNNING)
    if not runs.update(lease_until=until):
        return False
    run.lease_until = until
    return True


class _Worker:
    def __init__(self, run: CapstRun) -> None:
        self.run = run
        self.most = PRESETS[run.preset].most_elements
        self.recipe = extraction_recipe(run.extractor_recipe, self.most)
        self.extractor = self._asker(run.extractor_recipe)
        self.judge = self._asker(run.judge_recipe) if run.judge_recipe else None
        # Human captions whose elements could not be found; in memory, for nobody else rests on it.
        self.failed: Failed = {}

    def _asker(self, recipe: Mapping[str, Any]) -> Asker:
        return Asker(self.run.project, recipe, self._go_on)

    def _go_on(self) -> None:
        """Raises Stopped where the run was stopped, or is another worker's by now."""
        if not _hold(self.run, Q(lease_until=self.run.lease_until)):
            raise Stopped

    def work(self) -> None:
        waiting = self.run.items.filter(state=ItemState.WAITING)
        self._find_references(waiting)
        at_once = max(self.extractor.at_once, self.judge.at_once if self.judge else 1)
        while some := list(waiting.select_related("prediction")[:at_once]):
            self._go_on()
            self._finish(some)

    def _find_references(self, waiting: QuerySet[CapstItem]) -> None:
        """The elements of the human captions that nobody has found yet."""
        wanted: set[Wanted] = set()
        for events, objects in waiting.values_list("events_reference", "objects_reference"):
            wanted |= wanted_elements(self.run, References(events, objects))
        there = references_in_force(self.run, {caption for caption, _ in wanted})
        missing = sorted(
            (one for one in wanted if one[0] not in there[one[1]]), key=lambda one: one[::-1]
        )
        for start in range(0, len(missing), self.extractor.at_once):
            self._go_on()
            self.failed |= self._extract(missing[start : start + self.extractor.at_once])

    def _extract(self, some: Sequence[Wanted]) -> Failed:
        """Store what the extractor finds in these captions; gives what it found no answer to."""
        texts = dict(
            Caption.objects.filter(pk__in={caption for caption, _ in some}).values_list(
                "pk", "text"
            )
        )
        answers = self.extractor.ask(
            [Extract(texts[caption], kind, self.most) for caption, kind in some]
        )
        found, failed = {}, {}
        for wanted, answer in zip(some, answers, strict=True):
            if isinstance(answer, Unanswered):
                failed[wanted] = answer
            else:
                found[wanted] = answer
        self._store_extractions(found)
        return failed

    @transaction.atomic
    def _store_extractions(self, found: Mapping[Wanted, list[str]]) -> None:
        """Another run may have been faster, or a person: all are to rest on the same lists."""
        Project.objects.select_for_update(no_key=True).get(pk=self.run.project_id)
        there = references_in_force(self.run, {caption for caption, _ in found})
        Extraction.objects.bulk_create(
            self._extraction(wanted, elements)
            for wanted, elements in found.items()
            if wanted[0] not in there[wanted[1]]
        )

    def _extraction(self, wanted: Wanted, elements: list[str]) -> Extraction:
        caption, kind = wanted
        return Extraction(
            caption_id=caption,
            kind=kind,
            elements=elements,
            most_elements=self.most,
            recipe=self.recipe,
            method=how_asked(self.run.extractor_recipe),
            model=self.run.extractor,
        )

    def _finish(self, some: Sequence[CapstItem]) -> None:
        references = references_in_force(
            self.run,
            {item.events_reference_id for item in some}
            | {item.objects_reference_id for item in some},
        )
        if self.judge is None:
            for item in some:
                wanted = wanted_elements(
                    self.run, References(item.events_reference_id, item.objects_reference_id)
                )
                missing = [one for one in sorted(wanted) if one in self.failed]
                self._store(item, {}, [self.failed[one].about(one[1]) for one in missing])
            return
        predicted, failed = self._predictions(some)
        lists = Lists(references, predicted, {**self.failed, **failed})
        questions, places = lists.questions(some)
        answers = self.judge.ask(questions)
        for item, results, unanswered in lists.with_answers(some, places, answers):
            self._store(item, results, unanswered)

    def _predictions(
        self, some: Sequence[CapstItem]
    ) -> tuple[Mapping[ElementKind, dict[int, Extraction]], Failed]:
        keys = sorted({item.prediction_id for item in some if item.prediction_id})
        there = {kind: extractions_in_force(keys, kind, self.most, self.recipe) for kind in KINDS}
        missing: list[Wanted] = [(key, kind) for kind in KINDS for key in keys
                                 if key not in there[kind]]  # fmt: skip
        if not missing:
            return there, {}
        failed = self._extract(missing)
        return {
            kind: extractions_in_force(keys, kind, self.most, self.recipe) for kind in KINDS
        }, failed

    def _store(
        self, item: CapstItem, results: Mapping[str, Any], unanswered: Sequence[Unanswered]
    ) -> None:
        reasons = failures(results) or [one.reason for one in unanswered]
        CapstItem.objects.filter(
            pk=item.pk, state=ItemState.WAITING, run__state=State.RUNNING
        ).update(
            state=ItemState.FAILED if reasons else ItemState.DONE,
            reason=" ".join(reasons)[:500],
            reply=next((one.reply for one in unanswered if one.reply), "")[:500],
            results=results,
        )
