"""The clips that a run leaves out because they are too short or too small for the project."""

from __future__ import annotations

from annotate.corpus.clip_limits import shorter_than, too_small
from annotate.corpus.pieces import pieces_of
from annotate.models import Project
from inference.models import InferenceRun
from inference.recipes import Recipe
from inference.words import counted

Kind = InferenceRun.Kind
CLIPS = ("clip", "clips")


def left_out_sentence(project: Project, recipe: Recipe) -> str:
    """Return a sentence on how many clips the run leaves out, and why; "" if it leaves out none or
    all.
    """
    if not _is_limited(project, recipe):
        return ""
    total, reasons = _count_small(project)
    if not total or total == pieces_of(project).count():
        return ""
    verb = "is" if total == 1 else "are"
    return f"{counted(total, CLIPS)} {verb} left out by the project's limits: {reasons}."


def all_left_out_sentence(project: Project, recipe: Recipe) -> str:
    """Return why the run leaves out every clip, empty if a clip remains or none exists."""
    if not _is_limited(project, recipe):
        return ""
    total, reasons = _count_small(project)
    if not total or total < pieces_of(project).count():
        return ""
    return (
        f"The project's limits leave out every clip: {reasons}. Lower them under Settings, or "
        "import other videos."
    )


def _count_small(project: Project) -> tuple[int, str]:
    """Return how many clips are too short or too small, and how many for which reason."""
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
    is_labelled = of == "clips" and project.protocol == Project.Protocol.TFCOVR
    return of not in {"videos", "full_video"} and not is_labelled
