"""A model finds the elements of captions and judges them, clip by clip. For a worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotate.models import Caption, Project
from inference.backends.protocols import ElementKind
from metrics.capst import PRESETS
from review.capst.asking import Asker, Extract, Unanswered
from review.capst.batches import Failed, Lists, Wanted
from review.capst.models import CapstItem, CapstRun
from review.capst.queries import references_in_force, wanted_elements
from review.capst.recipes import extraction_recipe, failures, how_asked
from review.capst.runs import end_run
from review.elements.lines import KINDS
from review.elements.models import Extraction
from review.elements.queries import References, extractions_in_force
from review.leases import go_on, work_through

ItemState = CapstItem.State


def judge(*, run: CapstRun) -> CapstRun:
    """Find the elements of the human captions first, which stay for every later run, and then judge
    clip by clip; each clip is committed by itself.

    Safe to run twice, also at once, and after a killed worker: what is stored is not asked again.
    """
    work_through(run, lambda run: _Worker(run).work(), end_run)
    run.refresh_from_db()
    return run


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
        return Asker(self.run.project, recipe, partial(go_on, self.run))

    def work(self) -> None:
        waiting = self.run.items.filter(state=ItemState.WAITING)
        self._find_references(waiting)
        at_once = max(self.extractor.at_once, self.judge.at_once if self.judge else 1)
        while some := list(waiting.select_related("prediction")[:at_once]):
            go_on(self.run)
            self._finish(some)
            self._store_formats()

    def _store_formats(self) -> None:
        """Record in which formats the servers have given their replies up to now."""
        formats = {role: set(names) for role, names in self.run.reply_formats.items()}
        for role, asker in {"elements": self.extractor, "judgements": self.judge}.items():
            if asker and asker.reply_formats:
                formats[role] = formats.get(role, set()) | asker.reply_formats
        stored = {role: sorted(names) for role, names in formats.items()}
        if stored != self.run.reply_formats:
            self.run.reply_formats = stored
            CapstRun.objects.filter(pk=self.run.pk).update(reply_formats=stored)

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
            go_on(self.run)
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
        items = CapstItem.objects.filter(
            pk=item.pk, state=ItemState.WAITING, run__state=CapstRun.State.RUNNING
        )
        if reasons:  # whoever has the run by now may be answered
            items = items.filter(run__lease_until=self.run.lease_until)
        items.update(
            state=ItemState.FAILED if reasons else ItemState.DONE,
            reason=" ".join(reasons)[:500],
            reply=next((one.reply for one in unanswered if one.reply), "")[:500],
            results=results,
        )
