"""Have the demo's admin take a clip down and undo it, and take down another video."""

from __future__ import annotations

from annotate.models import Project, User
from review.frozen.takedowns import Takedown
from review.management.past import days_ago
from review.takedowns.services import take_down, undo_takedown

UNDONE, TAKEN_DOWN = "bikes.mp4", "carphone_pristine.mp4"
NOTES = {
    UNDONE: "Simulated: taken down until the license of its package was read.",
    TAKEN_DOWN: "Simulated: its package doesn’t name the license of this clip.",
}


def take_down_videos(*, project: Project, admin: User) -> None:
    """Take both videos down and undo the first, unless something was taken down before. Skip videos
    that the project lacks."""
    if project.takedowns.exists():
        return
    videos = {
        video.original_name: video for video in project.videos.filter(original_name__in=NOTES)
    }
    for name, ago in ((UNDONE, 5), (TAKEN_DOWN, 1.5)):
        if name not in videos:
            continue
        with days_ago(ago):
            takedown = take_down(
                project=project,
                what=Takedown.What.VIDEO,
                key=videos[name].pk,
                reason=Takedown.Reason.LICENSE,
                note=NOTES[name],
                admin=admin,
            )
        if name == UNDONE:
            with days_ago(ago - 1):
                undo_takedown(takedown=takedown, admin=admin)
