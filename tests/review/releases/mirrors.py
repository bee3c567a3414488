"""Another project with the same videos and clips, and nothing that people or models made."""

from __future__ import annotations

from annotate.models import ActionLabel, Clip, Project, Video
from tests.cast import make_project
from tests.inference.segmented import segment


def mirror(project: Project, name: str = "Mirror", *, has_labels: bool = False) -> Project:
    other = make_project(name, protocol=project.protocol)
    keys = ("key", "caption", "domain", "event")
    labels = {
        label.pk: ActionLabel.objects.create(
            project=other, **{field: getattr(label, field) for field in keys}
        )
        for label in (
            ActionLabel.objects.filter(project=project).order_by("pk") if has_labels else ()
        )
    }
    for video in Video.objects.filter(project=project).order_by("pk"):
        clips = list(video.clips.order_by("pk"))
        cuts = sorted(
            clip.start_frame for clip in clips if project.protocol == "lovr" and not spans(clip)
        )
        video.pk, video.project, video._state.adding = None, other, True
        video.category = video.subcategory = video.split = ""
        video.save()
        for clip in clips:
            if (cuts and not spans(clip)) or (clip.label_id and not has_labels):
                continue
            label = labels.get(clip.label_id)
            clip.pk, clip.project, clip.video, clip.label = None, other, video, label
            clip._state.adding = True
            clip.save()
        if cuts:
            segment(video, cuts, min_video_seconds=0, min_clips=1)
    return other


def spans(clip: Clip) -> bool:
    return bool(clip.start_frame == 0 and clip.end_frame == clip.video.frames)
