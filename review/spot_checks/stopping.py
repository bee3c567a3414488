"""How the accuracy of each checked person becomes certain, and ending a check that is precise."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from annotate.models import User
from review.spot_checks.models import SpotCheck
from review.spot_checks.queries import finished_work
from review.studies.models import StoppingRule
from review.studies.precision import Course, mean_course, share_course
from review.studies.stopping import note_reached

SHARES = (0.0, 1.0)


@dataclass(frozen=True)
class PersonCourse:
    person: str
    course: Course


def courses_of_check(check: SpotCheck, *, is_sequential: bool) -> list[PersonCourse]:
    """Return how the accuracy of each person came about, in the order of the judgments. The
    population is the work that they had finished when the check was drawn.
    """
    rows = check.items.filter(is_right__isnull=False).order_by("judged_at", "pk")
    answers: defaultdict[int, list[bool]] = defaultdict(list)
    for person, is_right in rows.values_list("assignment__annotator", "is_right"):
        answers[person].append(bool(is_right))
    drawn = Counter(check.items.values_list("assignment__annotator", flat=True))
    before = finished_work(check.project, check.kind).filter(submitted_at__lte=check.created_at)
    finished = dict(before.order_by().values_list("annotator").annotate(n=Count("pk")))
    names = User.objects.in_bulk(drawn)
    return [
        PersonCourse(
            names[person].name,
            _course(answers[person], max(finished.get(person, 0), count), is_sequential),
        )
        for person, count in sorted(drawn.items(), key=lambda row: (names[row[0]].name, row[0]))
    ]


def _course(answers: Sequence[bool], population: int, is_sequential: bool) -> Course:
    """Return the course with the interval of Results, or with one that is valid at any look."""
    if is_sequential:
        return mean_course(answers, SHARES, is_sequential=True, population=population)
    return share_course(answers, population=population)


def stop_if_precise(check: SpotCheck) -> bool:
    """Return whether the check's rule says to end it now, and note that it is reached. Call it
    inside a transaction.
    """
    rule = StoppingRule.objects.filter(spot_check=check, reached_at=None).first()
    if rule is None:
        return False
    courses = [person.course for person in courses_of_check(check, is_sequential=True)]
    return note_reached(rule, courses)
