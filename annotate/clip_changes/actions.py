"""What can be done to many clips at once.

An action counts what it would change, changes it, and returns what was there before, with which it
is undone. It changes only what differs, and undoing leaves alone what somebody changed meanwhile.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet

from annotate.archive.queries import archived_keys
from annotate.archive.services import archive_thing, restore_thing
from annotate.corpus.archiving import ArchiveVideo
from annotate.corpus.queries import forget_tags
from annotate.corpus.services.exclusion import take_back_clip, withdraw_clip
from annotate.models import (
    Clip,
    ClipChange,
    Membership,
    Project,
    Role,
    Tag,
    User,
    Video,
    WorkItem,
)
from annotate.queue.kinds import RESERVED_BY_THEMSELVES
from annotate.queue.services.handing_on import takeable_by

Action = ClipChange.Action
State = WorkItem.State
Values = Mapping[str, Any]
Before = list[list[Any]]  # [key, earlier value]
VIDEO = ArchiveVideo()


class ClipAction(ABC):
    """`fields` are those of the form that it needs; `noun` is what it changes, `says` what follows
    from it.
    """

    fields: ClassVar[tuple[str, ...]] = ()
    roles: ClassVar[tuple[Role, ...]] = (Role.ADMIN, Role.EXPERT)
    noun: ClassVar[tuple[str, str]]
    says: ClassVar[str]
    only_carebench: ClassVar[bool] = False

    @abstractmethod
    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Any]:
        """Return what it would change: the rows that `noun` names."""

    @abstractmethod
    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        """Change the affected rows, in the transaction of the caller. Raises AnnotateError."""

    @abstractmethod
    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        """Put back what was there before, and return the number of rows put back."""


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
        items = items.exclude(kind__in=RESERVED_BY_THEMSELVES)
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
    says = "The list can be filtered by the tag. Tags are no part of a release."

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
    says = "A tag ends with its last clip."

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
    forget_tags(project)
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
        forget_tags(project)
    return number


class OfVideos(ClipAction):
    """An action on the videos of the clips."""

    roles = (Role.ADMIN,)
    noun = ("video with all its clips", "videos with all their clips")

    def videos(self, project: Project, clips: QuerySet[Clip]) -> QuerySet[Video]:
        of_clips = clips.order_by().values("video")
        return Video.objects.filter(project=project, pk__in=of_clips).select_related("project")


class Exclude(OfVideos):
    fields = ("reason",)
    says = "Its work waits, and counts, runs, reports and releases leave it out. Texts are kept."
    only_carebench = True

    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Video]:
        return self.videos(project, clips).filter(excluded_because="")

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        for clip in _first_clips(rows):
            withdraw_clip(clip=clip, reason=values["reason"], admin=actor)
        return [[video.pk, ""] for video in rows]

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        videos = Video.objects.filter(project=project, pk__in=[key for key, _ in before])
        rows = list(videos.filter(excluded_because=" ".join(values["reason"].split())))
        for clip in _first_clips(rows):
            take_back_clip(clip=clip, admin=actor)
        return len(rows)


class Include(OfVideos):
    says = "It is in the benchmark again, with its work where it was. Archived ones stay archived."
    only_carebench = True

    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Video]:
        videos = self.videos(project, clips).exclude(excluded_because="")
        return videos.exclude(pk__in=archived_keys(project, VIDEO.name))

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        before = [[video.pk, video.excluded_because] for video in rows]
        for clip in _first_clips(rows):
            take_back_clip(clip=clip, admin=actor)
        return before

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        reasons = dict(map(tuple, before))
        videos = Video.objects.filter(project=project, pk__in=list(reasons), excluded_because="")
        rows = list(videos)
        for clip in _first_clips(rows):
            withdraw_clip(clip=clip, reason=reasons[clip.video_id], admin=actor)
        return len(rows)


def _first_clips(videos: list[Video]) -> list[Clip]:
    """Return one clip of each of the videos."""
    clips = Clip.objects.filter(video__in=[video.pk for video in videos]).order_by("-pk")
    return list({clip.video_id: clip for clip in clips}.values())


class Archive(OfVideos):
    fields = ("note",)
    says = VIDEO.says

    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Video]:
        return self.videos(project, clips).filter(excluded_because="")

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        for video in rows:
            archive_thing(
                project=project, kind=VIDEO, thing=video, reason=values["note"], admin=actor
            )
        return [[video.pk, None] for video in rows]

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        return _restore(project, [key for key, _ in before], actor)


class Restore(OfVideos):
    says = "Everything is as it was before it was archived."

    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Video]:
        archived = archived_keys(project, VIDEO.name)
        return self.videos(project, clips).filter(pk__in=archived)

    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        _restore(project, [video.pk for video in rows], actor)
        return [[video.pk, None] for video in rows]

    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        keys = [key for key, _ in before]
        videos = Video.objects.filter(project=project, pk__in=keys, excluded_because="")
        for video in videos:
            archive_thing(project=project, kind=VIDEO, thing=video, reason="", admin=actor)
        return len(videos)


def _restore(project: Project, keys: list[int], actor: User) -> int:
    archived = archived_keys(project, VIDEO.name)
    videos = list(Video.objects.filter(project=project, pk__in=keys).filter(pk__in=archived))
    for video in videos:
        restore_thing(project=project, kind=VIDEO, thing=video, admin=actor)
    return len(videos)


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
    is_carebench = membership.project.protocol == Project.Protocol.CAREBENCH
    return [
        name
        for name, action in ACTIONS.items()
        if membership.has_role(*action.roles) and (is_carebench or not action.only_carebench)
    ]
