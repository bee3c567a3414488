"""A model finds the elements of captions and judges them, clip by clip. For a worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.models import Caption, Project
from inference.backends.protocols import BackendError, ElementKind
from metrics.capst import PRESETS
from review.capst.recipes import extraction_recipe, how_asked
from review.capst.results import KINDS, JudgedList, failures
from review.models import CapstItem, CapstRun, Extraction
from review.queries.capst import (
    References,
    extractions_in_force,
    references_in_force,
    wanted_elements,
)
from review.services.capst_asking import Asker, Extract, Judge, Stopped, Unanswered
from review.services.capst_runs import end_run

State = CapstRun.State
ItemState = CapstItem.State
# Longer than a worker is ever silent; two at once cost requests and change nothing.
LEASE = timedelta(minutes=10)

Wanted = tuple[int, ElementKind]
"""A caption's key, and which of its elements."""
Failed = dict[Wanted, Unanswered]


def judge(*, run: CapstRun) -> CapstRun:
    """Find the elements of the human captions first, which stay for every later run, and then judge
    clip by clip; each clip is committed by itself.

    Safe to run twice, also at once, and after a killed worker: what is stored is not asked again.
    """
    if not _renew(run, CapstRun.objects.filter(lease_until__lt=timezone.now())):
        return run
    try:
        _Worker(run).work()
    except Stopped:
        pass
    except BackendError as error:
        end_run(run, State.STOPPED, str(error))
    else:
        end_run(run, State.FINISHED)
    run.refresh_from_db()
    return run


def _renew(run: CapstRun, among: QuerySet[CapstRun] | None = None) -> bool:
    """Whether the run goes on, and is this worker's for a while longer."""
    runs = CapstRun.objects.all() if among is None else among
    return bool(
        runs.filter(pk=run.pk, state=State.RUNNING).update(lease_until=timezone.now() + LEASE)
    )


class _Worker:
    def __init__(self, run: CapstRun) -> None:
        self.run = run
        self.most = PRESETS[run.preset].most_elements
        self.recipe = extraction_recipe(run.extractor_recipe, self.most)
        self.extractor = Asker(run.project, run.extractor_recipe)
        self.judge = Asker(run.project, run.judge_recipe) if run.judge_recipe else None
        # Human captions whose elements could not be found; in memory, for nobody else rests on it.
        self.failed: Failed = {}

    def work(self) -> None:
        waiting = self.run.items.filter(state=ItemState.WAITING)
        self._find_references(waiting)
        at_once = max(self.extractor.at_once, self.judge.at_once if self.judge else 1)
        while some := list(waiting.select_related("prediction")[:at_once]):
            if not _renew(self.run):
                raise Stopped
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
            self.failed |= self._extract(missing[start : start + self.extractor.at_once])

    def _extract(self, some: Sequence[Wanted]) -> Failed:
        """Store what the extractor finds in these captions; gives what it found no answer to."""
        texts = dict(
            Caption.objects.filter(pk__in={caption for caption, _ in some}).values_list(
                "pk", "text"
            )
        )
        answers = self.extractor.ask(
            [Extract(texts[caption], kind, self.most) for caption, kind in some],
            goes_on=lambda: _renew(self.run),
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
                self._store(item, {}, [self.failed[one] for one in missing])
            return
        predicted, failed = self._predictions(some)
        lists = _Lists(references, predicted, {**self.failed, **failed})
        questions, places = lists.questions(some)
        answers = self.judge.ask(questions, goes_on=lambda: _renew(self.run))
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


Place = tuple[int, ElementKind, str]
"""(item's key, kind, side)"""


class _Lists:
    """The lists of some clips, each with the text that it is judged against."""

    def __init__(
        self,
        references: Mapping[ElementKind, dict[int, Extraction]],
        predicted: Mapping[ElementKind, dict[int, Extraction]],
        failed: Failed,
    ) -> None:
        self._extractions = {"reference": references, "predicted": predicted}
        self._failed = failed

    def questions(self, some: Sequence[CapstItem]) -> tuple[list[Judge], list[Place]]:
        """What is to be judged, and of which list each is. A list without elements is not asked
        about, nor one that could not be made."""
        texts = dict(
            Caption.objects.filter(
                pk__in={caption for item in some for caption in _captions(item)}
            ).values_list("pk", "text")
        )
        asked: dict[Place, Judge] = {}
        for item in some:
            for kind in KINDS:
                for side, own, other in _sides(item, kind):
                    extraction = self._extractions[side][kind].get(own)
                    if extraction and extraction.elements:
                        question = Judge(texts[other], tuple(extraction.elements))
                        asked[item.pk, kind, side] = question
        return list(asked.values()), list(asked)

    def with_answers(
        self, some: Sequence[CapstItem], places: Sequence[Place], answers: Sequence[Any]
    ) -> list[tuple[CapstItem, dict[str, dict[str, JudgedList]], list[Unanswered]]]:
        """Of each clip its results, and what was not answered."""
        answered = dict(zip(places, answers, strict=True))
        done = []
        for item in some:
            results: dict[str, dict[str, JudgedList]] = {}
            unanswered: list[Unanswered] = []
            for kind in KINDS:
                for side, own, _ in _sides(item, kind):
                    extraction = self._extractions[side][kind].get(own)
                    answer = answered.get((item.pk, kind, side), [])
                    if extraction is None:
                        answer = self._failed.get(
                            (own, kind), Unanswered("Its elements are not there any more.")
                        )
                    if isinstance(answer, Unanswered):
                        unanswered.append(answer)
                    results.setdefault(kind, {})[side] = _judged(extraction, answer)
            done.append((item, results, unanswered))
        return done


def _sides(item: CapstItem, kind: ElementKind) -> list[tuple[str, int, int]]:
    """(side, the caption whose elements are judged, the caption that they are judged against)"""
    reference = item.events_reference_id if kind == "events" else item.objects_reference_id
    assert item.prediction_id is not None
    return [
        ("reference", reference, item.prediction_id),
        ("predicted", item.prediction_id, reference),
    ]


def _captions(item: CapstItem) -> list[int]:
    assert item.prediction_id is not None
    return [item.prediction_id, item.events_reference_id, item.objects_reference_id]


def _judged(extraction: Extraction | None, answer: Any) -> JudgedList:
    is_answered = not isinstance(answer, Unanswered)
    return JudgedList(
        extraction=extraction.pk if extraction else None,
        elements=extraction.elements if extraction else None,
        judged=answer if is_answered else None,
        failure="" if is_answered else answer.reason,
    )
