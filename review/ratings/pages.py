"""The Ratings page: the studies, each person's progress, and the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from annotate.models import Caption, Membership, Project
from metrics.ratings import SCALE
from review.display.charts import BarChart, draw_bars
from review.ratings import NAME
from review.ratings.computing import Ratings, Summary, means_in_order
from review.ratings.forms import RatingStudyForm, ShareForm
from review.ratings.queries import (
    Progress,
    RaterProgress,
    examples_in_use,
    progress_of,
    rater_progress,
    raters_of,
    rating_studies,
)
from review.ratings.report import KIND, completed_in, rated_in
from review.ratings.sample import captions_to_draw
from review.ratings.scale import DEFINITIONS
from review.ratings.studies import MIN_EXAMPLES
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.results import result_of
from review.reports.small_samples import is_few, shown_estimate, too_few_reason
from review.reports.state import NOTHING_NEW
from review.studies.card import Interval, Measure, card_of, mean_at_every_look
from review.studies.models import Study

PARTS = {"all": "All", "clips": "Clips", "videos": "Whole videos"}
MEASURE = Measure(
    noun="captions",
    number="Mean rating",
    unit="points of the scale",
    digits="2",
    width=0.4,
    largest=5,
    at_every_look="a confidence sequence by betting",
    note="A caption counts here once everybody asked has rated it.",
)


@dataclass(frozen=True)
class Part:
    """One column of the report. `result` has no intervals where captions are too few."""

    name: str
    label: str
    result: Summary
    chart: BarChart


@dataclass(frozen=True)
class Rater:
    """A person's progress, and their shift if the report has it."""

    progress: RaterProgress
    shift: float | None
    reason: str


class RatingsPage(ReportPage[None]):
    key = "ratings"
    title = "Ratings"
    template = "review/ratings/ratings.html"
    kinds = (KIND,)

    def context(
        self,
        membership: Membership,
        query: QueryDict,
        subject: None = None,
        *,
        form: RatingStudyForm | None = None,
        share_form: ShareForm | None = None,
    ) -> dict[str, Any]:
        """`form` and `share_form`: invalid forms, shown again."""
        context = _context(membership, query, form, share_form)
        nothing_new = NOTHING_NEW if context.get("parts") and not context["is_behind"] else ""
        return context | {"state": self.state(membership.project, nothing_new=nothing_new)}


PAGE = RatingsPage()


def _context(
    membership: Membership,
    query: QueryDict,
    form: RatingStudyForm | None,
    share_form: ShareForm | None,
) -> dict[str, Any]:
    """Return the context, with the study in the query or the newest."""
    project = membership.project
    studies = list(rating_studies(project))
    chosen_study = next(
        (item for item in studies if str(item.pk) == query.get("study")),
        studies[0] if studies else None,
    )
    progress = progress_of(studies)
    context: dict[str, Any] = {
        "membership": membership,
        "project": project,
        "studies": [(item, progress[item.pk]) for item in studies],
        "chosen_study": chosen_study,
        "is_running": any(item.is_running for item in studies),
        "examples": examples_in_use(project).count(),
        "least_examples": MIN_EXAMPLES,
    }
    if chosen_study is not None:
        context |= _study_context(project, chosen_study, progress[chosen_study.pk], query)
        context["share_form"] = share_form or ShareForm(
            initial={"per_rater": chosen_study.per_rater}
        )
    if membership.is_admin and not context["is_running"]:
        context |= _form_context(project, form)
    return context


def _study_context(
    project: Project, study: Study, progress: Progress, query: QueryDict
) -> dict[str, Any]:
    study.project = project
    report = Report.objects.newest(project, NAME).filter(subject=study.pk).first()
    result = result_of(report, Ratings) if report else None
    people = rater_progress(study)
    return {
        "progress": progress,
        "uncovered": _uncovered(study, progress, people),
        "report": report,
        "parts": _parts(result) if result else [],
        "definitions": _counts(result) if result else [],
        "raters": _raters(result, people),
        "card": card_of(project, MEASURE, _intervals(result, study), query) if result else None,
        "is_behind": report is not None and progress.done != report.inputs,
    }


def _intervals(result: Ratings, study: Study) -> list[Interval]:
    """Return the intervals of the report, or of the ratings so far those that hold at every look.
    As in the report, too few captions give no usual interval.
    """
    if study.project.intervals_hold_at_every_look:
        means = means_in_order(rated_in(study), completed_in(study))
        scale = (float(min(SCALE)), float(max(SCALE)))
        return [mean_at_every_look(PARTS[part], means[part], scale) for part in means]
    return [
        Interval(PARTS[part], last.n, None, None, reason=too_few_reason(last.n, "caption"))
        if is_few(last.n)
        else Interval(PARTS[part], last.n, last.low, last.high)
        for part, course in result.courses.items()
        for last in course.steps[-1:]
    ]


def _uncovered(study: Study, progress: Progress, people: Sequence[RaterProgress]) -> int:
    """Return how many of the remaining ratings are in nobody's share."""
    assert study.per_rater is not None
    own = sum(max(study.per_rater - person.done, 0) for person in people if person.is_member)
    return max(progress.due - progress.done - own, 0)


def _parts(result: Ratings) -> list[Part]:
    return [
        Part(name, label, _shown(result.part(name)), _chart(result.part(name).histogram))
        for name, label in PARTS.items()
    ]


def _shown(summary: Summary) -> Summary:
    summary_shown = replace(
        shown_estimate(summary, summary.n_captions, "caption"),
        kappa=shown_estimate(summary.kappa, summary.kappa.n_units, "caption"),
        alpha=shown_estimate(summary.alpha, summary.alpha.n_units, "caption"),
    )
    if is_few(summary.n_captions):
        return replace(summary_shown, high_share_low=None, high_share_high=None)
    return summary_shown


def _counts(result: Ratings) -> list[dict[str, Any]]:
    """Return how often each rating was given in each part, by the part's label."""
    return [
        {
            **definition._asdict(),
            "counts": [
                (label, result.part(name).histogram[definition.value])
                for name, label in PARTS.items()
            ],
        }
        for definition in DEFINITIONS
    ]


def _chart(histogram: Sequence[int]) -> BarChart:
    bars = [(str(value), count) for value, count in zip(SCALE, histogram, strict=True)]
    return draw_bars(bars, labels=len(SCALE))


def _raters(result: Ratings | None, people: Sequence[RaterProgress]) -> list[Rater]:
    rater_of = {rater.rater: rater for rater in result.all.raters} if result else {}
    return [
        Rater(person, rater.shift, rater.reason)
        if (rater := rater_of.get(person.person.pk))
        else Rater(person, None, "")
        for person in people
    ]


def _form_context(project: Project, form: RatingStudyForm | None) -> dict[str, Any]:
    """Return the numbers of captions to draw from, which limit the form's initial values."""
    clips = captions_to_draw(project, Caption.Kind.GENERAL).count()
    videos = captions_to_draw(project, Caption.Kind.FULL_VIDEO).count()
    fields = RatingStudyForm.base_fields
    initial = {
        "clips": min(clips, fields["clips"].initial),
        "videos": min(videos, fields["videos"].initial),
    }
    return {
        "form": form or RatingStudyForm(initial=initial),
        "clips_there": clips,
        "videos_there": videos,
        "raters_there": raters_of(project).count(),
    }
