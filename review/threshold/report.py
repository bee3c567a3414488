"""Estimate the score from which a caption is good enough (LoVR, section 3.2.2, Figure 4a, appendix
B.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from annotate.corpus.pieces import left_out_captions
from annotate.models import Project
from annotate.programs import that_count
from metrics.design import VERSION as DESIGN_VERSION
from metrics.design.drawing import UNIFORM
from metrics.threshold import RULES, VERSION
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.plain import Table
from review.reports.registry import ReportKind
from review.reports.results import result_of
from review.studies.models import Study, StudyCaption
from review.studies.queries import running_reason, sample_words
from review.threshold import NAME
from review.threshold.computing import (
    N_BOOTSTRAP,
    SEED,
    TARGET,
    Labelled,
    Thresholds,
    estimate_thresholds,
    weight_of,
)
from review.threshold.waves import draw_next_wave
from review.verification.models import Verification


class Chance(NamedTuple):
    """The `wave` in which a caption was drawn, with which probability, and with which one the plain
    design would have drawn it then.
    """

    wave: int
    probability: float
    even: float

    @property
    def weight(self) -> float:
        return weight_of(self.even, self.probability)


@dataclass(frozen=True, kw_only=True)
class ThresholdParameters:
    """`captions`: those that all `people` asked have verified. `design`: of studies in waves."""

    scorer: str
    captions: int
    people: int
    bootstrap: int
    target: float
    design: str | None = None


class Waves(NamedTuple):
    """A study with its number of waves, and the number of captions still to draw."""

    study: int
    waves: int
    undrawn: int


class Asked(NamedTuple):
    """A caption's score when it was drawn, and the number of people who are to verify it. `chance`:
    how it was drawn, and `in_waves` by which study, if that is in waves.
    """

    score: float
    people: int
    chance: Chance | None = None
    in_waves: Waves | None = None

    @property
    def weight(self) -> float:
        return self.chance.weight if self.chance else 1.0


def threshold_inputs(project: Project) -> Iterator[Inputs]:
    """Return, for each scorer with a study, the captions of its studies that all assigned people
    have verified.

    The errors of a verification are its content errors (A, B, C) and its topic errors (D).
    Verifications of other captions don't count, because those captions were selected by score.
    """
    for scorer, labels in labels_by_scorer(project).items():
        yield _inputs(project, scorer, labels)


def asked_captions(project: Project) -> dict[str, dict[int, Asked]]:
    """Return the captions of each scorer's studies, without those of excluded videos. A caption
    that was drawn again after a stopped study counts once, with the last study's number of people.
    """
    sample = StudyCaption.objects.filter(
        study__project=project, study__kind=Study.Kind.THRESHOLD
    ).exclude(caption__in=left_out_captions(project).values("pk"))
    sample = sample.order_by("caption", "study_id")
    by_scorer: dict[str, dict[int, Asked]] = {}
    for scorer, caption, score, people, *drawn in sample.values_list(
        *("study__scorer", "caption", "score__value", "study__people"),
        *("wave", "probability", "even", "study_id", "study__waves", "study__undrawn"),
    ):
        chance, waves = Chance(*drawn[:3]), Waves(*drawn[3:])
        by_scorer.setdefault(scorer, {})[caption] = (
            Asked(score, people, chance, waves) if waves.waves > 1 else Asked(score, people)
        )
    return by_scorer


@dataclass(frozen=True)
class Labels:
    """The captions of a scorer's studies: those `asked` about, those that all assigned people have
    verified, and their keys in order of completion.
    """

    asked: Mapping[int, Asked]
    labelled: list[Labelled]
    completed: list[int]

    @property
    def in_waves(self) -> list[Waves]:
        """Return the studies in waves, newest last."""
        return sorted({caption.in_waves for caption in self.asked.values() if caption.in_waves})

    @property
    def size(self) -> int:
        """Return the number of captions of the studies, with those that waves still draw."""
        return len(self.asked) + sum(waves.undrawn for waves in self.in_waves)


def _design(asked: Iterable[Asked], judged: Collection[Waves | None]) -> str | None:
    """Return the part of the signature about waves. `judged`: the studies of the captions that
    count. A study that was only started changes no number, so it isn't in the signature."""
    studies = sorted(study for study in judged if study)
    if not studies:
        return None
    drawn = sum(caption.in_waves in judged for caption in asked if caption.in_waves)
    captions = drawn + sum(study.undrawn for study in studies)
    waves = f"{captions} captions in {studies[-1].waves} waves"
    return f"{waves}, {UNIFORM:g} even, metrics.design {DESIGN_VERSION}"


def labels_by_scorer(project: Project) -> dict[str, Labels]:
    """Return the labels of each scorer with a study, by scorer."""
    asked = asked_captions(project)
    if not asked:
        return {}
    errors: dict[int, list[tuple[int, int]]] = {}
    order: list[int] = []
    sample = StudyCaption.objects.filter(
        study__project=project, study__kind=Study.Kind.THRESHOLD
    ).values("caption")
    verifications = that_count(Verification.objects.filter(caption__in=sample), project, "reviewer")
    for caption, by_type, by_sentence, off_topic in verifications.order_by("pk").values_list(
        "caption", "content_errors", "content_error_sentences", "topic_errors"
    ):
        counts = errors.setdefault(caption, [])
        counts.append((by_type + off_topic, by_sentence + off_topic))
        order.append(caption)
    return {
        scorer: Labels(
            captions,
            [
                Labelled(caption, asked_caption.score, tuple(errors[caption]), asked_caption.weight)
                for caption, asked_caption in captions.items()
                if len(errors.get(caption, ())) >= asked_caption.people
            ],
            _completed(order, captions),
        )
        for scorer, captions in sorted(asked.items())
    }


def _completed(order: Iterable[int], captions: Mapping[int, Asked]) -> list[int]:
    counts: Counter[int] = Counter()
    completed = []
    for caption in order:
        counts[caption] += 1
        if caption in captions and counts[caption] == captions[caption].people:
            completed.append(caption)
    return completed


def _inputs(project: Project, scorer: str, labels: Labels) -> Inputs:
    asked, labelled, completed = labels.asked, labels.labelled, labels.completed
    counted = [asked[row.caption] for row in labelled]
    drawn = [(row.caption, *chance) for row in labelled if (chance := asked[row.caption].chance)]
    return Inputs(
        subject=scorer,
        method=f"metrics.threshold {VERSION}",
        parameters=ThresholdParameters(
            scorer=scorer[:8],
            captions=len(labelled),
            people=max(caption.people for caption in counted or asked.values()),
            bootstrap=N_BOOTSTRAP,
            target=TARGET,
            design=_design(asked.values(), {caption.in_waves for caption in counted}),
        ),
        labels=[*labelled, *completed],
        count=sum(len(caption.errors) for caption in labelled),
        compute=lambda: estimate_thresholds(labelled, completed),
        seed=SEED,
        keep=lambda report: _draw_waves(labels.in_waves, report),
        tables=lambda: {
            "captions": Table(Labelled._fields, labelled),
            **({"drawn": Table(("caption", *Chance._fields), drawn)} if drawn else {}),
            "completed": Table(("caption",), [(caption,) for caption in completed]),
        },
        withheld=lambda: running_reason(*Study.objects.filter(project=project, scorer=scorer)),
    )


def _draw_waves(in_waves: Iterable[Waves], report: Report) -> None:
    """Draw the waves that are due."""
    for waves in in_waves:
        if waves.undrawn:
            change_point = result_of(report, Thresholds).per_type.rules[RULES[0]]
            study = Study.objects.get(pk=waves.study)
            draw_next_wave(study=study, low=change_point.low, high=change_point.high)


def _subject(project: Project, report: Report) -> str:
    study = Study.objects.filter(project=project, scorer__startswith=report.subject).first()
    return study.scorer_name if study else ""


def _about(parameters: ThresholdParameters) -> str:
    return f"{sample_words(parameters.captions, parameters.people)}, scorer {parameters.scorer}"


KIND = ReportKind(
    NAME,
    "Threshold",
    threshold_inputs,
    Thresholds,
    of_people=True,
    subject=_subject,
    about=_about,
)
