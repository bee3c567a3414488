"""Settle what two people disagree about: a third opinion, or an admin's decision (LoVR, B.1)."""

from __future__ import annotations

from django.db import transaction

from annotate.audit import record_event
from annotate.corpus.services.exclusion import exclude_video, include_video
from annotate.dynamics.queries import DECIDED_STATIC, disputed_videos, undecided_videos
from annotate.errors import AnnotateError
from annotate.models import Assignment, DynamicsDecision, DynamicsVerdict, User, Video, WorkItem
from annotate.queue.queries import members_for

MAX_REASON_LENGTH = 500
NOT_DISPUTED = "People no longer disagree about this video, so there is nothing to decide."


@transaction.atomic
def ask_third_person(*, video: Video, person: User, admin: User) -> WorkItem:
    """Reserve a third check of the video for this person, replacing a person asked before. Raises
    AnnotateError.
    """
    video = _lock(video)
    if not undecided_videos(video.project).filter(pk=video.pk).exists():
        raise AnnotateError(NOT_DISPUTED)
    if person == admin:
        raise AnnotateError("You have read the remarks. Ask somebody else, or decide yourself.")
    if not members_for(video.project, "dynamics").filter(user=person).exists():
        raise AnnotateError(
            f"{person} can’t judge videos: they need the role annotator or reviewer."
        )
    if DynamicsVerdict.objects.filter(video=video, assignment__annotator=person).exists():
        raise AnnotateError(f"{person} has judged this video already. Choose somebody else.")
    item = _close(video)
    # Their own earlier skip doesn't prevent asking them again.
    item.assignments.filter(annotator=person, state=Assignment.State.SKIPPED).update(
        state=Assignment.State.EXPIRED
    )
    item.reserved_for, item.state = person, WorkItem.State.OPEN
    item.needed, item.open_slots = item.needed + 1, 1
    item.save(update_fields=["reserved_for", "state", "needed", "open_slots"])
    record_event(
        actor=admin,
        verb="ask third person",
        subject=video,
        project=video.project,
        after={"person": person.pk},
    )
    return item


@transaction.atomic
def decide_dynamics(
    *, video: Video, is_dynamic: bool | None, reason: str, admin: User
) -> DynamicsDecision:
    """Decide whether a disputed video stays; None takes back the current decision.

    This withdraws a request for a third opinion. Raises AnnotateError.
    """
    video = _lock(video)
    reason = reason.strip()
    if not reason:
        raise AnnotateError("Give a reason, so that others can follow the decision.")
    if len(reason) > MAX_REASON_LENGTH:
        raise AnnotateError(f"Shorten the reason to {MAX_REASON_LENGTH} characters.")
    disputed = disputed_videos(video.project).filter(pk=video.pk).first()
    if disputed is None:
        raise AnnotateError(NOT_DISPUTED)
    if disputed.decided is is_dynamic:
        raise AnnotateError("The decision is the same already. Nothing was changed.")
    _close(video)
    decision = DynamicsDecision.objects.create(
        video=video, is_dynamic=is_dynamic, reason=reason, decided_by=admin
    )
    record_event(
        actor=admin,
        verb="decide dynamics",
        subject=video,
        project=video.project,
        before={"is_dynamic": disputed.decided},
        after={"is_dynamic": is_dynamic, "reason": reason},
    )
    if is_dynamic is False:
        exclude_video(video=video, because=DECIDED_STATIC, actor=admin)
    elif video.excluded_because:
        include_video(video=video, actor=admin)
    return decision


def _lock(video: Video) -> Video:
    """Lock the video first, as submitting a verdict does."""
    videos = Video.objects.select_for_update(of=("self",), no_key=True)
    return videos.select_related("project").get(pk=video.pk)


def _close(video: Video) -> WorkItem:
    """End the check with the verdicts that it has; a draft stays with its author."""
    [item] = WorkItem.objects.filter(clip__video=video, kind="dynamics")
    holds = Assignment.objects.filter(item=item, state=Assignment.State.HELD)
    list(holds.select_for_update(of=("self",)).values_list("pk"))
    item = WorkItem.objects.select_for_update(of=("self",)).get(pk=item.pk)
    holds.update(state=Assignment.State.EXPIRED)
    item.needed = item.assignments.filter(state=Assignment.State.SUBMITTED).count()
    item.open_slots, item.state, item.reserved_for = 0, WorkItem.State.DONE, None
    item.save(update_fields=["needed", "open_slots", "state", "reserved_for"])
    return item
