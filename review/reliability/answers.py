"""The kinds of work whose answers can be compared, and the answers in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotate.models import Project
from review.comparisons.agreement import CATEGORIES, COMPARISONS, turned
from review.comparisons.queries import counted_votes
from review.pairs.agreement import DYNAMICS, RATINGS
from review.quality.grading import FAR_OFF
from review.reliability.results import (
    Task,
)
from review.reports.questions import Task as Asked
from review.triplets.agreement import LABEL_PAIRS, TRIPLETS
from review.verification.agreement import SENTENCES

# The kind of work behind each task of agreement.
KIND_OF_TASK: Mapping[str, str] = {
    "sentences": "verify",
    "ratings": "rate",
    "dynamics": "dynamics",
    "pairs": "pair",
    "triplets": "triplet",
    "comparisons": "compare",
}


def _first_question(asked: Asked, **about: Any) -> Callable[[Project], Task]:
    """Return what reads the answers to the question that the task is about."""

    def read(project: Project) -> Task:
        question = asked.ask(asked.read(project)).questions[0]
        return Task(question.categories, question.labels, question.ordered, **about)

    return read


def _comparisons(project: Project) -> Task:
    """Return the votes without their sides, with repeats as further answers of the person. Votes
    that could still be changed are left out.
    """
    counted = set(counted_votes(project).values_list("caption_pair", flat=True))
    rows = [row for row in COMPARISONS.read(project) if row[0] in counted]
    first = COMPARISONS.ask(rows).questions[0].labels
    repeats = [
        (rater, (pair, clip), turned(outcome, first_left))
        for _, repeated, pair, clip, rater, first_left, outcome in rows
        if repeated is not None
    ]
    return Task(CATEGORIES, [*first, *repeats], has_consensus=False)


READ: Mapping[str, Callable[[Project], Task]] = {
    "verify": _first_question(SENTENCES, has_letters=True),
    # Like gold: a rating is right if it is close.
    "rate": _first_question(RATINGS, tolerance=FAR_OFF - 1, has_consensus=False),
    "dynamics": _first_question(DYNAMICS),
    "pair": _first_question(LABEL_PAIRS),
    "triplet": _first_question(TRIPLETS),
    "compare": _comparisons,
}
STORED: Mapping[str, Asked] = {
    KIND_OF_TASK[asked.key]: asked
    for asked in (SENTENCES, RATINGS, DYNAMICS, LABEL_PAIRS, TRIPLETS, COMPARISONS)
}
