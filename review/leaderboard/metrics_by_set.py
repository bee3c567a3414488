"""The automatic metrics that are stored of sets of captions, for whatever compares them with
people's ratings. Another metric is one entry of STORED."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from django.db.models import Avg

from annotate.models import Project
from review.captions.models import SetCaption
from review.reports.models import Report

Name = Report.Name


@dataclass(frozen=True)
class Metric:
    """`values`: of each set of captions that has one, by the set's key."""

    key: str
    name: str
    values: dict[int, float]


@dataclass(frozen=True)
class Stored:
    """A number in the newest report called `report` whose subject is a set's key and `suffix`;
    `path` leads to it in the result. None there, or no such number, is no value."""

    key: str
    name: str
    report: str
    path: tuple[str, ...]
    suffix: str = ""


# In the order of the paper's Table 15. CapST by either preset: docs/metrics.md tells them apart.
STORED = (
    Stored("bleu4", "BLEU@4", Name.OVERLAP, ("bleu4", "value")),
    Stored("meteor", "METEOR", Name.OVERLAP, ("meteor", "value")),
    Stored("rouge_l", "ROUGE-L", Name.OVERLAP, ("rouge_l", "value")),
    Stored("cider", "CIDEr", Name.OVERLAP, ("cider", "value")),
    Stored("action_f1", "Action F1", Name.CAPST, ("events", "f1", "value"), ":default"),
    Stored("object_f1", "Object F1", Name.CAPST, ("objects", "f1", "value"), ":default"),
    Stored(
        "action_f1_official",
        "Action F1, as the paper’s code",
        Name.CAPST,
        ("events", "f1", "value"),
        ":official",
    ),
    Stored(
        "object_f1_official",
        "Object F1, as the paper’s code",
        Name.CAPST,
        ("objects", "f1", "value"),
        ":official",
    ),
)
WORDS = ("words", "Words per caption")


def metrics_by_set(project: Project, sets: Collection[int]) -> list[Metric]:
    """Every metric of which any of the sets of captions, by their keys, has a value."""
    found = []
    for report, entries in groupby(STORED, key=attrgetter("report")):
        found += _stored(project, report, list(entries), sets)
    found.append(Metric(*WORDS, _mean_words(sets)))
    return [metric for metric in found if metric.values]


def _stored(
    project: Project, report: str, entries: Sequence[Stored], sets: Collection[int]
) -> list[Metric]:
    # The numbers alone: a result may hold as much about every caption.
    columns = ["__".join(("result", *one.path)) for one in entries]
    rows = Report.objects.newest(project, report).values_list("subject", *columns)
    by_subject = {subject: numbers for subject, *numbers in rows}
    metrics = []
    for place, one in enumerate(entries):
        subjects = {key: f"{key}{one.suffix}" for key in sorted(sets)}
        values = {
            key: by_subject[subject][place]
            for key, subject in subjects.items()
            if subject in by_subject and by_subject[subject][place] is not None
        }
        metrics.append(Metric(one.key, one.name, values))
    return metrics


def _mean_words(sets: Collection[int]) -> dict[int, float]:
    rows = SetCaption.objects.filter(caption_set__in=sets).order_by()
    means = rows.values_list("caption_set").annotate(mean=Avg("caption__word_count"))
    return {one: float(mean) for one, mean in means}
