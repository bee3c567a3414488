"""Estimate the score from which a caption is good enough (LoVR, section 3.2.2, Figure 4a, appendix
B.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from annotate.corpus.pieces import left_out_captions
from annotate.models import Project
from metrics.threshold import (
    N_PERMUTATIONS,
    RULES,
    VERSION,
    MonotoneFit,
    ThresholdEstimate,
    auc,
    estimate_threshold,
    monotone_fit,
    spearman,
)
from review.reports.inputs import Inputs
from review.studies.models import Study, StudyCaption
from review.verification.models import Verification

# The paper leaves open whether a sentence with A#B has one error or two.
COUNTINGS = ("per_type", "per_sentence")
N_BOOTSTRAP = 1000
TARGET = 0.1
SEED = 0


class Labelled(NamedTuple):
    """A caption of the sample: its score, and the errors of each verification by each counting."""

    caption: int
    score: float
    errors: tuple[tuple[int, int], ...]


class Asked(NamedTuple):
    """A caption's score when it was drawn, and the number of people who are to verify it."""

    score: float
    people: int


def threshold_inputs(project: Project) -> Iterator[Inputs]:
    """Return, for each scorer with a study, the captions of its studies that all assigned people
    have verified.

    The errors of a verification are its content errors (A, B, C) and its topic errors (D).
    Verifications of other captions don't count, because those captions were selected by score.
    """
    captions_by_scorer = asked_captions(project)
    labelled = _labelled(project, captions_by_scorer) if captions_by_scorer else {}
    for scorer, captions in sorted(captions_by_scorer.items()):
        counted = labelled[scorer]
        people = [captions[one.caption].people for one in counted]
        people = people or [caption.people for caption in captions.values()]
        yield _inputs(scorer, max(people), counted)


def asked_captions(project: Project) -> dict[str, dict[int, Asked]]:
    """Return the captions of each scorer's studies, but for those of excluded videos. A caption
    that was drawn again after a stopped study counts once, with the last study's number of people.
    """
    sample = StudyCaption.objects.filter(
        study__project=project, study__kind=Study.Kind.THRESHOLD
    ).exclude(caption__in=left_out_captions(project).values("pk"))
    sample = sample.order_by("caption", "study_id")
    by_scorer: dict[str, dict[int, Asked]] = {}
    for scorer, caption, score, people in sample.values_list(
        "study__scorer", "caption", "score__value", "study__people"
    ):
        by_scorer.setdefault(scorer, {})[caption] = Asked(score, people)
    return by_scorer


def _labelled(
    project: Project, asked: Mapping[str, Mapping[int, Asked]]
) -> dict[str, list[Labelled]]:
    errors: dict[int, list[tuple[int, int]]] = {}
    sample = StudyCaption.objects.filter(
        study__project=project, study__kind=Study.Kind.THRESHOLD
    ).values("caption")
    verifications = Verification.objects.filter(caption__in=sample)
    for caption, by_type, by_sentence, off_topic in verifications.order_by("pk").values_list(
        "caption", "content_errors", "content_error_sentences", "topic_errors"
    ):
        counts = errors.setdefault(caption, [])
        counts.append((by_type + off_topic, by_sentence + off_topic))
    return {
        scorer: [
            Labelled(caption, one.score, tuple(errors[caption]))
            for caption, one in captions.items()
            if len(errors.get(caption, ())) >= one.people
        ]
        for scorer, captions in asked.items()
    }


def _inputs(scorer: str, people: int, labelled: list[Labelled]) -> Inputs:
    return Inputs(
        subject=scorer,
        method=f"metrics.threshold {VERSION}",
        parameters={
            "scorer": scorer[:8],
            "captions": len(labelled),
            "people": people,
            "bootstrap": N_BOOTSTRAP,
            "permutations": N_PERMUTATIONS,
            "target": TARGET,
        },
        labels=labelled,
        count=sum(len(caption.errors) for caption in labelled),
        compute=lambda: _result(labelled),
        seed=SEED,
    )


class Point(NamedTuple):
    """A caption with its score and its mean errors by each counting."""

    caption: int
    score: float
    per_type: float
    per_sentence: float

    def errors(self, counting: str) -> float:
        """`counting`: of COUNTINGS."""
        return self.per_type if counting == COUNTINGS[0] else self.per_sentence


@dataclass(frozen=True)
class Counted:
    """The results of one counting: the estimate of each of RULES, the correlation of scores and
    errors, and the non-increasing fit.
    """

    rules: Mapping[str, ThresholdEstimate]
    spearman: float | None
    auc: float | None
    fit: MonotoneFit


@dataclass(frozen=True)
class Thresholds:
    points: Sequence[Point]
    per_type: Counted
    per_sentence: Counted

    def counted(self, counting: str) -> Counted:
        """`counting`: of COUNTINGS."""
        counted: Counted = getattr(self, counting)
        return counted


def _result(labelled: list[Labelled]) -> Thresholds:
    scores = [caption.score for caption in labelled]
    means = [
        [fmean(counts[place] for counts in caption.errors) for place in range(len(COUNTINGS))]
        for caption in labelled
    ]
    by_type, by_sentence = (
        _counted(scores, [mean[place] for mean in means]) for place in range(len(COUNTINGS))
    )
    points = [
        Point(caption.caption, caption.score, *mean)
        for caption, mean in zip(labelled, means, strict=True)
    ]
    return Thresholds(points, by_type, by_sentence)


def _counted(scores: list[float], errors: list[float]) -> Counted:
    return Counted(
        rules={
            rule: estimate_threshold(
                scores, errors, rule, n_bootstrap=N_BOOTSTRAP, seed=SEED, target=TARGET
            )
            for rule in RULES
        },
        spearman=spearman(scores, errors),
        auc=auc(scores, errors),
        fit=monotone_fit(scores, errors),
    )
