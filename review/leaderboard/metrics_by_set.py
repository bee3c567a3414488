"""Collect the stored automatic metrics of sets of captions, to compare them with
people's ratings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Avg

from annotate.models import Project
from review.captions import NAME as OVERLAP_NAME
from review.captions.models import SetCaption
from review.reports.stored import StoredKind, Unread, current_reports


@dataclass(frozen=True)
class Metric:
    """A metric; `values` has its value for each set of captions that has one, by the set's key."""

    key: str
    name: str
    values: dict[int, float]


@dataclass(frozen=True)
class Value:
    """The part of an estimate that is read here."""

    value: float | None = None


NONE = Value()


@dataclass(frozen=True)
class OverlapScores:
    """The part of an overlap report that is read here."""

    bleu4: Value = NONE
    meteor: Value = NONE
    rouge_l: Value = NONE
    cider: Value = NONE


@dataclass(frozen=True)
class F1:
    """The part of the scores of events or objects that is read here."""

    f1: Value = NONE


NO_F1 = F1()


@dataclass(frozen=True)
class CapstScores:
    """The part of a CapST report that is read here."""

    events: F1 = NO_F1
    objects: F1 = NO_F1


# In the order of the paper's Table 15.
OVERLAP_METRICS = {
    "bleu4": "BLEU@4",
    "meteor": "METEOR",
    "rouge_l": "ROUGE-L",
    "cider": "CIDEr",
}
# By CapST preset: the suffix of its metrics' keys and names. docs/metrics.md describes the presets.
CAPST_PRESETS = {"default": ("", ""), "official": ("_official", ", as the paper’s code")}
CAPST_METRICS = {"action_f1": ("Action F1", "events"), "object_f1": ("Object F1", "objects")}
WORDS = ("words", "Words per caption")


def metrics_by_set(project: Project, sets: Collection[int]) -> list[Metric]:
    """Return every metric with a value for any of these sets of captions, identified by key."""
    metrics = [
        *_overlap(project, sets),
        *_capst(project, sets),
        Metric(*WORDS, _mean_words(sets)),
    ]
    return [metric for metric in metrics if metric.values]


def _overlap(project: Project, sets: Collection[int]) -> Iterator[Metric]:
    kind = StoredKind(OVERLAP_NAME, OverlapScores, Unread)
    of_set = {report.about: report.numbers for report in current_reports(project, kind)}
    for key, name in OVERLAP_METRICS.items():
        values = {own: getattr(of_set[own], key).value for own in sorted(sets) if own in of_set}
        yield _metric(key, name, values)


def _capst(project: Project, sets: Collection[int]) -> Iterator[Metric]:
    kind = StoredKind("capst", CapstScores, Unread)
    of_subject = {
        report.report.subject: report.numbers for report in current_reports(project, kind)
    }
    for preset, (ending, words) in CAPST_PRESETS.items():
        subjects = {own: f"{own}:{preset}" for own in sorted(sets)}
        for key, (name, branch) in CAPST_METRICS.items():
            values = {
                own: getattr(of_subject[subject], branch).f1.value
                for own, subject in subjects.items()
                if subject in of_subject
            }
            yield _metric(f"{key}{ending}", f"{name}{words}", values)


def _metric(key: str, name: str, values: Mapping[int, float | None]) -> Metric:
    return Metric(key, name, {own: value for own, value in values.items() if value is not None})


def _mean_words(sets: Collection[int]) -> dict[int, float]:
    rows = SetCaption.objects.filter(caption_set__in=sets).order_by()
    means = rows.values_list("caption_set").annotate(mean=Avg("caption__word_count"))
    return {caption_set: float(mean) for caption_set, mean in means}
