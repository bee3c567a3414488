"""The studies, rounds and spot checks of a project, and how precise each is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef

from annotate.models import Project, WorkItem
from review.comparisons.models import Round
from review.leaderboard.stopping import course_of_round, small_sample_reason
from review.ratings.computing import Ratings
from review.reports.models import Report
from review.reports.results import OldResult, result_of
from review.reports.small_samples import is_few, too_few_reason
from review.rounds.queries import rounds_of
from review.spot_checks.models import SpotCheck
from review.spot_checks.stopping import courses_of_check
from review.studies.models import StoppingRule, Study, StudyCaption
from review.studies.precision import FIXED, Course
from review.threshold.computing import Thresholds

STUDY, ROUND, CHECK = "study", "round", "spot-check"
PARTS = {"clips": "Captions of clips", "videos": "Captions of whole videos"}
UNFINISHED = (WorkItem.State.OPEN, WorkItem.State.WAITING)


@dataclass(frozen=True)
class Words:
    """What a kind of judging counts, the unit of its interval, and a default width. `value`: the
    name of the number; "" if only the width of its interval is known. `note`: why the number can
    differ from the one on the judging's page.
    """

    kind: str
    noun: str
    value: str
    unit: str
    digits: int
    width: float
    most: float
    note: str = ""


WHOLE_CAPTIONS = (
    "A caption counts here once everybody asked has rated it; the page Ratings counts every rating."
)
RATINGS = Words(
    "Rating study", "captions", "Mean rating", "points of the scale", 2, 0.4, 5, WHOLE_CAPTIONS
)
THRESHOLD = Words("Threshold study", "captions", "Threshold", "of a score", 3, 0.05, 2)
ROUNDS = Words("Round", "votes", "", "rating points", 0, 100, 2000)
CHECKS = Words("Spot check", "items", "Share right", "of the share (0.2 is 20 points)", 3, 0.2, 1)


@dataclass(frozen=True)
class Judging:
    """A study, a round or a spot check."""

    key: str
    title: str
    words: Words
    subject: Study | Round | SpotCheck
    is_open: bool
    rule: StoppingRule | None


@dataclass(frozen=True)
class Series:
    """The course of one number of a judging. `reason`: why its last step has no interval, if so."""

    name: str
    course: Course
    reason: str = ""


def judgings_of(project: Project) -> list[Judging]:
    """Return all, open ones first, then by age, newest first."""
    every = [*_studies(project), *_rounds(project), *_checks(project)]
    rules = {
        (rule.study_id, rule.round_id, rule.spot_check_id): rule
        for rule in StoppingRule.objects.filter(project=project)
    }
    with_rules = [replace(judging, rule=rules.get(_place(judging.subject))) for judging in every]
    newest_first = sorted(with_rules, key=lambda judging: judging.subject.created_at, reverse=True)
    return sorted(newest_first, key=lambda judging: not judging.is_open)


def series_of(judging: Judging) -> list[Series] | None:
    """Return the courses; None if its report hasn't been computed, or by an earlier version."""
    subject, is_sequential = judging.subject, judging.rule is not None
    if isinstance(subject, SpotCheck):
        people = courses_of_check(subject, is_sequential=is_sequential)
        return [Series(person.person, person.course) for person in people]
    report = _report(subject)
    if report is None:
        return None
    try:
        if isinstance(subject, Round):
            course = course_of_round(report, subject, is_sequential=is_sequential)
            return [Series("Least certain model", course, small_sample_reason(report))]
        if subject.kind == Study.Kind.THRESHOLD:
            threshold = result_of(report, Thresholds).course
            return None if threshold is None else [Series("Change point", threshold)]
        courses = result_of(report, Ratings).courses
    except OldResult:
        return None
    return [_rated(PARTS[part], course) for part, course in courses.items()]


def _rated(name: str, course: Course) -> Series:
    """Return the course of a mean rating as on the page Ratings: too few captions give no interval
    by resampling. An interval that is valid at any look is exact for any number."""
    if course.method != FIXED:
        return Series(name, course)
    steps = [
        replace(step, low=None, high=None) if is_few(step.n) else step for step in course.steps
    ]
    n = steps[-1].n if steps else 0
    reason = too_few_reason(n, "caption") if steps and is_few(n) else ""
    return Series(name, replace(course, steps=steps), reason)


def report_name(judging: Judging) -> str:
    """Return the report from which the intervals are; empty for a spot check, which has none."""
    if isinstance(judging.subject, SpotCheck):
        return ""
    if isinstance(judging.subject, Round):
        return Report.Name.LEADERBOARD
    is_threshold = judging.subject.kind == Study.Kind.THRESHOLD
    return Report.Name.THRESHOLD if is_threshold else Report.Name.RATINGS


def has_begun(study: Study) -> bool:
    """Return whether anybody has verified a caption of the threshold study or of an earlier one of
    its scorer, whose captions the estimate counts too, so that looks can't be planned any more.
    """
    of_scorer = Study.objects.filter(project=study.project_id, kind=study.kind, scorer=study.scorer)
    verified = StudyCaption.objects.filter(caption__verifications__isnull=False)
    return verified.filter(study__in=of_scorer).exists()


def _report(subject: Study | Round) -> Report | None:
    if isinstance(subject, Round):
        name, about = Report.Name.LEADERBOARD, str(subject.pk)
    elif subject.kind == Study.Kind.THRESHOLD:
        name, about = Report.Name.THRESHOLD, subject.scorer
    else:
        name, about = Report.Name.RATINGS, str(subject.pk)
    return Report.objects.newest(subject.project, name).filter(subject=about).first()


def _studies(project: Project) -> list[Judging]:
    open_work = StudyCaption.objects.filter(study=OuterRef("pk"), item__state__in=UNFINISHED)
    studies = Study.objects.filter(project=project).annotate(has_work=Exists(open_work))
    return [
        Judging(
            f"{STUDY}-{study.pk}",
            f"{words.kind} {study.pk}",
            words,
            study,
            study.stopped_at is None and (study.has_work or study.undrawn > 0),
            None,
        )
        for study in studies
        for words in [THRESHOLD if study.kind == Study.Kind.THRESHOLD else RATINGS]
    ]


def _rounds(project: Project) -> list[Judging]:
    return [
        Judging(
            f"{ROUND}-{round.pk}",
            f"Round {round.number}",
            ROUNDS,
            round,
            round.ended_at is None,
            None,
        )
        for round in rounds_of(project)
    ]


def _checks(project: Project) -> list[Judging]:
    return [
        Judging(
            f"{CHECK}-{check.pk}",
            f"Spot check {check.pk}: {check.get_kind_display()}",
            CHECKS,
            check,
            check.ended_at is None,
            None,
        )
        for check in SpotCheck.objects.filter(project=project)
    ]


def _place(
    subject: Study | Round | SpotCheck,
) -> tuple[int | None, int | None, int | None]:
    if isinstance(subject, Study):
        return subject.pk, None, None
    if isinstance(subject, Round):
        return None, subject.pk, None
    return None, None, subject.pk
