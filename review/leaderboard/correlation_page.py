"""The Correlation page: automatic metrics against people's preferences (Table 15)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.http import QueryDict

from annotate.forms import ListForm
from annotate.models import Membership
from metrics.correlation import FEW, Correlation
from review.comparisons.models import Round
from review.leaderboard import CORRELATION_NAME, NAME
from review.leaderboard.correlating import Correlations
from review.leaderboard.leaderboard_page import RoundReportPage
from review.leaderboard.metrics_by_set import WORDS
from review.leaderboard.report_correlation import KIND, correlation_inputs
from review.leaderboard.results import leaderboard_parameters
from review.leaderboard.scatter import Point, Scatter, draw_scatter
from review.reports.instructions import Instructions, theme_notice
from review.reports.models import Report
from review.reports.results import result_of
from review.reports.small_samples import is_few, shown_estimate, too_few_reason
from review.reports.state import VALUES_CHANGED
from review.rounds.queries import instructions_of_round, newest_of_rounds, rounds_of, systems_of

RATING_NAMES = {"bradley_terry": "Bradley–Terry", "elo": "Elo"}
# CaReBench's Table 15, with Elo over six models.
TABLE_15 = {
    "bleu4": -0.41,
    "meteor": -0.54,
    "rouge_l": -0.19,
    "cider": -0.14,
    "action_f1": 0.81,
    "object_f1": 0.71,
}


class RatingForm(ListForm):
    """`of`: the rating to correlate the metrics with."""

    of = forms.ChoiceField(choices=RATING_NAMES.items(), required=False)

    @property
    def rating(self) -> str:
        chosen: str = self.cleaned_data.get("of", "")
        return chosen or "bradley_terry"


@dataclass(frozen=True)
class MetricRow:
    """`pearson`, `spearman`: results of metrics.correlation, without an interval if the ratings are
    based on too few clips. `published`: the paper's r with Elo, None if it has none.
    """

    key: str
    name: str
    pearson: Correlation
    spearman: Correlation
    published: float | None
    scatter: Scatter
    asked: tuple[Instructions | None, ...]

    @property
    def points(self) -> list[tuple[Point, Instructions | None]]:
        """Return each point of the picture with its model's instructions."""
        return list(zip(self.scatter.points, self.asked, strict=True))

    @property
    def sentence(self) -> str:
        pearson = self.pearson
        return pearson.reason if pearson.value is None else pearson.warning


class CorrelationPage(RoundReportPage):
    """The page of a round (its subject) or, without one, of the newest with ratings."""

    key = "correlation"
    title = "Correlation"
    template = "review/leaderboard/correlation.html"
    kinds = (KIND,)
    due_words = VALUES_CHANGED

    def context(
        self, membership: Membership, query: QueryDict, subject: Round | None
    ) -> dict[str, Any]:
        context = correlation_context(membership, subject, RatingForm(query))
        return context | {"state": self.state(membership.project)}


def correlation_context(
    membership: Membership, round_shown: Round | None, form: RatingForm
) -> dict[str, Any]:
    project = membership.project
    reports = newest_of_rounds(project, CORRELATION_NAME)
    current = {inputs.subject: inputs.hash for inputs in correlation_inputs(project)}
    rounds = [
        round for round in rounds_of(project) if str(round.pk) in reports.keys() | current.keys()
    ]
    round_shown = round_shown or next(iter(rounds), None)
    context = {
        "membership": membership,
        "project": project,
        "rounds": rounds,
        "round": round_shown,
        "form": form,
        "rating_names": RATING_NAMES.items(),
    }
    if round_shown is not None:
        subject = str(round_shown.pk)
        report = reports.get(subject)
        context["can_compute"] = subject in current
        if report is not None:
            rated = newest_of_rounds(project, NAME).get(subject)
            clips = leaderboard_parameters(rated).clips if rated else None
            context |= _numbers(report, round_shown, form.rating, clips)
            context["is_old"] = report.inputs_hash != current.get(subject)
    return context


def _numbers(report: Report, round: Round, rating: str, clips: int | None) -> dict[str, Any]:
    """Return the numbers; `clips` is the number of clips with votes, None if unknown."""
    names = {key: system.name for key, system in systems_of(round).items()}
    instructions = instructions_of_round(round)
    result = result_of(report, Correlations)
    ratings = result.ratings[rating]
    ranked = sorted(ratings, key=lambda model: (-ratings[model], names[model]))
    number = {model: place for place, model in enumerate(ranked, 1)}
    rows = []
    for metric in result.metrics:
        valued = sorted(metric.values, key=number.__getitem__)
        points = [
            (number[model], names[model], metric.values[model], ratings[model]) for model in valued
        ]
        correlated = metric.with_rating(rating)
        rows.append(
            MetricRow(
                metric.key,
                metric.name,
                _with_reason(correlated.pearson, clips),
                _with_reason(correlated.spearman, clips),
                TABLE_15.get(metric.key),
                draw_scatter(points),
                tuple(instructions.get(model) for model in valued),
            )
        )
    return {
        "report": report,
        "rows": rows,
        "models": [(number[model], names[model], ratings[model]) for model in ranked],
        "asked_models": list(instructions.values()),
        "asked_notice": theme_notice(instructions.values()),
        "is_few": len(ranked) < FEW,
        "small_sample_warning": too_few_reason(clips)
        if clips is not None and is_few(clips)
        else "",
        "has_words_alone": all(row.key == WORDS[0] for row in rows),
        "rating": rating,
        "rating_name": RATING_NAMES[rating],
    }


def _with_reason(correlation: Correlation, clips: int | None) -> Correlation:
    """Replace a warning that quotes an interval by the reason why no interval is shown."""
    estimate = correlation if clips is None else shown_estimate(correlation, clips)
    return correlation if estimate is correlation else replace(estimate, warning=estimate.reason)
