"""What pages hide of clips that a person could still be handed work on.

The file name, category, labels and tags of a clip can be the answer, so work pages show none of
them, and neither may any other page, list, file or the API. Where the project mixes known answers
into a kind of work, the progress and the texts of a clip tell gold from work: that of work is open,
that of gold is done. So these are hidden too, until the person has answered.

Admins see everything. Experts arrange the work by names and categories, so only progress and texts
are hidden from them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.kinds import kind_facts, kinds_for
from annotate.models import Assignment, Clip, Membership, Role, Tag, Video, WorkItem
from annotate.rules import rules_for, values_of


def hides_facts(membership: Membership) -> Exists | None:
    """Return the condition on clips that this person may not read their names, categories, labels
    and tags; None if nothing is hidden from them."""
    if membership.has_role(Role.ADMIN, Role.EXPERT):
        return None
    return _to_do(membership, _kinds(membership))


def hides_progress(membership: Membership) -> Exists | None:
    """Return the condition on clips that this person may not read their progress and texts; None
    if nothing is hidden from them."""
    if membership.is_admin:
        return None
    return _to_do(membership, _kinds(membership) & set(values_of(membership.project, "has_gold")))


def subjects_to_do(membership: Membership, kind: str) -> QuerySet[WorkItem, int] | None:
    """Return the subjects of this kind of work whose progress is hidden from the person: those that
    they could still be given, as work or as gold; None if nothing is hidden from them."""
    may = membership.has_role(*kind_facts(kind).roles)
    if membership.is_admin or not may or not rules_for(membership.project, kind).has_gold:
        return None
    own = Assignment.objects.filter(annotator=membership.user_id, item__kind=kind)
    answered = own.filter(item=OuterRef("pk"), state=Assignment.State.SUBMITTED)
    worked = own.filter(item__clip=OuterRef("clip"), item__purpose=WorkItem.Purpose.WORK)
    items = WorkItem.with_known_answers.filter(
        project=membership.project_id,
        kind=kind,
        state__in=[WorkItem.State.OPEN, WorkItem.State.WAITING],
    )
    gold = Q(Exists(worked), purpose=WorkItem.Purpose.GOLD)
    to_do = items.exclude(purpose=WorkItem.Purpose.TRAINING).exclude(Exists(answered))
    return to_do.exclude(gold).order_by().values_list("subject", flat=True)


def hide(membership: Membership, clips: Iterable[Clip]) -> set[int]:
    """Clear what this person may not read of these few clips, and of their videos if loaded; return
    the keys of those whose progress and texts are hidden. The clips are not to be saved."""
    clips = list(clips)
    without_facts = _keys(clips, hides_facts(membership))
    without_progress = _keys(clips, hides_progress(membership))
    for clip in clips:
        if "video" in clip._state.fields_cache and clip.pk in without_facts | without_progress:
            clip.video = copy(clip.video)
        if clip.pk in without_facts:
            _clear_facts(clip)
        if clip.pk in without_progress:
            clip.excluded_because = ""
            if "video" in clip._state.fields_cache:
                clip.video.excluded_because = ""
    return without_progress


def hide_videos(membership: Membership, videos: Iterable[Video]) -> None:
    """Clear what this person may not read of these few videos, which are not to be saved."""
    videos = list(videos)
    keys = [video.pk for video in videos]
    for condition, clear in (
        (hides_facts(membership), _clear_video),
        (hides_progress(membership), _clear_exclusion),
    ):
        if condition is None or not keys:
            continue
        clips = Clip.objects.filter(condition, video__in=keys).order_by()
        hidden = set(clips.values_list("video", flat=True))
        for video in videos:
            if video.pk in hidden:
                clear(video)


def hides_progress_of(membership: Membership, video: Video) -> bool:
    """Return whether the progress of a clip of the video is hidden from this person."""
    hidden = hides_progress(membership)
    return hidden is not None and Clip.objects.filter(hidden, video=video).exists()


def _keys(clips: Collection[Clip], condition: Exists | None) -> set[int]:
    if condition is None or not clips:
        return set()
    hidden = Clip.objects.filter(condition, pk__in=[clip.pk for clip in clips])
    return set(hidden.order_by().values_list("pk", flat=True))


def _clear_facts(clip: Clip) -> None:
    clip.name = clip.short_name
    if clip.label_id:
        clip.label = None
    if "tags" in getattr(clip, "_prefetched_objects_cache", {}):
        clip._prefetched_objects_cache["tags"] = Tag.objects.none()  # type: ignore[attr-defined]  # stubs
    if "video" in clip._state.fields_cache:
        _clear_video(clip.video)


def _clear_video(video: Video) -> None:
    video.original_name = f"Video {video.pk}"
    for name in ("category", "subcategory", "license", "source_url", "cut_from", "split"):
        setattr(video, name, "")


def _clear_exclusion(video: Video) -> None:
    video.excluded_because = ""


def _kinds(membership: Membership) -> set[str]:
    return set(kinds_for(membership))


def _to_do(membership: Membership, kinds: Collection[str]) -> Exists | None:
    """Return the condition that the person has work of these kinds on the clip, or could still get
    it, gold included. A place that somebody else holds can become free again.

    The clips are of the membership's project, and so are their items: PostgreSQL would misjudge
    their number by another condition on it.
    """
    if not kinds:
        return None
    gold = set(kinds) & set(values_of(membership.project, "has_gold"))
    own = Assignment.objects.filter(annotator=membership.user_id)
    answered = own.filter(item=OuterRef("pk"), state=Assignment.State.SUBMITTED)
    of_clip = own.filter(item__clip=OuterRef("clip"))
    worked = of_clip.filter(item__kind=OuterRef("kind"), item__purpose=WorkItem.Purpose.WORK)
    items = (
        WorkItem.with_known_answers.filter(
            Q(purpose=WorkItem.Purpose.WORK, kind__in=sorted(kinds))
            | Q(purpose=WorkItem.Purpose.GOLD, kind__in=sorted(gold)),
            Q(reserved_for=None) | Q(reserved_for=membership.user_id),
            clip=OuterRef("pk"),
            state__in=[WorkItem.State.OPEN, WorkItem.State.WAITING],
        )
        .exclude(Exists(answered))
        .exclude(Exists(worked), purpose=WorkItem.Purpose.GOLD)
    )
    for kind in kinds:
        if barring := kind_facts(kind).barred_by:
            items = items.exclude(Exists(of_clip.filter(item__kind__in=barring)), kind=kind)
    return Exists(items)
