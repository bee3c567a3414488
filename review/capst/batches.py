"""The lists of elements of some clips, and a judge's questions about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotate.models import Caption
from inference.backends.protocols import ElementKind
from review.capst.asking import JUDGING_BATCH_SIZE, Judge, Unanswered
from review.capst.models import CapstItem
from review.capst.results import JudgedKind, JudgedList, Judgments
from review.elements.lines import KINDS
from review.elements.models import Extraction

ListKey = tuple[int, ElementKind]
"""A caption's key, and which of its elements."""
Failed = dict[ListKey, Unanswered]
Place = tuple[int, ElementKind, str]
"""(item's key, kind, side)"""


class Lists:
    """The lists of some clips, each with the text to judge it against."""

    def __init__(
        self,
        references: Mapping[ElementKind, dict[int, Extraction]],
        predicted: Mapping[ElementKind, dict[int, Extraction]],
        failed: Failed,
    ) -> None:
        self._extractions = {"reference": references, "predicted": predicted}
        self._failed = failed

    def questions(self, items: Sequence[CapstItem]) -> tuple[list[Judge], list[Place]]:
        """Return the questions, and the list of each. A long list is split into portions, so that
        the reply has room. Empty and missing lists give no question.
        """
        texts = dict(
            Caption.objects.filter(
                pk__in={caption for item in items for caption in _captions(item)}
            ).values_list("pk", "text")
        )
        questions: list[Judge] = []
        places: list[Place] = []
        for item in items:
            for kind in KINDS:
                for side, own, other in _sides(item, kind):
                    extraction = self._extractions[side][kind].get(own)
                    elements = extraction.elements if extraction else []
                    for start in range(0, len(elements), JUDGING_BATCH_SIZE):
                        portion = tuple(elements[start : start + JUDGING_BATCH_SIZE])
                        questions.append(Judge(texts[other], portion, kind))
                        places.append((item.pk, kind, side))
        return questions, places

    def with_answers(
        self, items: Sequence[CapstItem], places: Sequence[Place], answers: Sequence[Any]
    ) -> list[tuple[Judgments, list[Unanswered]]]:
        """Return each clip's judgments, and what was not answered."""
        answered: dict[Place, Any] = {}
        for place, answer in zip(places, answers, strict=True):
            answered[place] = _joined(answered.get(place, []), answer)
        done = []
        for item in items:
            kinds: dict[str, JudgedKind] = {}
            unanswered: list[Unanswered] = []
            for kind in KINDS:
                judged: dict[str, JudgedList] = {}
                for side, own, _ in _sides(item, kind):
                    extraction = self._extractions[side][kind].get(own)
                    answer = answered.get((item.pk, kind, side), [])
                    if extraction is None:
                        answer = self._failed.get(
                            (own, kind), Unanswered("Its elements no longer exist.")
                        )
                    if isinstance(answer, Unanswered):
                        unanswered.append(answer)
                    judged[side] = _judged(extraction, answer)
                kinds[kind] = JudgedKind(**judged)
            done.append((Judgments(**kinds), unanswered))
        return done


def _joined(before: Any, answer: Any) -> Any:
    """Join the judgments of both portions of a list; Unanswered if either is."""
    if isinstance(before, Unanswered):
        return before
    return answer if isinstance(answer, Unanswered) else [*before, *answer]


def _sides(item: CapstItem, kind: ElementKind) -> list[tuple[str, int, int]]:
    """Return (side, the caption whose elements are judged, the caption that they are judged
    against).
    """
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
