"""Queries about a person's projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from django.db.models import F, Func, OuterRef, QuerySet, Subquery

from annotate.models import Assignment, Clip, Membership, User

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class Counted(TypedDict):
    clip_count: int
    held_count: int
    returned_count: int


def memberships_with_work(
    user: User, *, archived: bool = False
) -> QuerySet[WithAnnotations[Membership, Counted]]:
    """Return the person's projects by name, or those that are archived, each with `clip_count`,
    `held_count`, `returned_count`.
    """
    clips = Clip.objects.filter(project=OuterRef("project"))
    mine = Assignment.objects.filter(annotator=user, item__project=OuterRef("project"))
    return (
        Membership.objects.filter(user=user, project__archived_at__isnull=not archived)
        .select_related("project")
        .annotate(
            clip_count=_counted(clips),
            held_count=_counted(mine.filter(state=Assignment.State.HELD)),
            returned_count=_counted(mine.filter(state=Assignment.State.RETURNED)),
        )
        .order_by("project__name")
    )


def _counted(rows: QuerySet[Clip] | QuerySet[Assignment]) -> Subquery:
    """Return COUNT(*) of a correlated subquery, without the GROUP BY that a plain
    Count would add.
    """
    return Subquery(rows.order_by().annotate(n=Func(F("pk"), function="COUNT")).values("n"))
