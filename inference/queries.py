"""Reads that cross models: what runs work on, and how far they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from django.db.models import Count, Exists, F, Max, Q, QuerySet

from annotate.corpus.clip_limits import too_small
from annotate.corpus.pieces import clips_in_benchmark, other_clips, pieces_of
from annotate.corpus.precedence import current_captions, only_outdated
from annotate.models import Caption, Clip, Project, Video
from inference.models import (
    InferenceRun,
    ModelSpec,
    QualityScore,
    QualityThreshold,
    RunItem,
    VideoTheme,
)
from inference.recipes import Recipe

# The SQL parameters of one statement are limited on SQLite.
BATCH_SIZE = 500
DEFAULT_THRESHOLD = 0.2  # LoVR, section 3.2.2, if no threshold is adopted


def clips_to_describe(project: Project) -> QuerySet[Clip]:
    """Return the clips that models and people describe: `pieces_of` its videos that are long and
    large enough for the project."""
    return pieces_of(project).exclude(too_small(project))


def clips_to_embed(project: Project) -> QuerySet[Clip]:
    """Return the clips whose pictures are embedded: the described ones; in TF-CoVR, where labels
    describe them, clips of any length."""
    return clips_in_benchmark(project)


def current_captions_of(project: Project, kind: str) -> QuerySet[Caption]:
    """Return the current caption of this kind of each described clip or each whole video."""
    if kind == Caption.Kind.FULL_VIDEO:
        kept = Clip.objects.filter(project=project, video__excluded_because="", excluded_because="")
        return current_captions(kept, kind)
    return current_captions(clips_to_describe(project), kind)


def searched_captions(project: Project, kind: str) -> QuerySet[Caption]:
    """Return the captions of a kind that are embedded and searched for: the current ones and, of
    general ones, also the further texts that a published data set has about the same clip.
    """
    current = current_captions_of(project, kind)
    further = Caption.objects.filter(project=project, kind=Caption.Kind.REFERENCE)
    if kind != Caption.Kind.GENERAL or not further.exists():
        return current
    beside_current = further.filter(parents__in=current.values("pk"))
    return Caption.objects.filter(
        Q(pk__in=current.values("pk")) | Q(pk__in=beside_current.values("pk"))
    )


def outdated_videos(project: Project) -> int:
    """Count videos whose caption was made from captions that have been replaced."""
    return only_outdated(current_captions_of(project, Caption.Kind.FULL_VIDEO)).count()


def cut_videos(project: Project) -> QuerySet[Clip]:
    """Return the clips that span a video which is cut into others; none of an excluded video."""
    return (
        _wholes(project)
        .filter(Exists(other_clips()), video__excluded_because="", excluded_because="")
        .select_related("video")
        .defer("video__probe", "video__shots", "video__filmstrip")
    )


def whole_videos(project: Project) -> QuerySet[Clip]:
    """Return the clip that spans each video, cut or not; none of an excluded video."""
    return _wholes(project).filter(video__excluded_because="", excluded_because="")


def _wholes(project: Project) -> QuerySet[Clip]:
    return Clip.objects.filter(project=project, start_frame=0, end_frame=F("video__frames"))


def whole_clip(video: Video | None) -> Clip:
    """Return the clip that spans the video; every video has one."""
    assert video is not None
    return Clip.objects.get(video=video, start_frame=0, end_frame=video.frames)


def current_themes(project: Project) -> dict[int, VideoTheme]:
    """Return the current themes by video."""
    themes: dict[int, VideoTheme] = {}
    for theme in VideoTheme.objects.filter(project=project).current_first():
        themes.setdefault(theme.video_id, theme)
    return themes


def current_theme(video: Video) -> VideoTheme | None:
    themes = VideoTheme.objects.filter(video=video).current_first()
    return themes.select_related("author", "item__run__model").first()


def lineage(
    project: Project | int, model: ModelSpec | int | None, recipe: Recipe
) -> QuerySet[InferenceRun]:
    """Return the runs of this model, of the recipe's kind and over the same kind of subject. Only
    results of the newest recipe are up to date."""
    runs = InferenceRun.objects.filter(project=project, kind=recipe.kind, model=model)
    of = recipe.stated.of
    return (
        runs.filter(recipe__options__of=of) if of else runs.filter(recipe__options__of__isnull=True)
    )


def current_threshold(project: Project, scorer: str) -> QualityThreshold | None:
    return QualityThreshold.objects.filter(project=project, scorer=scorer).order_by("-id").first()


def adopted_thresholds(project: Project) -> dict[str, list[QualityThreshold]]:
    """Return the adopted thresholds by scorer, newest first."""
    thresholds: dict[str, list[QualityThreshold]] = {}
    rows = QualityThreshold.objects.filter(project=project).select_related("adopted_by")
    for row in rows.order_by("-id"):
        thresholds.setdefault(row.scorer, []).append(row)
    return thresholds


class Scorer(TypedDict):
    """A way of scoring, with the kind of the captions that it scores, how many scores it gave, and
    the key of the last one."""

    scorer: str
    scorer_name: str
    kind: str
    count: int
    last: int


def scorers_of(project: Project) -> list[Scorer]:
    """Return each scorer that the project has scores of, the last used first."""
    return list(
        QualityScore.objects.filter(
            project=project, clip__video__excluded_because="", clip__excluded_because=""
        )
        .values("scorer", "scorer_name")
        .annotate(kind=Max("caption__kind"), count=Count("pk"), last=Max("pk"))
        .order_by("-last")
    )


def items_with_replaced_parts(run: InferenceRun) -> QuerySet[RunItem]:
    """Return the items of a fuse run with a caption made from one that is no longer current."""
    if run.kind != InferenceRun.Kind.FUSE:
        return RunItem.objects.none()
    made = Caption.objects.filter(made_by_items__run=run, kind=Caption.Kind.FULL_VIDEO)
    return run.items.filter(state=RunItem.State.DONE, result__in=only_outdated(made).values("pk"))


def excluded_items(runs: Iterable[InferenceRun]) -> QuerySet[RunItem]:
    """Return the items of segment runs that excluded their video, including reused results."""
    excluded = Q(segmentation__is_kept=False) | Q(reused__segmentation__is_kept=False)
    return RunItem.objects.filter(excluded, run__in=[run.pk for run in runs])


def excluded_counts(runs: Iterable[InferenceRun]) -> dict[int, int]:
    """Return how many videos each segment run excluded. No query without segment runs."""
    segmented = [run for run in runs if run.kind == InferenceRun.Kind.SEGMENT]
    if not segmented:
        return {}
    items = excluded_items(segmented).order_by()
    return dict(items.values_list("run").annotate(n=Count("pk")))
