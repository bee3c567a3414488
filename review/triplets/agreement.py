"""Label pairs, and the targets and texts of composed queries (TF-CoVR, section 3)."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import QuerySet

from annotate.models import Project
from annotate.programs import that_count
from metrics.agreement import Label
from review.pairs.models import LabelPair, PairVerdict
from review.reports.answers import Question
from review.reports.questions import Read, Task, rater_key
from review.triplets.models import TargetVerdict, TripletVerdict

ANSWERS = ("right", "enough", "needed")


def _pair_verdicts(project: Project) -> QuerySet[PairVerdict]:
    return that_count(PairVerdict.objects.filter(pair__project=project), project, "person")


def _read_pairs(project: Project) -> list[Any]:
    """Return the newest label of each person for each pair."""
    rows = _pair_verdicts(project).order_by("pk")
    newest = {
        (pair, rater_key(person, label)): kind
        for pair, person, label, kind in rows.values_list("pair", "person", "label", "kind")
    }
    return [[pair, rater, kind] for (pair, rater), kind in sorted(newest.items())]


def _ask_pairs(rows: list[Any]) -> Read:
    labels = [(rater, pair, kind) for pair, rater, kind in rows]
    return Read([Question("kind", list(LabelPair.Kind.values), labels)])


def _triplet_verdicts(project: Project) -> QuerySet[TripletVerdict]:
    verdicts = TripletVerdict.objects.filter(query__triplets__project=project)
    return that_count(verdicts, project, "person")


def _read_triplets(project: Project) -> list[Any]:
    """Return query, rater, the three answers about its text, and [clip, whether it is valid] of
    each target. Added clips are left out, because nobody else judged them.
    """
    targets = defaultdict(list)
    verdicts = TargetVerdict.objects.filter(
        verdict__query__triplets__project=project, is_added=False
    )
    for key, clip, is_valid in verdicts.order_by("verdict", "clip").values_list(
        "verdict", "clip", "is_valid"
    ):
        targets[key].append([clip, is_valid])
    rows = _triplet_verdicts(project).order_by("query", "person", "label")
    return [
        [query, rater_key(person, label), answers, targets[key]]
        for key, query, person, label, *answers in rows.values_list(
            "pk", "query", "person", "label", "is_right", "is_enough", "is_needed"
        )
    ]


def _ask_triplets(rows: list[Any]) -> Read:
    targets: list[Label] = []
    answers: dict[str, list[Label]] = {name: [] for name in ANSWERS}
    for query, rater, verdict, clips in rows:
        targets += [
            (rater, (query, clip), "valid" if is_valid else "wrong") for clip, is_valid in clips
        ]
        for name, answer in zip(ANSWERS, verdict, strict=True):
            answers[name].append((rater, query, "yes" if answer else "no"))
    return Read(
        [
            Question("targets", ["valid", "wrong"], targets, has_parts=True),
            *(Question(name, ["yes", "no"], answers[name]) for name in ANSWERS),
        ]
    )


LABEL_PAIRS = Task("pairs", _pair_verdicts, _read_pairs, _ask_pairs)
TRIPLETS = Task("triplets", _triplet_verdicts, _read_triplets, _ask_triplets)
