"""The threshold page: its content for each scorer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from django.forms import Form
from django.http import QueryDict

from annotate.models import Caption, Membership, WorkItem
from annotate.queue.queries import members_for
from inference.errors import InferenceError
from inference.models import InferenceRun, QualityScore, QualityThreshold
from inference.queries import DEFAULT_THRESHOLD, adopted_thresholds, scorers_of, threshold_in_force
from inference.registry import Backend
from metrics.threshold import LEAST_CAPTIONS, RULES
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.state import NOTHING_NEW
from review.threshold.basis import bases_of
from review.threshold.choice import Choice, Choices, count_choices
from review.threshold.computing import COUNTINGS, TARGET
from review.threshold.estimates import Estimated, estimated_thresholds
from review.threshold.figure import Figure, draw_figure
from review.threshold.forms import (
    PEOPLE,
    StudyForm,
    ValueForm,
    sent_value_form,
    study_form,
    value_form,
)
from review.threshold.ordering import newest_order
from review.threshold.queries import (
    Below,
    Stock,
    StudyProgress,
    VerifyWork,
    current_machine_captions,
    current_values,
    last_score_runs,
    split_below,
    stock_of,
    studies_of,
    verify_work,
)
from review.threshold.services import foresee
from review.threshold.shortage import Shortage

Context = dict[str, Any]

RULE_WORDS = {
    "change_point": ("Change point", "the score at which errors drop most clearly"),
    "youden": ("Youden", "the score that best separates captions with errors from those without"),
    "target_error_rate": (
        "Target error rate",
        f"the lowest score from which at most {TARGET:.0%} of the kept captions have an error",
    ),
}
COUNTING_WORDS = {
    "per_type": ("Per type", "A sentence with A and B has two errors."),
    "per_sentence": ("Per sentence", "A sentence with A and B has one error."),
}
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
    adopted: list[tuple[QualityThreshold, Mapping[str, Any] | None]]
    estimated: Estimated | None
    figure: Figure | None
    choices: Choices
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
    def choice(self) -> Choice:
        return self.choices.at(self.offered)

    @property
    def offers_current(self) -> bool:
        return bool(self.adopted) and self.offered == self.threshold

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


class ThresholdPage(ReportPage[None]):
    """The thresholds by scorer; the URL may choose a rule, a counting and a value."""

    key = "threshold"
    title = "Threshold"
    template = "review/threshold/threshold.html"
    names = (Report.Name.THRESHOLD,)
    for_admins = True

    def context(
        self,
        membership: Membership,
        query: QueryDict,
        subject: None = None,
        *,
        refused: ValueForm | StudyForm | None = None,
    ) -> Context:
        """`refused` is an invalid form, which replaces that of its scorer."""
        form = sent_value_form(query) if "value" in query and refused is None else None
        if form and not form.is_valid():
            refused = form
        context = _context(membership, View.of(query, form), refused)
        estimates = [part.estimated for part in context["parts"] if part.estimated]
        is_settled = bool(estimates) and not any(estimated.is_old for estimated in estimates)
        nothing_new = NOTHING_NEW if is_settled else ""
        return context | {"state": self.state(membership.project, nothing_new=nothing_new)}

    def status(self, context: Context) -> int:
        return 422 if context["refused"] else 200


PAGE = ThresholdPage()


def _context(
    membership: Membership, view: View, refused: ValueForm | StudyForm | None = None
) -> Context:
    project = membership.project
    scorers = scorers_of(project)
    values = current_values(project) if scorers else {}
    adopted = adopted_thresholds(project)
    bases = bases_of(project) if adopted else {}
    work = verify_work(project)
    studies = studies_of(project)
    running = [p.study for some in studies.values() for p in some if p.is_running]
    estimated = estimated_thresholds(project, view.rule, view.counting)
    last = QualityScore.objects.select_related("item__run__model").in_bulk(
        [row["last"] for row in scorers]
    )
    kinds = {row["kind"] for row in scorers}
    machine = {kind: current_machine_captions(project, kind).count() for kind in kinds}
    score_runs = last_score_runs(project) if scorers else {}
    stock = cache(partial(stock_of, project))  # counted only where a study lacks captions
    parts = [
        _part(
            row,
            last[row["last"]].item.run,
            view,
            values.get(row["scorer"], {}),
            row["kind"],
            machine[row["kind"]],
            score_runs.get(row["scorer"]),
            [
                (threshold, described(bases.get(threshold.pk)))
                for threshold in adopted.get(row["scorer"], [])
            ],
            work,
            studies.get(row["scorer"], []),
            estimated.get(row["scorer"]),
            stock,
            refused if refused and refused["scorer"].value() == row["scorer"] else None,
        )
        for row in scorers
    ]
    return {
        "membership": membership,
        "project": project,
        "parts": parts,
        "ordered": newest_order(project),
        "view": view,
        "rules": [(key, *words) for key, words in RULE_WORDS.items()],
        "countings": [(key, *words) for key, words in COUNTING_WORDS.items()],
        "default": DEFAULT_THRESHOLD,
        "verifiers": members_for(project, WorkItem.Kind.VERIFY).count(),
        "people": max((study.people for study in running), default=PEOPLE),
        "refused": refused,
    }


def described(basis: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Describe the basis of a threshold, with its rule and its way of counting in words."""
    if not basis:
        return None
    rule, counting = RULE_WORDS[basis["rule"]][0], COUNTING_WORDS[basis["counting"]][0]
    return {**basis, "rule": rule, "counting": counting}


def adopt_context(membership: Membership, scorer: str, value: float) -> Context:
    """Return what adopting the value would do. Raises InferenceError for a scorer
    without scores.
    """
    project = membership.project
    scores = QualityScore.objects.filter(project=project, scorer=scorer)
    scored = scores.select_related("caption").order_by("-pk").first()
    if scored is None:
        raise InferenceError("This project has no scores from this scorer. Run score first.")
    values = current_values(project).get(scorer, {})
    in_force = threshold_in_force(project, scorer)
    below = split_below(values, verify_work(project), value)
    foreseen = foresee(project=project, scorer=scorer, value=value)
    return {
        "membership": membership,
        "project": project,
        "scorer": scorer,
        "name": scored.scorer_name,
        "is_of_videos": scored.caption.kind == Caption.Kind.FULL_VIDEO,
        "value": value,
        "before": in_force.value if in_force else DEFAULT_THRESHOLD,
        "is_first": in_force is None,
        "captions": len(values),
        "kept": len(values) - below.total,
        "below": below,
        "foreseen": foreseen,
        "of_other_scorers": foreseen.opened - below.left,
    }


def _part(
    row: Mapping[str, Any],
    run: InferenceRun,
    view: View,
    values: Mapping[int, float],
    kind: str,
    machine: int,
    score_run: InferenceRun | None,
    adopted: list[tuple[QualityThreshold, Mapping[str, Any] | None]],
    work: VerifyWork,
    studies: list[StudyProgress],
    estimated: Estimated | None,
    stock: Callable[[str], Stock],
    refused: Form | None,
) -> ScorerPart:
    scorer = row["scorer"]
    in_force = adopted[0][0].value if adopted else DEFAULT_THRESHOLD
    estimate = estimated.estimate if estimated else None
    offered = round(in_force, 3)
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
        threshold=in_force,
        adopted=adopted,
        estimated=estimated,
        figure=draw_figure(
            values.values(),
            sample,
            in_force=in_force,
            chosen=offered,
            estimate=estimate,
            fit=estimated.fit if estimated else None,
        )
        if values or sample
        else None,
        choices=count_choices(values.values(), sample, [in_force, offered]),
        offered=offered,
        value_form=refused if isinstance(refused, ValueForm) else value_form(scorer, offered),
        below=split_below(values, work, in_force) if adopted else None,
        studies=studies,
        drawn=drawn,
        shortage=Shortage(stock(kind), len(values), drawn)
        if len(values) - drawn < LEAST_CAPTIONS
        else None,
        study_form=refused
        if isinstance(refused, StudyForm)
        else study_form(scorer, len(values) - drawn),
    )
