"""Sentence types, missing segments and the theme (LoVR, appendix B.3).

Sentences are aligned by their position in the caption's text: two people judged the same sentence
if it begins and ends at the same characters, whichever rule split the text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from sys import intern
from typing import Any, cast, overload

from django.db.models import QuerySet

from annotate.models import Project
from metrics.agreement import Label
from review.reports.answers import Question
from review.reports.questions import Read, Task, rater_key
from review.verification.models import TYPE_CODES, MissingSegment, SentenceVerdict, Verification

LETTERS = "ABCD"
NO, YES = "no", "yes"
OK = "ok"
# The position of the gap after the last sentence.
END = -1
BATCH_SIZE = 2000


def _stored(project: Project) -> QuerySet[Verification]:
    return Verification.objects.of_project(project)


def _read_sentences(project: Project) -> list[Any]:
    """Return caption, rater, [start, end, types, whether something is missing before it] of each
    sentence, and whether something is missing at the end.
    """
    sentences = defaultdict(list)
    verdicts = SentenceVerdict.objects.filter(verification__project=project)
    for key, *sentence in verdicts.order_by("verification", "number").values_list(
        "verification", "start", "end", "types"
    ):
        sentences[key].append(sentence)
    missing = defaultdict(set)
    segments = MissingSegment.objects.filter(verification__project=project)
    for key, place in segments.order_by().values_list("verification", "place"):
        missing[key].add(place)
    rows = _stored(project).order_by("caption", "pk")
    return [
        [
            caption,
            rater_key(user, label),
            [[*sentence, number in missing[key]] for number, sentence in enumerate(sentences[key])],
            any(place >= len(sentences[key]) for place in missing[key]),
        ]
        for key, caption, user, label in rows.values_list("pk", "caption", "reviewer", "label")
    ]


class LetterLabels(Sequence[Label]):
    """Whether each label has a letter, computed on demand: the four letters of half a million
    sentences would take four times the memory of their labels."""

    def __init__(self, types: Sequence[Label], letter: str) -> None:
        self.types, self.letter = types, letter

    def __len__(self) -> int:
        return len(self.types)

    def __iter__(self) -> Iterator[Label]:
        return map(self._of, self.types)

    @overload
    def __getitem__(self, place: int) -> Label: ...

    @overload
    def __getitem__(self, place: slice) -> list[Label]: ...

    def __getitem__(self, place: int | slice) -> Label | list[Label]:
        if isinstance(place, slice):
            return list(map(self._of, self.types[place]))
        return self._of(self.types[place])

    def _of(self, label: Label) -> Label:
        rater, unit, types = label
        return rater, unit, YES if self.letter in cast(str, types) else NO


def _ask_sentences(rows: list[Any]) -> Read:
    """Return the questions: all types as one label, each letter alone, and missing
    segments by gap.
    """
    types: list[Label] = []
    missing: list[Label] = []
    for caption, rater, sentences, at_end in rows:
        for start, end, label, is_missing in sentences:
            types.append((rater, (caption, start, end), label or OK))
            missing.append((rater, (caption, start), YES if is_missing else NO))
        missing.append((rater, (caption, END), YES if at_end else NO))
    return Read(
        [
            Question("types", [code or OK for code in TYPE_CODES], types, has_parts=True),
            *(Question(x, [NO, YES], LetterLabels(types, x), has_parts=True) for x in LETTERS),
            Question("missing", [NO, YES], missing, has_parts=True),
        ]
    )


def sentence_types(project: Project) -> list[tuple[str, tuple[int, int, int], str]]:
    """Return rater, (caption, start, end), and the types of each sentence, by caption: only the
    first question of SENTENCES, because a large project has half a million of them."""
    verdicts = SentenceVerdict.objects.filter(verification__in=_stored(project))
    rows = verdicts.order_by(
        "verification__caption", "verification", "number"
    ).values_list(
        "verification__caption", "verification__reviewer", "verification__label",
        "start", "end", "types",
    )  # fmt: skip
    return [
        (intern(rater_key(user, label)), (caption, start, end), intern(types or OK))
        for caption, user, label, start, end, types in rows.iterator(chunk_size=BATCH_SIZE)
    ]


def _read_theme(project: Project) -> list[Any]:
    rows = _stored(project).order_by("caption", "pk")
    return [
        [caption, rater_key(user, label), fits]
        for caption, user, label, fits in rows.values_list(
            "caption", "reviewer", "label", "fits_theme"
        )
    ]


def _ask_theme(rows: list[Any]) -> Read:
    labels = [(rater, caption, "fits" if fits else "off") for caption, rater, fits in rows]
    return Read([Question("theme", ["fits", "off"], labels)])


SENTENCES = Task("sentences", _stored, _read_sentences, _ask_sentences)
THEME = Task("theme", _stored, _read_theme, _ask_theme)
