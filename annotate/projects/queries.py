"""Queries about a person's projects."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.utils import timezone

from annotate.corpus.pieces import KEPT
from annotate.kinds import Kind, all_kinds, kind_facts
from annotate.models import (
    AssignedSubcategory,
    Assignment,
    AuditEvent,
    Clip,
    Invitation,
    Membership,
    Project,
    User,
    WorkItem,
)
from annotate.queue.services import free_items

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class Counted(TypedDict):
    clip_count: int
    held_count: int
    returned_count: int
    item_count: int
    done_count: int
    last_at: datetime | None


def memberships_with_work(
    user: User, *, archived: bool = False
) -> QuerySet[WithAnnotations[Membership, Counted]]:
    """Return the person's active or archived projects by name, each with `clip_count`, `held_count`
    and `returned_count` of the person, `item_count` and `done_count` of all work, `last_at`, and
    `waits_<kind>` for each kind of work that the person could take.
    """
    here = OuterRef("project")
    mine = Assignment.objects.filter(annotator=user, item__project=here)
    items = WorkItem.objects.filter(project=here).exclude(state=WorkItem.State.CANCELLED)
    events = AuditEvent.objects.filter(project=here).order_by("-id")
    return (
        Membership.objects.filter(user=user, project__archived_at__isnull=not archived)
        .select_related("project")
        .annotate(
            clip_count=_counted(Clip.objects.filter(KEPT, project=here)),
            held_count=_counted(mine.filter(state=Assignment.State.HELD)),
            returned_count=_counted(mine.filter(state=Assignment.State.RETURNED)),
            item_count=_counted(items),
            done_count=_counted(items.filter(state=WorkItem.State.DONE)),
            last_at=Subquery(events.values("at")[:1]),
            **{f"waits_{kind}": _waits(user, kind) for kind in all_kinds()},
        )
        .order_by("project__name")
    )


def projects_of(user: User) -> QuerySet[Project]:
    """Return the projects that the person can switch to, by name."""
    projects = Project.objects.filter(memberships__user=user, archived_at=None)
    return projects.only("name", "slug", "is_simulated")


def has_archived(user: User) -> bool:
    """Return whether a project of the person is archived."""
    return Membership.objects.filter(user=user, project__archived_at__isnull=False).exists()


def _waits(user: User, kind: Kind) -> ExpressionWrapper[Q]:
    """Return whether the member could take work of this kind, as My work counts it."""
    has_role = Q()
    for role in kind_facts(kind).roles:
        has_role |= Q(**{f"is_{role}": True})
    items = free_items(user, OuterRef("project"), kind).order_by()
    is_free = Q(Exists(items))
    if kind_facts(kind).is_clip_step:
        assigned = AssignedSubcategory.objects.filter(
            membership__user=user, membership__project=OuterRef("project")
        )
        of_clip = assigned.filter(
            Q(subcategory="") | Q(subcategory=OuterRef("clip__video__subcategory")),
            membership__project=OuterRef("project"),
            category=OuterRef("clip__video__category"),
        )
        of_any = ~Q(project__assigned_work=Project.AssignedWork.ONLY) | ~Q(Exists(assigned))
        is_free = (of_any & is_free) | Q(Exists(items.filter(Exists(of_clip))))
    return ExpressionWrapper(has_role & is_free, output_field=BooleanField())


def addresses_of_members(project: Project) -> set[str]:
    """Return the addresses of all members, including deactivated ones."""
    members = Membership.with_deactivated.filter(project=project)
    return {email.lower() for email in members.values_list("user__email", flat=True)}


def members_of_any_state(project: Project, *, with_assigned: bool = False) -> QuerySet[Membership]:
    """Return the members and those who are deactivated, by name, with the subcategories that are
    assigned to them if these are asked for."""
    members = Membership.with_deactivated.filter(project=project)
    if with_assigned:
        members = members.prefetch_related("assigned")
    return members.select_related("user").order_by("user__name", "pk")


def invitations_of(project: Project) -> list[Invitation]:
    """Return all invitations, with who invited and who accepted."""
    return list(project.invitations.select_related("invited_by", "accepted_by"))


def addresses_invited(project: Project) -> set[str]:
    """Return the addresses with an open invitation."""
    open_ones = project.invitations.filter(
        accepted_at=None, withdrawn_at=None, expires_at__gt=timezone.now()
    )
    return set(open_ones.exclude(email="").values_list("email", flat=True))


def _counted(rows: QuerySet[Any]) -> Subquery:
    """Return COUNT(*) of a correlated subquery, without the GROUP BY that a plain
    Count would add.
    """
    return Subquery(rows.order_by().annotate(n=Func(F("pk"), function="COUNT")).values("n"))
