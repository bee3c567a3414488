"""Queries about tests of identification, and what each person could still be given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotate.models import Assignment, Caption, Membership, Project, User, WorkItem
from annotate.programs import that_count
from review.identification.computing import Pick
from review.identification.models import (
    IdentificationTask,
    IdentificationTest,
    IdentifiedClip,
    TestedText,
)
from review.verification.completeness import CompleteClip, complete_rows

State = WorkItem.State
MIN_OPTIONS = 4


def running_test(project: Project | int) -> IdentificationTest | None:
    return IdentificationTest.objects.filter(project=project, ended_at=None).first()


def last_test(project: Project) -> IdentificationTest | None:
    return IdentificationTest.objects.filter(project=project).first()


def groups_to_test(project: Project) -> list[list[CompleteClip]]:
    """Return the complete clips of each subcategory that has enough of them to pick from."""
    groups: dict[tuple[str, str], list[CompleteClip]] = defaultdict(list)
    for row in complete_rows(project):
        if row.subcategory.strip():
            groups[row.category, row.subcategory].append(row)
    return [rows for rows in groups.values() if len(rows) >= MIN_OPTIONS]


def texts_for(test: IdentificationTest, person: User) -> QuerySet[TestedText]:
    """Return the texts that this person could be given: of clips on which they have done no work
    and whose other texts they have not been given, and which need more people."""
    # Read once instead of once per text, since a test has thousands.
    worked = Assignment.objects.filter(annotator=person, item__project=test.project_id).exclude(
        item__kind="identify"
    )
    wrote = Caption.objects.filter(author=person, project=test.project_id)
    tasks = IdentificationTask.objects.filter(text__test=test, person=person)
    return (
        test.texts.exclude(clip__in=worked.order_by().values("item__clip"))
        .exclude(clip__in=wrote.order_by().values("clip"))
        .exclude(clip__in=tasks.order_by().values("text__clip"))
        .annotate(given=Count("tasks", filter=_counts()))
        .filter(given__lt=test.people)
        .order_by("given", "pk")
    )


def _counts() -> Q:
    """Return the condition on the tasks of a text that they are answered, or still open for their
    person."""
    open_items = WorkItem.objects.filter(
        kind="identify", subject=OuterRef("tasks__pk"), state=State.OPEN
    )
    skipped = Assignment.objects.filter(item=OuterRef("pk"), state=Assignment.State.SKIPPED)
    picks = IdentifiedClip.objects.filter(task=OuterRef("tasks__pk"))
    return Q(Exists(picks)) | Q(Exists(open_items.exclude(Exists(skipped))))


def counted_picks() -> QuerySet[IdentifiedClip]:
    """Return the newest pick of each task."""
    later = IdentifiedClip.objects.filter(task=OuterRef("task"), pk__gt=OuterRef("pk"))
    return IdentifiedClip.objects.filter(~Exists(later))


def picks_of(
    project: Project, test: IdentificationTest | None = None, *, only_ended: bool = False
) -> Iterator[Pick]:
    """Yield the picks of one test, or of all tests of the project, or of those that have ended."""
    picks = that_count(
        counted_picks().filter(task__text__test__project=project), project, "task__person"
    )
    if test is not None:
        picks = picks.filter(task__text__test=test)
    if only_ended:
        picks = picks.filter(task__text__test__ended_at__isnull=False)
    rows = picks.order_by("pk").values_list(
        "task__text",
        "task__text__caption",
        "task__text__caption__kind",
        "task__text__clip__video__category",
        "task__text__clip__video__subcategory",
        "task__text__clip",
        "clip",
        "task__clips",
    )
    for text, caption, kind, category, subcategory, clip, picked, clips in rows:
        yield Pick(text, caption, kind, category, subcategory, clip, picked, len(clips))


def task_of(assignment: Assignment) -> IdentificationTask | None:
    return (
        IdentificationTask.objects.select_related("text__caption", "text__test")
        .filter(pk=assignment.item.subject, person=assignment.annotator_id)
        .first()
    )


def last_pick(assignment: Assignment) -> IdentifiedClip | None:
    """Return the same person's pick before this work, to be changed."""
    before = IdentifiedClip.objects.filter(
        assignment__annotator=assignment.annotator_id,
        task__text__test__project=assignment.item.project_id,
        task__text__test__ended_at=None,
    ).exclude(assignment=assignment)
    if assignment.submitted_at:
        before = before.filter(assignment__submitted_at__lt=assignment.submitted_at)
    return before.order_by("-assignment__submitted_at", "-pk").first()


def could_do_more(membership: Membership) -> int:
    """Return how many texts the person could still be given, one of each clip."""
    test = running_test(membership.project_id)
    if test is None:
        return 0
    return len(set(texts_for(test, membership.user).values_list("clip", flat=True)))
