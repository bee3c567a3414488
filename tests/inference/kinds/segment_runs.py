"""Runs that segment one film of four scenes."""

from __future__ import annotations

from typing import Any

from annotate.models import Project, Video
from inference.models import InferenceRun
from tests.inference.cast import run_through, start_run
from tests.inference.scenes import keep_scenes

CUTS, FRAMES = (30, 60, 100), 130
SHORT = {"min_video_seconds": 0, "min_scene_seconds": 0.4, "min_clips": 3}
FOUR = [(0, 30), (30, 60), (60, 100), (100, 130)]
# Only the last cut is at least 32 frames after the one before.
LONGER = {"min_scene_seconds": 1.3, "min_clips": 2}
TWO = [(0, 100), (100, 130)]


def keep_walk(project: Project) -> Video:
    return keep_scenes(project, cuts=CUTS, frames=FRAMES, original_name="city walk.mp4")


def segmented(project: Project, **options: Any) -> InferenceRun:
    run = start_run(project=project, kind="segment", options={**SHORT, **options})
    return run_through(run)


def ranges(video: Video) -> list[tuple[int, int]]:
    """Of the clips besides the one that spans the video."""
    parts = video.clips.exclude(start_frame=0, end_frame=video.frames)
    return list(parts.order_by("start_frame", "pk").values_list("start_frame", "end_frame"))


def note(run: InferenceRun) -> str:
    return run.items.get().note
