"""Names of a release's clips and videos in LoVR's and TF-CoVR's files."""

from __future__ import annotations

from django.db.models import F

from annotate.models import Clip
from review.frozen.models import Release, ReleasedScene, scene_id


def scene_clips_by_name(release: Release) -> dict[str, int]:
    """Return the clips that the videos of the release are cut into."""
    rows = ReleasedScene.objects.filter(video__release=release).order_by()
    return {
        scene_id(vid, number): clip
        for vid, number, clip in rows.values_list("video__vid", "number", "clip")
    }


def triplet_clips_by_name(release: Release) -> dict[str, int]:
    """Return the clips of a release in TF-CoVR's form."""
    return dict(release.triplet_clips.order_by().values_list("name", "clip"))


def whole_clips_by_name(release: Release) -> dict[str, int]:
    """Return the clips that span the videos of the release, by `vid`."""
    vids = dict(release.videos.order_by().values_list("video", "vid"))
    wholes = Clip.objects.filter(
        video__in=release.videos.order_by().values("video"),
        start_frame=0,
        end_frame=F("video__frames"),
    )
    return {vids[video]: pk for pk, video in wholes.order_by().values_list("pk", "video")}
