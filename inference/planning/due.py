"""What the steps of models still have to do: the subjects that a proposed run works on, and that
the board counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from django.db.models import Exists, OuterRef, QuerySet

from annotate.corpus.precedence import only_outdated
from annotate.models import Caption, Clip, Project, Video, WorkItem
from inference.errors import InferenceError
from inference.models import InferenceRun, QualityScore, RunItem, Segmentation, VideoTheme
from inference.planning.plans import Subject
from inference.planning.recipes import hash_of, scored_kind, scorer_recipe
from inference.queries import clips_to_describe, current_captions_of, cut_videos
from inference.recipes import Recipe, ScoreRecipe

Kind = InferenceRun.Kind
EVERYTHING, MISSING, OUTDATED, FEW = "", "missing", "outdated", "few"
# Enough to see what a model writes and what an item costs.
CLIPS_TO_TRY = 5


def uncut_videos(project: Project) -> QuerySet[Video]:
    """Return the videos of the benchmark that no segment run has read."""
    runs = Segmentation.objects.filter(video=OuterRef("pk"))
    return Video.objects.filter(~Exists(runs), project=project, excluded_because="")


def videos_left_out_by_cutting(project: Project) -> QuerySet[Video]:
    """Return the videos that are left out for the reason that a segment run gave."""
    runs = Segmentation.objects.filter(
        video=OuterRef("pk"), excluded_because=OuterRef("excluded_because")
    )
    return Video.objects.filter(Exists(runs), project=project).exclude(excluded_because="")


def unthemed_videos(project: Project) -> QuerySet[Video]:
    themes = VideoTheme.objects.filter(video=OuterRef("pk"))
    return Video.objects.filter(~Exists(themes), project=project, excluded_because="")


def clips_without_caption(project: Project) -> QuerySet[Clip]:
    """Return the clips that a model should describe: no caption, and nobody is to write one."""
    captions = Caption.objects.filter(clip=OuterRef("pk"), kind=Caption.Kind.GENERAL)
    return clips_to_describe(project).filter(~Exists(captions), ~Exists(_by_hand("pk")))


def outdated_captions(project: Project, kind: str = Kind.CAPTION) -> QuerySet[Caption]:
    """Return the current captions of clips that a run of this kind made and that are out of date,
    except of clips that people are to describe by hand."""
    made = stale_items(kind).filter(result=OuterRef("pk"))
    by_hand = _by_hand("clip")
    captions = current_captions_of(project, Caption.Kind.GENERAL)
    return captions.filter(Exists(made), ~Exists(by_hand), source=Caption.Source.MACHINE)


def stale_items(kind: str) -> QuerySet[RunItem]:
    items = RunItem.objects.filter(run__kind=kind, state=RunItem.State.DONE)
    return items.exclude(stale_because="")


def unfused_videos(project: Project) -> QuerySet[Clip]:
    """Return the whole clip of each cut video without a caption of the whole video."""
    captions = Caption.objects.filter(clip=OuterRef("pk"), kind=Caption.Kind.FULL_VIDEO)
    return cut_videos(project).filter(~Exists(captions))


def outdated_fusions(project: Project) -> QuerySet[Caption]:
    """Return the current machine captions of whole videos whose parts have been replaced."""
    current = current_captions_of(project, Caption.Kind.FULL_VIDEO)
    return only_outdated(current.filter(source=Caption.Source.MACHINE))


def in_scope(
    project: Project, recipe: Recipe, scope: str, subjects: Iterable[Subject]
) -> list[Subject]:
    """Return the subjects in this scope. Raises InferenceError for a scope that the kind lacks."""
    refuse_scope(recipe.kind, scope)
    if scope == EVERYTHING:
        return list(subjects)
    keys = set(keys_in_scope(project, recipe, scope))
    return [subject for subject in subjects if subject.pk in keys]


def keys_in_scope(project: Project, recipe: Recipe, scope: str) -> Iterable[int]:
    """Return the keys of the subjects in a scope of the recipe's kind."""
    return SCOPES[recipe.kind][scope](project, recipe)


def refuse_scope(kind: str, scope: str) -> None:
    if scope and scope not in SCOPES.get(kind, {}):
        raise InferenceError(f"A {kind} run can’t be limited to {scope!r}.")


def _by_hand(clip: str) -> QuerySet[WorkItem]:
    """Return the open work to describe a clip by hand; `clip` is its field in the outer query."""
    return WorkItem.objects.filter(clip=OuterRef(clip), kind="hand", state=WorkItem.State.OPEN)


def _unscored(project: Project, recipe: Recipe) -> Iterable[int]:
    assert isinstance(recipe, ScoreRecipe)
    scores = QualityScore.objects.filter(
        caption=OuterRef("pk"), scorer=hash_of(scorer_recipe(recipe))
    )
    captions = current_captions_of(project, scored_kind(recipe)).filter(
        ~Exists(scores), source=Caption.Source.MACHINE
    )
    return captions.order_by().values_list("pk", flat=True)


def _unrefined(project: Project, recipe: Recipe) -> Iterable[int]:
    given_up = WorkItem.objects.filter(clip=OuterRef("pk"), kind="hand")
    return clips_to_describe(project).filter(~Exists(given_up)).values_list("pk", flat=True)


Keys = Callable[[Project, Recipe], Iterable[int]]
SCOPES: Mapping[str, Mapping[str, Keys]] = {
    Kind.SEGMENT: {MISSING: lambda project, _: uncut_videos(project).values_list("pk", flat=True)},
    Kind.THEME: {MISSING: lambda project, _: unthemed_videos(project).values_list("pk", flat=True)},
    Kind.CAPTION: {
        MISSING: lambda project, _: clips_without_caption(project).values_list("pk", flat=True),
        OUTDATED: lambda project, _: outdated_captions(project).values_list("clip", flat=True),
        FEW: lambda project, _: (
            clips_to_describe(project).order_by("pk").values_list("pk", flat=True)[:CLIPS_TO_TRY]
        ),
    },
    Kind.SCORE: {MISSING: _unscored},
    Kind.REFINE: {MISSING: _unrefined},
    Kind.FUSE: {
        MISSING: lambda project, _: unfused_videos(project).values_list("video", flat=True),
        OUTDATED: lambda project, _: outdated_fusions(project).values_list(
            "clip__video", flat=True
        ),
    },
}
