"""Clips that are too short or too small to be described, by the project's settings."""

from __future__ import annotations

import math

from django.db.models import Q

from annotate.models import Clip, Project


def reason_too_small(clip: Clip, project: Project) -> str:
    """Return why neither people nor models should describe the clip; empty if they may.

    The clip comes with its video.
    """
    seconds, side = clip.duration_ms / 1000, min(clip.video.width, clip.video.height)
    if clip.duration_ms < _least_ms(project.min_clip_seconds):
        return f"{seconds:.2f} s long; the project's clips have {project.min_clip_seconds:g} s."
    if side < project.min_frame_side:
        return f"{side} pixels on the shorter side; the project asks for {project.min_frame_side}."
    return ""


def too_small(project: Project) -> Q:
    """Match the clips that have a `reason_too_small`."""
    return under_limits(project.min_clip_seconds, project.min_frame_side)


def under_limits(min_seconds: float, min_side: int) -> Q:
    """Match the clips that are too short or too small under these limits."""
    return shorter_than(min_seconds) | Q(video__width__lt=min_side) | Q(video__height__lt=min_side)


def shorter_than(seconds: float) -> Q:
    return Q(duration_ms__lt=_least_ms(seconds))


def _least_ms(seconds: float) -> int:
    """Return the smallest whole number of milliseconds of this length; float products are slightly
    off.
    """
    return math.ceil(round(seconds * 1000, 6))
