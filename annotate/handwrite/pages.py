"""The page to write by hand: the caption, and the models' attempts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotate.corpus.blindness import captions_to_judge
from annotate.models import Assignment, Membership
from annotate.queue.content import Content
from annotate.text.sentences import split_sentences
from annotate.text.words import count_words

CHART_WIDTH = 100


@dataclass(frozen=True)
class Passage:
    """A sentence, or the text between two; joined they give the whole text."""

    text: str
    is_sentence: bool


@dataclass(frozen=True)
class Attempt:
    """One model's attempt for the clip. Without a caption, `passages` is empty and `reason` says
    why.

    `bar` is the score's length in a chart CHART_WIDTH long.
    """

    model: str
    passages: list[Passage]
    words: int
    score: float | None
    bar: float
    reason: str


def hand_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    item = assignment.item
    hides_names = _hides_names(assignment)
    tried = _attempts(assignment, hides_names=hides_names)
    threshold = item.context.get("threshold")
    scores = [attempt["score"] for attempt in tried if attempt["score"] is not None]
    # The threshold is in the middle, unless a score exceeds twice its value.
    widest = max([*scores, 2 * (threshold or 0)], default=0) or 1
    return {
        "text": content.get("text", ""),
        "before": content.get("before", ""),
        "spans": content.get("spans-text", ""),
        "word_count": count_words(content.get("text", "")),
        "has_advice": "writing_advice" in item.project.pipeline.keys,
        "threshold": threshold,
        "threshold_place": _length(threshold, widest),
        "scorer": item.context.get("scorer", ""),
        "hides_names": hides_names,
        "attempts": [
            Attempt(
                model=attempt["model"],
                passages=list(_passages(attempt["text"])),
                words=count_words(attempt["text"]),
                score=attempt["score"],
                bar=_length(attempt["score"], widest),
                reason=attempt["reason"],
            )
            for attempt in tried
        ],
    }


def shown_attempts(assignment: Assignment) -> list[dict[str, Any]]:
    """Return the models' texts as `model`, `text`, `score` and `reason`, without anything that
    reveals the model while the writer could still compare their captions."""
    return _attempts(assignment, hides_names=_hides_names(assignment))


def _attempts(assignment: Assignment, *, hides_names: bool) -> list[dict[str, Any]]:
    hidden = {"model": "A model", "score": None} if hides_names else {}
    return [
        {name: attempt[name] for name in ("model", "text", "score", "reason")} | hidden
        for attempt in assignment.item.context.get("attempts", [])
    ]


def _hides_names(assignment: Assignment) -> bool:
    """Return whether the writer could still be asked to compare the models' captions of the clip:
    they can read the captions here, but not which model wrote which."""
    membership = Membership.objects.filter(
        user=assignment.annotator_id, project=assignment.item.project_id
    ).first()
    if membership is None or not assignment.item.context.get("attempts"):
        return False
    return captions_to_judge(membership).filter(clip=assignment.item.clip_id).exists()


def _length(value: float | None, widest: float) -> float:
    return round(CHART_WIDTH * min(max(value or 0, 0), widest) / widest, 1)


def _passages(text: str) -> Iterator[Passage]:
    at = 0
    for sentence in split_sentences(text):
        if sentence.start > at:
            yield Passage(text[at : sentence.start], is_sentence=False)
        yield Passage(sentence.text, is_sentence=True)
        at = sentence.end
    if at < len(text):
        yield Passage(text[at:], is_sentence=False)
