"""Hand on the open work of a person who stops, to everybody or to one person. Drafts stay."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotate.kinds import kind_facts, kinds_for, kinds_with
from annotate.models import Assignment, Membership, Project, User, WorkItem
from annotate.queue.services.leases import release_holds
from annotate.queue.services.returns import give_to_others
from annotate.queue.services.withdrawing import withdraw_work_about

State = Assignment.State


@dataclass(frozen=True)
class HandedOn:
    """What was handed on: assignments that the person held, that were returned to them or that
    waited for earlier work, and items reserved for them. Of these items, `to_person` are now
    reserved for the chosen person; the others are for everybody."""

    held: int
    sent_back: int
    waiting: int
    reserved: int
    to_person: int


def takeable_by(items: QuerySet[WorkItem], membership: Membership) -> QuerySet[WorkItem]:
    """Leave out work that the member may not do by their roles, has done, or is barred from by
    earlier work on the clip."""
    kinds = kinds_for(membership)
    own = Assignment.objects.filter(annotator=membership.user_id)
    is_own = own.filter(item=OuterRef("pk")).exclude(state=State.EXPIRED)
    items = items.filter(kind__in=kinds).exclude(Exists(is_own))
    for kind in kinds:
        barring = kind_facts(kind).barred_by
        earlier = own.filter(item__clip=OuterRef("clip"), item__kind__in=barring)
        items = items.exclude(Exists(earlier), kind=kind)
    return items


def open_work_of(user: User, project: Project) -> QuerySet[Assignment]:
    """Return the person's work that is held, returned to them, or waiting for earlier work."""
    open_states = [State.HELD, State.RETURNED, State.PAUSED]
    return Assignment.objects.filter(
        annotator=user, item__project=project, state__in=open_states
    ).order_by("pk")


def reserved_work_of(user: User, project: Project) -> QuerySet[WorkItem]:
    """Return work reserved for this person, except kinds that are made for one person."""
    open_states = [WorkItem.State.OPEN, WorkItem.State.WAITING]
    return (
        WorkItem.objects.filter(project=project, reserved_for=user, state__in=open_states)
        .exclude(kind__in=kinds_with("is_made_for_one"))
        .order_by("pk")
    )


@transaction.atomic
def hand_on_work(*, user: User, project: Project, to: Membership | None) -> HandedOn:
    """Give the person's open work to everybody, or to `to` if they can do it.

    Their drafts stay theirs, and nobody else reads them.
    """
    rows = list(
        open_work_of(user, project)
        .select_for_update(of=("self",))
        .values_list("pk", "item_id", "state", "returned_by_id")
    )
    sent_back = [pk for pk, _, state, by in rows if state != State.PAUSED and by]
    waiting = {pk: item for pk, item, state, _ in rows if state == State.PAUSED}
    release_holds(user=user, project=project)
    for hold in Assignment.objects.filter(pk__in=sent_back).select_related("item"):
        give_to_others(hold.item, [hold])
    Assignment.objects.filter(pk__in=waiting).update(state=State.EXPIRED)
    WorkItem.objects.filter(pk__in=waiting.values()).update(open_slots=F("open_slots") + 1)

    tasks = WorkItem.objects.filter(
        project=project, reserved_for=user, kind="identify", state=WorkItem.State.OPEN
    )
    # Their text goes to somebody else. A round itself takes back its idle pairs.
    withdraw_work_about(list(tasks.order_by("pk")))
    reserved = list(reserved_work_of(user, project).select_for_update().values_list("pk"))
    keys = {item for _, item, _, _ in rows} | {key for (key,) in reserved}
    to_person = _reserve(keys, user, to)
    return HandedOn(
        held=len(rows) - len(sent_back) - len(waiting),
        sent_back=len(sent_back),
        waiting=len(waiting),
        reserved=len(reserved),
        to_person=to_person,
    )


def _reserve(keys: Collection[int], user: User, to: Membership | None) -> int:
    """Reserve these items for `to`, or end their reservation; return how many are for `to`. Work
    reserved for somebody else stays reserved."""
    items = WorkItem.objects.filter(pk__in=keys).exclude(kind__in=kinds_with("is_made_for_one"))
    items = items.filter(Q(reserved_for=None) | Q(reserved_for=user))
    able: list[int] = []
    if to is not None:
        able = list(takeable_by(items.filter(open_slots__gt=0), to).values_list("pk", flat=True))
    items.exclude(pk__in=able).update(reserved_for=None)
    WorkItem.objects.filter(pk__in=able).update(reserved_for=to.user_id if to else None)
    return len(able)
