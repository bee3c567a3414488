"""The actions on many clips: those on their work and tags are here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from annotate.clip_changes.action import Before, ClipAction, Values
from annotate.clip_changes.leaving_out import Archive, Exclude, Include, Restore
from annotate.kinds import kinds_with
from annotate.models import (
    Clip,
    ClipChange,
    Membership,
    Project,
    Tag,
    User,
    WorkItem,
)
from annotate.queue.services.handing_on import takeable_by

Action = ClipChange.Action
State = WorkItem.State


def _work(project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[WorkItem]:
    items = WorkItem.objects.filter(
        project=project,
        clip__in=clips.order_by().values("pk"),
        state__in=[State.OPEN, State.WAITING],
    )
    return items.filter(kind=values["kind"]) if values.get("kind") else items


def _by_earlier(before: Before) -> dict[Any, list[int]]:
    keys: dict[Any, list[int]] = defaultdict(list)
    for key, earlier in before:
        keys[earlier].append(key)
    return keys


class Assign(ClipAction):
    fields = ("kind", "person")
    noun = ("piece of work", "pieces of work")
    says = (
        "Only this person is offered the work, until they have taken it. Work that they may not "
        "do, or have done already, is left out."
    )

    def affected(
        self, project: Project, clips: QuerySet[Clip], values: Values
    ) -> QuerySet[WorkItem]:
        items = _work(project, clips, values).filter(open_slots__gt=0)
        items = items.exclude(kind__in=kinds_with("reserves_itself"))
        if (person := values.get("person")) is None:
            return items.filter(reserved_for__isnull=False)
        membership = Membership.objects.get(project=project, user=person)
        return takeable_by(items, membership).exclude(
            reserved_for__isnull=False, reserved_for=person
        )

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        WorkItem.objects.filter(pk__in=[row.pk for row in rows]).update(
            reserved_for=values.get("person")
        )
        return [[row.pk, row.reserved_for_id] for row in rows]

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        items = WorkItem.objects.filter(project=project, reserved_for=values.get("person"))
        return sum(
            items.filter(pk__in=keys).update(reserved_for=earlier)
            for earlier, keys in _by_earlier(before).items()
        )


class Prioritize(ClipAction):
    fields = ("kind", "priority")
    noun = ("piece of work", "pieces of work")
    says = "Work with a higher number is handed out first; the usual number is 0."

    def affected(
        self, project: Project, clips: QuerySet[Clip], values: Values
    ) -> QuerySet[WorkItem]:
        return _work(project, clips, values).exclude(priority=values["priority"])

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        WorkItem.objects.filter(pk__in=[row.pk for row in rows]).update(priority=values["priority"])
        return [[row.pk, row.priority] for row in rows]

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        items = WorkItem.objects.filter(project=project, priority=values["priority"])
        return sum(
            items.filter(pk__in=keys).update(priority=earlier)
            for earlier, keys in _by_earlier(before).items()
        )


class AddTag(ClipAction):
    fields = ("tag",)
    noun = ("clip", "clips")
    says = "The list can be filtered by the tag. Releases don’t contain tags."

    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Clip]:
        return clips.exclude(pk__in=_tagged(project, values["tag"]))

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        add_tag(project, values["tag"], [clip.pk for clip in rows])
        return [[clip.pk, None] for clip in rows]

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        return remove_tag(project, values["tag"], [key for key, _ in before])


class RemoveTag(ClipAction):
    fields = ("tag",)
    noun = ("clip", "clips")
    says = "A tag without clips is removed."

    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Clip]:
        return clips.filter(pk__in=_tagged(project, values["tag"]))

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        remove_tag(project, values["tag"], [clip.pk for clip in rows])
        return [[clip.pk, None] for clip in rows]

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        keys = [key for key, _ in before]
        kept = list(Clip.objects.filter(project=project, pk__in=keys).values_list("pk", flat=True))
        return add_tag(project, values["tag"], kept)


def _tagged(project: Project, name: str) -> QuerySet[Any]:
    tagged = Tag.clips.through.objects.filter(tag__project=project, tag__name__iexact=name)
    return tagged.values("clip")


def add_tag(project: Project, name: str, clips: Sequence[int]) -> int:
    """Tag the clips, which don't have the tag, and return their number."""
    if not clips:
        return 0
    tag = Tag.objects.filter(project=project, name__iexact=name).first()
    tag = tag or Tag.objects.create(project=project, name=name)
    links = Tag.clips.through
    links.objects.bulk_create(
        [links(tag=tag, clip_id=key) for key in clips], ignore_conflicts=True, batch_size=2000
    )
    return len(clips)


def remove_tag(project: Project, name: str, clips: Sequence[int]) -> int:
    """Take the tag from the clips; delete it if no clip has it any more."""
    tag = Tag.objects.filter(project=project, name__iexact=name).first()
    if tag is None:
        return 0
    links = Tag.clips.through.objects.filter(tag=tag)
    number, _ = links.filter(clip__in=clips).delete()
    if not links.exists():
        tag.delete()
    return number


ACTIONS: dict[Action, ClipAction] = {
    Action.ASSIGN: Assign(),
    Action.PRIORITIZE: Prioritize(),
    Action.TAG: AddTag(),
    Action.UNTAG: RemoveTag(),
    Action.EXCLUDE: Exclude(),
    Action.INCLUDE: Include(),
    Action.ARCHIVE: Archive(),
    Action.RESTORE: Restore(),
}


def actions_for(membership: Membership) -> list[Action]:
    """Return the actions that the member may take in their project."""
    has_withdrawals = "withdrawals" in membership.project.pipeline.keys
    return [
        name
        for name, action in ACTIONS.items()
        if membership.has_role(*action.roles) and (has_withdrawals or not action.is_withdrawal)
    ]
