"""Undecided videos, which a caption run would describe too early (LoVR, appendix B.1)."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.dynamics.queries import undecided_videos, unjudged_videos
from annotate.models import Project
from inference.models import InferenceRun, RunItem
from inference.planning.due import keys_in_scope
from inference.planning.recipes import hash_of
from inference.queries import clips_to_describe
from inference.recipes import Recipe
from inference.words import counted

VIDEOS = ("video", "videos")


@dataclass(frozen=True)
class Undecided:
    """Videos that a caption run would describe although people disagree whether they are dynamic
    (`videos`) or before two people have judged them (`unjudged`).
    """

    videos: int = 0
    unjudged: int = 0

    @property
    def sentence(self) -> str:
        if self.videos == 1:
            return (
                "1 video is undecided: people disagree whether it is dynamic. If it is left out "
                "later, its captions are not used."
            )
        return (
            f"{self.videos:,} videos are undecided: people disagree whether they are dynamic. "
            "If they are left out later, their captions are not used."
        )

    @property
    def unjudged_sentence(self) -> str:
        if not self.unjudged:
            return ""
        wait, are = ("waits", "It is") if self.unjudged == 1 else ("wait", "They are")
        return (
            f"{counted(self.unjudged, VIDEOS)} still {wait} for the dynamics check. "
            f"{are} described all the same."
        )


NONE_UNDECIDED = Undecided()


def undecided_to_caption(project: Project, recipe: Recipe, scope: str = "") -> Undecided:
    """Count the videos with a clip that a caption run of this recipe hasn't described yet."""
    if recipe.kind != InferenceRun.Kind.CAPTION or "dynamics" not in project.pipeline.keys:
        return NONE_UNDECIDED
    done = RunItem.objects.filter(
        run__project=project, run__recipe_hash=hash_of(recipe), state=RunItem.State.DONE
    )
    left = clips_to_describe(project).exclude(pk__in=done.values("clip")).order_by()
    if scope:
        left = left.filter(pk__in=set(keys_in_scope(project, recipe, scope)))
    videos = left.values("video").distinct()
    return Undecided(
        videos.filter(video__in=undecided_videos(project).values("pk")).count(),
        videos.filter(video__in=unjudged_videos(project).values("pk")).count(),
    )
