"""Sentence types, missing segments and the theme (LoVR, appendix B.3).

Sentences are aligned by their position in the caption's text: two people judged the same sentence
if it begins and ends at the same characters, whichever rule split the text.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

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


def _ask_sentences(rows: list[Any]) -> Read:
    """Return the questions: all types as one label, each letter alone, and missing
    segments by gap.
    """
    types: list[Label] = []
    letters: dict[str, list[Label]] = {letter: [] for letter in LETTERS}
    missing: list[Label] = []
    for caption, rater, sentences, at_end in rows:
        for start, end, label, is_missing in sentences:
            unit = (caption, start, end)
            types.append((rater, unit, label or OK))
            for letter in LETTERS:
                letters[letter].append((rater, unit, YES if letter in label else NO))
            missing.append((rater, (caption, start), YES if is_missing else NO))
        missing.append((rater, (caption, END), YES if at_end else NO))
    return Read(
        [
            Question("types", [code or OK for code in TYPE_CODES], types, has_parts=True),
            *(Question(letter, [NO, YES], letters[letter], has_parts=True) for letter in LETTERS),
            Question("missing", [NO, YES], missing, has_parts=True),
        ]
    )


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
