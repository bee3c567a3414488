"""Work that can be drawn, a reviewer's next item, and each person's share of right work."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet

from annotate.kinds import kind_facts
from annotate.models import Assignment, Project, User, WorkItem
from annotate.programs import that_count
from metrics.intervals import wilson_interval
from review.spot_checks.models import SpotCheck, SpotCheckItem

BONUS_ABOVE = 0.9  # LoVR, appendix B.3


def finished_work(project: Project, kind: str) -> QuerySet[Assignment]:
    """Return people's finished work of the kind that needs nobody else."""
    finished = Assignment.objects.filter(
        item__project=project,
        item__kind=kind,
        item__purpose=WorkItem.Purpose.WORK,
        item__state=WorkItem.State.DONE,
        state=Assignment.State.SUBMITTED,
        is_late=False,
    )
    return that_count(finished, project, "annotator")


def items_for(check: SpotCheck, reviewer: User) -> QuerySet[SpotCheckItem]:
    """Return the items that the reviewer may judge: not of clips on which they did this work."""
    kinds = [check.kind, *kind_facts(check.kind).barred_by]
    worked = Assignment.objects.filter(annotator=reviewer, item__kind__in=kinds)
    return check.items.exclude(assignment__item__clip__in=worked.values("item__clip"))


def next_item(check: SpotCheck, reviewer: User) -> SpotCheckItem | None:
    """Return the first unjudged item in the drawn order that the reviewer can judge."""
    waiting = items_for(check, reviewer).filter(is_right=None)
    return waiting.select_related("assignment__item__clip__video").order_by("place").first()


def with_counts(checks: QuerySet[SpotCheck]) -> QuerySet[SpotCheck]:
    return checks.annotate(
        drawn=Count("items"), judged=Count("items", filter=Q(items__is_right__isnull=False))
    )


@dataclass(frozen=True)
class PersonChecked:
    """The accuracy of one person's drawn work."""

    person: str
    person_id: int
    drawn: int
    judged: int
    right: int

    @property
    def share(self) -> float | None:
        return self.right / self.judged if self.judged else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's interval at 95 %; None before the first judgment."""
        return wilson_interval(self.right, self.judged)

    @property
    def earns_bonus(self) -> bool | None:
        """Whether more than 90 % are right; None until all are judged."""
        if self.judged < self.drawn or self.share is None:
            return None
        return self.share > BONUS_ABOVE


def answers_of(check: SpotCheck) -> dict[int, list[bool]]:
    """Return whether each judged item of a person is right, in the order of the judgments."""
    rows = check.items.filter(is_right__isnull=False).order_by("judged_at", "pk")
    answers: defaultdict[int, list[bool]] = defaultdict(list)
    for person, is_right in rows.values_list("assignment__annotator", "is_right"):
        answers[person].append(bool(is_right))
    return answers


def finished_before(check: SpotCheck) -> dict[int, int]:
    """Return how much work each person had finished when the check was drawn."""
    before = finished_work(check.project, check.kind).filter(submitted_at__lte=check.created_at)
    return dict(before.order_by().values_list("annotator").annotate(n=Count("pk")))


class JudgedCounts(NamedTuple):
    """The judged items of a person: in all spot checks, and in those that have ended."""

    right: int
    judged: int
    ended_right: int
    ended: int


def judged_counts(project: Project) -> dict[tuple[int, str], JudgedCounts]:
    """Return the counts of each person and kind of work that was judged. One query."""
    is_right, has_ended = Q(is_right=True), Q(check_of__ended_at__isnull=False)
    rows = (
        that_count(
            SpotCheckItem.objects.filter(check_of__project=project, is_right__isnull=False),
            project,
            "assignment__annotator",
        )
        .order_by()
        .values_list("assignment__annotator", "check_of__kind")
        .annotate(
            right=Count("pk", filter=is_right),
            judged=Count("pk"),
            ended_right=Count("pk", filter=is_right & has_ended),
            ended=Count("pk", filter=has_ended),
        )
    )
    return {(person, kind): JudgedCounts(*counts) for person, kind, *counts in rows}


def people_checked(check: SpotCheck) -> list[PersonChecked]:
    """Return everybody whose work was drawn, by name. One query."""
    rows = (
        check.items.order_by()
        .values_list("assignment__annotator__name", "assignment__annotator")
        .annotate(
            drawn=Count("pk"),
            judged=Count("pk", filter=Q(is_right__isnull=False)),
            right=Count("pk", filter=Q(is_right=True)),
        )
        .order_by("assignment__annotator__name", "assignment__annotator")
    )
    return [PersonChecked(*row) for row in rows]
