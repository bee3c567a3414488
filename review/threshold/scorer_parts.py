"""The part of the page Threshold about one scorer, and the choices in the URL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.forms import Form

from annotate.models import Caption
from inference.models import InferenceRun, QualityThreshold
from inference.queries import DEFAULT_THRESHOLD
from inference.registry import Backend
from metrics.threshold import MIN_CAPTIONS, RULES
from review.threshold.basis import Basis
from review.threshold.choice import Trial, choose
from review.threshold.computing import COUNTINGS
from review.threshold.estimates import Estimated
from review.threshold.figure import Figure, draw_figure
from review.threshold.forms import StudyForm, ValueForm, study_form, value_errors, value_form
from review.threshold.queries import Below, Stock, StudyProgress, VerifyWork, split_below
from review.threshold.shortage import Shortage

# An estimate is rounded to this when it becomes the first value of the slider.
DECIMALS = 2


@dataclass(frozen=True)
class View:
    """The choices in the URL: a rule, a way of counting, and a value for one scorer."""

    rule: str
    counting: str
    scorer: str = ""
    value: float | None = None

    @classmethod
    def of(cls, asked: Mapping[str, str], chosen: ValueForm | None = None) -> View:
        """Read the choices; an unknown rule or counting becomes the first."""
        rule, counting = asked.get("rule", ""), asked.get("counting", "")
        sent = chosen.cleaned_data if chosen and chosen.is_valid() else {}
        return cls(
            rule if rule in RULES else RULES[0],
            counting if counting in COUNTINGS else COUNTINGS[0],
            sent.get("scorer", ""),
            sent.get("value"),
        )


@dataclass(frozen=True)
class ScorerPart:
    """A scorer of captions of clips, or of whole videos. Of the current machine `captions` that it
    has scored, `below` are those below its adopted threshold and `drawn` those that its studies
    keep; it has not scored the `unscored` ones. `score_run` is the newest run that can be repeated
    to score them, or None. `offered` is the slider's first value: the URL's, or else a suggestion.
    """

    scorer: str
    name: str
    is_of_videos: bool
    run: InferenceRun
    scored: int
    captions: int
    unscored: int
    score_run: InferenceRun | None
    threshold: float
    adopted: list[tuple[QualityThreshold, Basis | None]]
    estimated: Estimated | None
    figure: Figure | None
    trial: Trial
    offered: float
    value_form: ValueForm
    below: Below | None
    studies: list[StudyProgress]
    drawn: int
    shortage: Shortage | None
    study_form: StudyForm

    @property
    def is_imported(self) -> bool:
        """Return whether its model can't be run here, so that its scores come from files only."""
        return self.run.model is not None and self.run.model.backend == Backend.ELSEWHERE

    @property
    def short(self) -> str:
        return self.scorer[:8]

    @property
    def drawable(self) -> int:
        return self.captions - self.drawn

    @property
    def can_study(self) -> bool:
        return self.shortage is None

    @property
    def has_running_study(self) -> bool:
        return any(progress.is_running for progress in self.studies)

    @property
    def has_labels(self) -> bool:
        """Return whether some caption has been verified by everyone assigned to it."""
        return any(progress.complete for progress in self.studies)


def scorer_part(
    row: Mapping[str, Any],
    run: InferenceRun,
    view: View,
    values: Mapping[int, float],
    kind: str,
    machine: int,
    score_run: InferenceRun | None,
    adopted: list[tuple[QualityThreshold, Basis | None]],
    work: VerifyWork,
    studies: list[StudyProgress],
    estimated: Estimated | None,
    stock: Callable[[str], Stock],
    refused: Form | None,
) -> ScorerPart:
    scorer = row["scorer"]
    current = adopted[0][0].value if adopted else DEFAULT_THRESHOLD
    estimate = estimated.estimate if estimated else None
    offered = round(current, 3)
    if estimate and estimate.threshold is not None:
        offered = round(estimate.threshold, DECIMALS)
    if view.value is not None and view.scorer == scorer:
        offered = view.value
    sample = estimated.sample if estimated else []
    drawn = len(values.keys() & {caption for progress in studies for caption in progress.kept})
    return ScorerPart(
        scorer=scorer,
        name=row["scorer_name"],
        is_of_videos=kind == Caption.Kind.FULL_VIDEO,
        run=run,
        scored=row["count"],
        captions=len(values),
        unscored=machine - len(values),
        score_run=score_run,
        threshold=current,
        adopted=adopted,
        estimated=estimated,
        figure=draw_figure(
            values.values(),
            sample,
            current=current,
            chosen=offered,
            estimate=estimate,
            fit=estimated.fit if estimated else None,
        )
        if values or sample
        else None,
        trial=Trial(
            scorer,
            row["scorer_name"],
            is_estimated=estimated is not None,
            current=current if adopted else None,
            choice=choose(
                offered,
                captions=len(values),
                back=sum(value < offered for value in values.values()),
                sample=sample,
            ),
            errors=value_errors(refused) if isinstance(refused, ValueForm) else [],
        ),
        offered=offered,
        value_form=refused if isinstance(refused, ValueForm) else value_form(scorer, offered),
        below=split_below(values, work, current) if adopted else None,
        studies=studies,
        drawn=drawn,
        shortage=Shortage(stock(kind), len(values), drawn)
        if len(values) - drawn < MIN_CAPTIONS
        else None,
        study_form=refused
        if isinstance(refused, StudyForm)
        else study_form(scorer, len(values) - drawn),
    )
