"""Put the next step of a clip into the queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import prefetch_related_objects

from annotate.corpus.clip_limits import reason_too_small
from annotate.models import Assignment, Clip, Project, Video, WorkItem
from annotate.queue.chance import priority_by_chance
from annotate.queue.kinds import people_needed
from annotate.queue.services import resume_item
from annotate.queue.services.withdrawing import withdraw_work_about

BATCH = 500


def open_writing(*, clips: Iterable[Clip], writers: int) -> None:
    """Open `writers` independent write-ups of each clip that isn't too short or too small for the
    project. Safe to repeat.
    """
    WorkItem.objects.bulk_create(
        [
            WorkItem(
                project_id=clip.project_id,
                clip=clip,
                kind="write",
                needed=writers,
                open_slots=writers,
            )
            for clip in _large_enough(clips)
        ],
        ignore_conflicts=True,
        batch_size=BATCH,
    )


def _large_enough(clips: Iterable[Clip]) -> Iterator[Clip]:
    """Yield the clips that people should describe, in few queries."""
    projects: dict[int, Project] = {}
    rest = iter(clips)
    while batch := list(islice(rest, BATCH)):
        prefetch_related_objects(batch, "video")
        for clip in batch:
            if clip.project_id not in projects:
                projects[clip.project_id] = clip.project
            if not reason_too_small(clip, projects[clip.project_id]):
                yield clip


@transaction.atomic
def open_hand_writing(*, clip: Clip, context: dict[str, Any]) -> WorkItem:
    """Open work to write a caption by hand; `context` shows the models' attempts.

    A clip that was written by hand before is opened again for another person, with the newer
    attempts. Verification of its captions is withdrawn: a clip follows one path at a time.
    """
    to_verify = WorkItem.objects.filter(clip=clip, kind="verify", state=WorkItem.State.OPEN)
    withdraw_work_about(list(to_verify.order_by("pk")))
    item, is_new = WorkItem.objects.select_for_update().get_or_create(
        clip=clip,
        kind="hand",
        defaults={"project_id": clip.project_id, "context": context},
    )
    if not is_new:
        if item.state == WorkItem.State.CANCELLED:
            item.state = WorkItem.State.OPEN
        elif item.state == WorkItem.State.DONE:
            item.state = WorkItem.State.OPEN
            item.needed, item.open_slots = item.needed + 1, item.open_slots + 1
        item.context = context
        item.save(update_fields=["state", "needed", "open_slots", "context"])
    return item


def open_dynamics_check(video: Video) -> WorkItem:
    """Open the check by people whether the video is dynamic (LoVR, appendix B.1). Safe to
    repeat.
    """
    people = people_needed(video.project, "dynamics")
    whole = video.clips.get(start_frame=0, end_frame=video.frames)
    item, _ = WorkItem.objects.get_or_create(
        clip=whole,
        kind="dynamics",
        defaults={
            "project_id": video.project_id,
            "needed": people,
            "open_slots": people,
            "priority": priority_by_chance("dynamics", whole.pk),
        },
    )
    return item


def withdraw_untouched(*, clip: Clip, kind: str) -> None:
    """Withdraw the clip's work of this kind that nobody has started."""
    WorkItem.objects.filter(clip=clip, kind=kind, assignments=None).delete()


def open_next(done: Assignment, kind: str, *, comment: str) -> None:
    """Open the step that follows `done`, or resume it if it waited for a rewrite."""
    item = done.item
    if done.returned_by_id is None:
        # The step already exists, with a free place, if the text of a person who left was
        # reassigned.
        WorkItem.objects.bulk_create(
            [WorkItem(project_id=item.project_id, clip_id=item.clip_id, kind=kind)],
            update_conflicts=True,
            unique_fields=["clip", "kind", "subject", "purpose"],
            update_fields=["state"],
        )
        return
    following = WorkItem.objects.filter(clip_id=item.clip_id, kind=kind).first()
    if following is None:
        WorkItem.objects.create(project_id=item.project_id, clip_id=item.clip_id, kind=kind)
    else:
        resume_item(following, by=done.annotator, comment=comment)
