"""The clips that a run leaves out because they are too short or too small for the project."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from annotate.corpus.clip_limits import shorter_than, too_small
from annotate.corpus.pieces import pieces_of
from annotate.models import Project, Video
from inference.models import InferenceRun
from inference.planning.options import SegmentOptions
from inference.recipes import Recipe
from inference.segmentation import spoken, too_short
from inference.words import counted

Kind = InferenceRun.Kind
CLIPS = ("clip", "clips")


def left_out_sentence(project: Project, recipe: Recipe) -> str:
    """Return a sentence on how many clips the run leaves out, and why; "" if it leaves out none or
    all.
    """
    if not _is_limited(project, recipe):
        return ""
    total, reasons = small_clips(project)
    if not total or total == pieces_of(project).count():
        return ""
    verb = "is" if total == 1 else "are"
    return f"{counted(total, CLIPS)} {verb} left out by the project's limits: {reasons}."


def all_left_out_sentence(project: Project, recipe: Recipe) -> str:
    """Return why the run leaves out every clip, empty if a clip remains or none exists."""
    if not _is_limited(project, recipe):
        return ""
    total, reasons = small_clips(project)
    if not total or total < pieces_of(project).count():
        return ""
    return (
        f"The project's limits leave out every clip: {reasons}. Lower them under Settings, or "
        "import other videos."
    )


def left_out_by_cutting(recipe: Recipe, videos: Sequence[int]) -> str:
    """Return which of these videos a segment run leaves out; "" for another kind."""
    if recipe.kind != Kind.SEGMENT or not videos:
        return ""
    options = SegmentOptions.parse(recipe.options)
    rows = Video.objects.only("frames", "fps_num", "fps_den").in_bulk(videos)
    number = sum(
        bool(too_short(video.duration, options.min_video_seconds)) for video in rows.values()
    )
    fewer = (
        f"Videos that are cut into fewer than {options.min_clips} clips are left out, too."
        if options.min_clips > 1
        else ""
    )
    if not number:
        return fewer
    if number < len(rows):
        which = f"{number:,} of these {len(rows):,} videos"
    else:
        which = "This video" if number == 1 else f"All {number:,} videos"
    least = spoken(Fraction(options.min_video_seconds))
    verb, it = ("is", "it") if number == 1 else ("are", "them")
    return (
        f"{which} {verb} shorter than {least}, and the run leaves {it} out. To keep {it}, lower "
        f"“Shortest video” under Settings. {fewer}"
    ).rstrip()


def small_clips(project: Project) -> tuple[int, str]:
    """Return how many clips are too short or too small for the project, and how many for which
    reason. One query, and two if there are any.
    """
    small = pieces_of(project).filter(too_small(project)).order_by()
    total = small.count()
    if not total:
        return 0, ""
    short = small.filter(shorter_than(project.min_clip_seconds)).count()
    reasons = []
    if short:
        reasons.append(f"{short:,} shorter than {project.min_clip_seconds:g} s")
    if total > short:
        side = project.min_frame_side
        reasons.append(f"{total - short:,} with under {side} pixels on the shorter side")
    return total, ", ".join(reasons)


def _is_limited(project: Project, recipe: Recipe) -> bool:
    of = recipe.stated.of
    if recipe.kind != Kind.EMBED:
        return recipe.kind != Kind.SEGMENT and of != "full_video"
    has_no_limits = of == "clips" and "clip_limits" not in project.pipeline.keys
    return of not in {"videos", "full_video"} and not has_no_limits
