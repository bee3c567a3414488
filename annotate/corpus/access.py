"""Access to clips and videos, without what is hidden from people who could still work on them."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied

from annotate import access
from annotate.access import UserRequest
from annotate.clips_to_do import hide, hide_videos, hides_progress_of
from annotate.models import Clip, Membership, Video

TO_DO = "You could still be asked to work on a clip of this video. Its pages open after that."


def clip(request: UserRequest, slug: str, clip_id: int) -> tuple[Membership, Clip, bool]:
    """Return the person's membership, the clip, and whether its progress and texts are hidden from
    them."""
    membership, clip = access.clip(request, slug, clip_id)
    return membership, clip, bool(hide(membership, [clip]))


def video(request: UserRequest, slug: str, video_id: int) -> Video:
    video = access.video(request, slug, video_id)
    hide_videos(access.member(request, slug), [video])
    return video


def opened_video(request: UserRequest, slug: str, video_id: int) -> tuple[Membership, Video]:
    """Return a video for the page about its clips and their progress; 403 if that of one of them
    is hidden."""
    membership = access.member(request, slug)
    video = access.video(request, slug, video_id)
    if hides_progress_of(membership, video):
        raise PermissionDenied(TO_DO)
    hide_videos(membership, [video])
    return membership, video
