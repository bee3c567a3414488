"""From which score on a caption is good enough (LoVR, section 3.2.2, Figure 4a, appendix B.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from statistics import fmean
from typing import Any, NamedTuple

from django.db.models import Max

from annotate.models import Project
from metrics.threshold import (
    RULES,
    VERSION,
    auc,
    estimate_threshold,
    monotone_fit,
    spearman,
)
from review.models import Study, StudyCaption, Verification
from review.reports.inputs import Inputs

# The paper leaves open whether a sentence with A#B has one error or two.
COUNTINGS = ("per_type", "per_sentence")
N_BOOTSTRAP = 1000
TARGET = 0.1
SEED = 0


class Labelled(NamedTuple):
    """A caption of the sample: its score, and of each verification the errors by each counting."""

    caption: int
    score: float
    errors: tuple[tuple[int, int], ...]


def threshold_inputs(project: Project) -> Iterator[Inputs]:
    """For each scorer with a study, the captions of its studies that have been verified by as many
    people as were asked to.

    The errors of a verification are its content errors (A, B, C) and its topic errors (D).
    Verifications of other captions don't count: those are chosen by their score.
    """
    studies = Study.objects.filter(project=project, kind=Study.Kind.THRESHOLD)
    scorers = studies.order_by().values("scorer").annotate(people=Max("people"))
    people = dict(scorers.order_by("scorer").values_list("scorer", "people"))
    labelled = labelled_captions(project) if people else {}
    for scorer, asked in people.items():
        yield _inputs(scorer, asked, labelled.get(scorer, []))


def labelled_captions(project: Project) -> dict[str, list[Labelled]]:
    """By scorer: the captions of its studies that everybody asked has verified, by key."""
    sample = StudyCaption.objects.filter(
        study__project=project, study__kind=Study.Kind.THRESHOLD
    ).order_by("caption", "study")
    asked: dict[str, dict[int, tuple[float, int]]] = {}
    for scorer, caption, score, people in sample.values_list(
        "study__scorer", "caption", "score__value", "study__people"
    ):
        captions = asked.setdefault(scorer, {})
        _, so_far = captions.get(caption, (score, 0))
        captions[caption] = score, max(people, so_far)
    errors: dict[int, list[tuple[int, int]]] = {}
    verifications = Verification.objects.filter(caption__in=sample.order_by().values("caption"))
    for caption, by_type, by_sentence, off_topic in verifications.order_by("pk").values_list(
        "caption", "content_errors", "content_error_sentences", "topic_errors"
    ):
        found = errors.setdefault(caption, [])
        found.append((by_type + off_topic, by_sentence + off_topic))
    return {
        scorer: [
            Labelled(caption, score, tuple(errors[caption]))
            for caption, (score, people) in captions.items()
            if len(errors.get(caption, ())) >= people
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
            "target": TARGET,
        },
        labels=labelled,
        count=sum(len(one.errors) for one in labelled),
        compute=lambda: _result(labelled),
        seed=SEED,
    )


def _result(labelled: list[Labelled]) -> dict[str, Any]:
    """`points` has a caption's key, score and mean errors by each counting."""
    scores = [one.score for one in labelled]
    means = [
        [fmean(counts[place] for counts in one.errors) for place in range(len(COUNTINGS))]
        for one in labelled
    ]
    return {
        "points": [
            [one.caption, one.score, *mean] for one, mean in zip(labelled, means, strict=True)
        ],
        **{
            counting: _estimates(scores, [mean[place] for mean in means])
            for place, counting in enumerate(COUNTINGS)
        },
    }


def _estimates(scores: list[float], errors: list[float]) -> dict[str, Any]:
    return {
        "rules": {
            rule: asdict(
                estimate_threshold(
                    scores, errors, rule, n_bootstrap=N_BOOTSTRAP, seed=SEED, target=TARGET
                )
            )
            for rule in RULES
        },
        "spearman": spearman(scores, errors),
        "auc": auc(scores, errors),
        "fit": asdict(monotone_fit(scores, errors)),
    }
