"""Find the elements of captions and judge them, in batches of clips. For a worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction

from annotate.jobs.kinds import BatchWork, Outcome
from annotate.jobs.services.leases import refuse_lost
from annotate.models import Caption, Project
from annotate.models.jobs import AbstractJobItem
from inference.backends.protocols import ElementKind
from metrics.capst import PRESETS
from review.capst.asking import Asker, Extract, Unanswered
from review.capst.batches import Failed, ListKey, Lists
from review.capst.models import CapstItem, CapstRun
from review.capst.queries import current_references, required_lists
from review.capst.recipes import extraction_recipe, extractor_of, judge_of
from review.capst.results import Judgments, failures, stored_form
from review.elements.lines import KINDS
from review.elements.models import Extraction
from review.elements.queries import References, current_extractions

State = AbstractJobItem.State


@dataclass(frozen=True)
class Judged:
    """The judgments of a clip's lists, and the reasons for missing ones."""

    judgments: Judgments
    unanswered: Sequence[Unanswered]


class Judging(BatchWork[CapstItem, CapstItem, CapstItem, Judged]):
    """Finds the elements of the human captions, which later runs reuse, and of the predictions, and
    judges them.

    A model's answers are stored at once, so that a stopped worker loses none and no question is
    repeated.
    """

    def __init__(self, run: CapstRun) -> None:
        self.run = run
        self.most = PRESETS[run.preset].most_elements
        extractor, judge = extractor_of(run), judge_of(run)
        self.recipe = extraction_recipe(extractor, self.most)
        self.extractor = Asker(run.project, extractor)
        self.judge = Asker(run.project, judge) if judge else None
        self.batch_size = max(self.extractor.at_once, self.judge.at_once if self.judge else 1)

    def describe(self, items: Sequence[CapstItem]) -> list[CapstItem]:
        return list(items)

    def read(self, task: CapstItem) -> CapstItem:
        return task

    def compute(
        self, tasks: Sequence[CapstItem], materials: Sequence[CapstItem]
    ) -> Sequence[Judged]:
        """Judge these items. Raises ItemLost if they were canceled, and BackendError if all other
        requests would fail too.
        """
        batch = _Batch(self, tasks)
        try:
            return batch.judge() if self.judge else batch.find_elements()
        finally:
            self._store_formats()

    def store(self, item: CapstItem, task: CapstItem, result: Judged) -> Outcome:
        unanswered = result.unanswered
        reasons = failures(result.judgments) or [each.reason for each in unanswered]
        return Outcome(
            state=State.FAILED if reasons else State.DONE,
            reason=" ".join(reasons),
            values={
                "reply": next((each.reply for each in unanswered if each.reply), "")[:500],
                "results": stored_form(result.judgments),
            },
        )

    def _store_formats(self) -> None:
        """Record the formats of the servers' replies so far."""
        used = {"elements": self.extractor.reply_formats}
        if self.judge:
            used["judgements"] = self.judge.reply_formats
        stored = self.run.reply_formats
        if all(names <= set(stored.get(role, ())) for role, names in used.items()):
            return
        with transaction.atomic():  # another worker may record its formats
            run = CapstRun.objects.select_for_update(of=("self",)).get(pk=self.run.pk)
            formats = {
                role: sorted(names | set(run.reply_formats.get(role, ())))
                for role, names in used.items()
            }
            self.run.reply_formats = {role: names for role, names in formats.items() if names}
            CapstRun.objects.filter(pk=run.pk).update(reply_formats=self.run.reply_formats)


class _Batch:
    """Some clips of a run. `failed` are the captions whose elements the model couldn't give."""

    def __init__(self, judging: Judging, items: Sequence[CapstItem]) -> None:
        self.judging = judging
        self.run, self.most, self.recipe = judging.run, judging.most, judging.recipe
        self.extractor = judging.extractor
        self.items = items
        self.refuse_lost: Callable[[], None] = partial(refuse_lost, items)
        self.failed: Failed = {}

    def find_elements(self) -> list[Judged]:
        """Find only the elements of the human captions."""
        self._find_references()
        return [Judged(Judgments(), self._unanswered(item)) for item in self.items]

    def _unanswered(self, item: CapstItem) -> list[Unanswered]:
        elements = sorted(required_lists(self.run, _references(item)))
        return [self.failed[each].about(each[1]) for each in elements if each in self.failed]

    def judge(self) -> list[Judged]:
        assert self.judging.judge is not None
        self._find_references()
        references = current_references(
            self.run,
            {item.events_reference_id for item in self.items}
            | {item.objects_reference_id for item in self.items},
        )
        lists = Lists(references, self._predictions(), self.failed)
        questions, places = lists.questions(self.items)
        answers = self.judging.judge.ask(questions, self.refuse_lost)
        return [
            Judged(judgments, unanswered)
            for judgments, unanswered in lists.with_answers(self.items, places, answers)
        ]

    def _find_references(self) -> None:
        """Find the elements of human captions without a stored list."""
        keys: set[ListKey] = set()
        for item in self.items:
            keys |= required_lists(self.run, _references(item))
        current = current_references(self.run, {caption for caption, _ in keys})
        self._extract(
            sorted(
                (each for each in keys if each[0] not in current[each[1]]),
                key=lambda each: each[::-1],
            )
        )

    def _predictions(self) -> Mapping[ElementKind, dict[int, Extraction]]:
        keys = sorted({item.prediction_id for item in self.items if item.prediction_id})
        extractions = self._extractions(keys)
        missing = [(key, kind) for kind in KINDS for key in keys if key not in extractions[kind]]
        if not missing:
            return extractions
        self._extract(missing)
        return self._extractions(keys)

    def _extractions(self, keys: Sequence[int]) -> Mapping[ElementKind, dict[int, Extraction]]:
        return {kind: current_extractions(keys, kind, self.most, self.recipe) for kind in KINDS}

    def _extract(self, keys: Sequence[ListKey]) -> None:
        """Store the extractor's elements of these captions; a caption without an answer has failed.
        Each request's answers are stored before the next request.
        """
        for start in range(0, len(keys), self.extractor.at_once):
            self._extract_batch(keys[start : start + self.extractor.at_once])

    def _extract_batch(self, batch: Sequence[ListKey]) -> None:
        texts = dict(
            Caption.objects.filter(pk__in={caption for caption, _ in batch}).values_list(
                "pk", "text"
            )
        )
        self.refuse_lost()
        answers = self.extractor.ask(
            [Extract(texts[caption], kind, self.most) for caption, kind in batch], self.refuse_lost
        )
        extracted = {}
        for key, answer in zip(batch, answers, strict=True):
            if isinstance(answer, Unanswered):
                self.failed[key] = answer
            else:
                extracted[key] = answer
        self._store_extractions(extracted)

    @transaction.atomic
    def _store_extractions(self, extracted: Mapping[ListKey, list[str]]) -> None:
        """Store lists unless another run or a person was faster: all runs must use
        the same lists.
        """
        Project.objects.lock(self.run.project_id)
        current = current_references(self.run, {caption for caption, _ in extracted})
        Extraction.objects.bulk_create(
            self._extraction(key, elements)
            for key, elements in extracted.items()
            if key[0] not in current[key[1]]
        )

    def _extraction(self, key: ListKey, elements: list[str]) -> Extraction:
        caption, kind = key
        return Extraction(
            caption_id=caption,
            kind=kind,
            elements=elements,
            most_elements=self.most,
            recipe=self.recipe,
            method=extractor_of(self.run).how_asked,
            model=self.run.extractor,
        )


def _references(item: CapstItem) -> References:
    return References(item.events_reference_id, item.objects_reference_id)
