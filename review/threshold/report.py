"""Estimate the score from which a caption is good enough (LoVR, section 3.2.2, Figure 4a, appendix
B.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from annotate.corpus.pieces import left_out_captions
from annotate.models import Project
from metrics.threshold import N_PERMUTATIONS, VERSION
from review.reports.inputs import Inputs
from review.reports.plain import Table
from review.studies.models import Study, StudyCaption
from review.studies.queries import running_reason
from review.threshold.computing import (
    N_BOOTSTRAP,
    SEED,
    TARGET,
    Labelled,
    estimate_thresholds,
)
from review.verification.models import Verification


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
        yield _inputs(project, scorer, max(people), counted)


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


def _inputs(project: Project, scorer: str, people: int, labelled: list[Labelled]) -> Inputs:
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
        compute=lambda: estimate_thresholds(labelled),
        seed=SEED,
        tables=lambda: {"captions": Table(Labelled._fields, labelled)},
        withheld=lambda: running_reason(*Study.objects.filter(project=project, scorer=scorer)),
    )
