"""Clips that are too short or too small to be written about, by the project's settings."""

from __future__ import annotations

from annotate.models import Clip, Project


def reason_too_small(clip: Clip, project: Project) -> str:
    """Return why nobody is to write about the clip, empty where people may.

    The clip comes with its video.
    """
    seconds, side = clip.duration_ms / 1000, min(clip.video.width, clip.video.height)
    if seconds < project.min_clip_seconds:
        return f"{seconds:.2f} s long; the project's clips have {project.min_clip_seconds:g} s."
    if side < project.min_frame_side:
        return f"{side} pixels on the shorter side; the project asks for {project.min_frame_side}."
    return ""
