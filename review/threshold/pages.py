"""The threshold page: its content for each scorer."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any

from django.http import QueryDict

from annotate.models import Caption, Membership, Project
from annotate.queue.queries import members_for
from inference.errors import InferenceError
from inference.models import QualityScore
from inference.queries import DEFAULT_THRESHOLD, adopted_thresholds, current_threshold, scorers_of
from review.reports.page import ReportPage
from review.reports.state import NOTHING_NEW
from review.threshold.basis import Basis, bases_of, report_of
from review.threshold.choice import Trial, choose
from review.threshold.computing import TARGET
from review.threshold.estimates import estimated_thresholds, sample_of
from review.threshold.forms import PEOPLE, StudyForm, ValueForm, sent_value_form, value_errors
from review.threshold.ordering import newest_order
from review.threshold.queries import (
    count_scores,
    current_machine_captions,
    current_values,
    last_score_runs,
    split_below,
    stock_of,
    studies_of,
    verify_work,
)
from review.threshold.report import KIND
from review.threshold.scorer_parts import View, scorer_part
from review.threshold.services import foresee

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


class ThresholdPage(ReportPage[None]):
    """The thresholds by scorer; the URL may choose a rule, a counting and a value."""

    key = "threshold"
    title = "Threshold"
    template = "review/threshold/threshold.html"
    kinds = (KIND,)
    for_admins = True

    def context(
        self,
        membership: Membership,
        query: QueryDict,
        subject: None = None,
        *,
        refused: ValueForm | StudyForm | None = None,
    ) -> Context:
        """`refused`: an invalid form, which replaces that of its scorer."""
        form = sent_value_form(query) if "value" in query and refused is None else None
        if form and not form.is_valid():
            refused = form
        context = _context(membership, View.of(query, form), query, refused)
        estimates = [part.estimated for part in context["parts"] if part.estimated]
        is_settled = bool(estimates) and not any(estimated.is_old for estimated in estimates)
        nothing_new = NOTHING_NEW if is_settled else ""
        return context | {"state": self.state(membership.project, nothing_new=nothing_new)}

    def status(self, context: Context) -> int:
        return 422 if context["refused"] else 200


PAGE = ThresholdPage()


def _context(
    membership: Membership,
    view: View,
    query: QueryDict,
    refused: ValueForm | StudyForm | None = None,
) -> Context:
    project = membership.project
    scorers = scorers_of(project)
    values = current_values(project) if scorers else {}
    adopted = adopted_thresholds(project)
    bases = bases_of(project) if adopted else {}
    work = verify_work(project)
    studies = studies_of(project)
    running = [
        progress.study
        for of_scorer in studies.values()
        for progress in of_scorer
        if progress.is_running
    ]
    estimated = estimated_thresholds(project, view.rule, view.counting, query)
    last = QualityScore.objects.select_related("item__run__model").in_bulk(
        [row["last"] for row in scorers]
    )
    kinds = {row["kind"] for row in scorers}
    machine = {kind: current_machine_captions(project, kind).count() for kind in kinds}
    score_runs = last_score_runs(project) if scorers else {}
    stock = cache(partial(stock_of, project))  # counted only if a study lacks captions
    parts = [
        scorer_part(
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
        "verifiers": members_for(project, "verify").count(),
        "people": max((study.people for study in running), default=PEOPLE),
        "refused": refused,
    }


def described(basis: Basis | None) -> Basis | None:
    """Describe the basis of a threshold, with its rule and its way of counting in words."""
    if basis is None:
        return None
    rule, counting = RULE_WORDS[basis.rule][0], COUNTING_WORDS[basis.counting][0]
    return replace(basis, rule=rule, counting=counting)


def trial_of(project: Project, form: ValueForm, counting: str) -> Trial:
    """Return what the value that was sent would keep and send back, or what is wrong with it."""
    form.full_clean()
    scorer = form.cleaned_data.get("scorer", "")
    name = ""
    try:
        name = _last_score(project, scorer).scorer_name
    except InferenceError as error:
        form.add_error("value", str(error))
    estimate = report_of(project, scorer, form.cleaned_data.get("report"))
    current = current_threshold(project, scorer)
    choice = None
    if form.is_valid():
        value = form.cleaned_data["value"]
        captions, back = count_scores(project, scorer, value)
        sample = sample_of(estimate, counting) if estimate else []
        choice = choose(value, captions=captions, back=back, sample=sample)
    return Trial(
        scorer,
        name,
        is_estimated=estimate is not None,
        current=current.value if current else None,
        choice=choice,
        errors=value_errors(form),
    )


def adopt_context(membership: Membership, scorer: str, value: float) -> Context:
    """Return what adopting the value would do. Raises InferenceError for a scorer
    without scores.
    """
    project = membership.project
    scored = _last_score(project, scorer)
    values = current_values(project).get(scorer, {})
    current = current_threshold(project, scorer)
    below = split_below(values, verify_work(project), value)
    foreseen = foresee(project=project, scorer=scorer, value=value)
    return {
        "membership": membership,
        "project": project,
        "scorer": scorer,
        "name": scored.scorer_name,
        "is_of_videos": scored.caption.kind == Caption.Kind.FULL_VIDEO,
        "value": value,
        "before": current.value if current else DEFAULT_THRESHOLD,
        "is_first": current is None,
        "captions": len(values),
        "kept": len(values) - below.total,
        "below": below,
        "foreseen": foreseen,
        "of_other_scorers": foreseen.opened - below.left,
    }


def _last_score(project: Project, scorer: str) -> QualityScore:
    scores = QualityScore.objects.filter(project=project, scorer=scorer)
    scored = scores.select_related("caption").order_by("-pk").first()
    if scored is None:
        raise InferenceError("This project has no scores from this scorer. Run score first.")
    return scored
