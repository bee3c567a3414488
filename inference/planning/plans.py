"""The subjects of each kind of run, with the input of each. Loads no model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import OuterRef, Q, QuerySet, Subquery

from annotate.corpus.precedence import current_captions
from annotate.models import Caption, CaptionRank, Clip, Project, Video
from inference.models import InferenceRun, QualityScore, Segmentation, VideoTheme
from inference.planning.left_out import all_left_out_sentence
from inference.planning.options import EmbedOptions
from inference.planning.recipes import hash_of, scored_kind
from inference.planning.themes import told_theme, told_themes
from inference.queries import (
    clips_to_describe,
    clips_to_embed,
    current_captions_of,
    cut_videos,
    searched_captions,
)
from inference.recipes import Recipe, RefineRecipe

Kind = InferenceRun.Kind


@dataclass(frozen=True)
class Subject:
    """`field` names the RunItem field of the subject; `length` orders the work. `theme` is the key
    of the VideoTheme given to the model.
    """

    field: str
    pk: int
    length: int
    inputs: tuple[object, ...]
    theme: int | None = None


def subjects_of(project: Project, recipe: Recipe) -> Iterator[Subject]:
    return _PLANS[recipe.kind](project, recipe)


def has_subjects(project: Project, recipe: Recipe) -> bool:
    """Return whether a run has a subject, without reading all of them."""
    match recipe.kind:
        case Kind.REFINE:
            return _below_threshold(project, recipe).exists()
        case Kind.FUSE:
            return cut_videos(project).exists()
        case Kind.SCORE:
            return current_captions_of(project, scored_kind(recipe)).exists()
    return next(subjects_of(project, recipe), None) is not None


def nothing_to_do(project: Project, recipe: Recipe, only_missing: bool) -> str:
    """Return what must be done before a run of this recipe has a subject."""
    if only_missing:
        return "Nothing is missing. Start a run that isn’t limited to what is missing."
    if everything := all_left_out_sentence(project, recipe):
        return everything
    if (
        isinstance(recipe, RefineRecipe)
        and project.quality_scores.filter(scorer=recipe.scorer).exists()
    ):
        return f"Every scored caption reaches {recipe.threshold:g}. Nothing to refine."
    return {
        Kind.SEGMENT: "No videos yet. Import videos first.",
        Kind.THEME: "No videos yet to name themes for. Import videos first.",
        Kind.CAPTION: "No clips yet. Import videos first.",
        Kind.EMBED: "Nothing to embed yet. Import videos, or run captions first.",
        Kind.SCORE: _NOTHING_TO_SCORE[scored_kind(recipe)],
        Kind.REFINE: "No caption has a score made this way. Run score with the same model and "
        "settings first.",
        Kind.FUSE: "No video is cut into clips yet. Run segmentation and captions first.",
    }[Kind(recipe.kind)]


_NOTHING_TO_SCORE: Mapping[str, str] = {
    Caption.Kind.GENERAL: "No clip has a caption yet. Run captions first.",
    Caption.Kind.FULL_VIDEO: "No video has a caption of the whole video yet. Run fuse first.",
}


def _segment(project: Project, recipe: Recipe) -> Iterator[Subject]:
    """Yield the videos. Their current clips are part of the input, so that a video is cut again if
    other settings have cut it since.
    """
    others = Segmentation.objects.filter(video=OuterRef("pk")).exclude(
        item__run__recipe_hash=hash_of(recipe)
    )
    videos = Video.objects.filter(project=project).annotate(
        cut_otherwise=Subquery(others.order_by("-pk").values("pk")[:1])
    )
    for video in videos.only("frames", "sha256").order_by("pk").iterator():
        inputs = ("video", video.pk, video.sha256, video.cut_otherwise or 0)
        yield Subject("video", video.pk, video.frames, inputs)


def _theme(project: Project, recipe: Recipe) -> Iterator[Subject]:
    """Yield the videos. The newest theme by another recipe is part of the input, so that a video is
    named again if that recipe has named it since.
    """
    others = VideoTheme.objects.filter(video=OuterRef("pk"), author=None).exclude(
        item__run__recipe_hash=hash_of(recipe)
    )
    videos = Video.objects.filter(project=project, excluded_because="").annotate(
        named_otherwise=Subquery(others.order_by("-pk").values("pk")[:1])
    )
    for video in videos.only("frames", "sha256").order_by("pk").iterator():
        inputs = ("video", video.pk, video.sha256, video.named_otherwise or 0)
        yield Subject("video", video.pk, video.frames, inputs)


def _caption(project: Project, recipe: Recipe) -> Iterator[Subject]:
    themes = told_themes(project, recipe)
    for clip in clips_to_describe(project).order_by("pk").iterator():
        theme = themes.get(clip.video_id)
        theme_told = told_theme(clip.video, theme) if recipe.stated.use_theme else ""
        inputs = (*_pictures(clip), theme_told)
        yield Subject("clip", clip.pk, clip.frames, inputs, theme.pk if theme else None)


def _embed(project: Project, recipe: Recipe) -> Iterator[Subject]:
    options = EmbedOptions.parse(recipe.options)
    if not options.caption_kind:
        clips = cut_videos(project) if options.of == "videos" else clips_to_embed(project)
        for clip in clips.order_by("pk").iterator():
            yield Subject("clip", clip.pk, clip.frames, _pictures(clip))
        return
    captions = searched_captions(project, options.caption_kind)
    for caption in captions.order_by("pk").only("word_count").iterator():
        yield Subject("caption", caption.pk, caption.word_count, ("caption", caption.pk))


def _score(project: Project, recipe: Recipe) -> Iterator[Subject]:
    """Yield the captions to score, also of whole videos, of which no clip is too short."""
    captions = current_captions_of(project, scored_kind(recipe)).select_related("clip__video")
    fields = ("clip__video__sha256", "clip__start_frame", "clip__end_frame")
    for caption in captions.order_by("pk").only(*fields).iterator():
        inputs = ("caption", caption.pk, *_pictures(caption.clip))
        yield Subject("caption", caption.pk, caption.clip.frames, inputs)


def _below_threshold(project: Project, recipe: Recipe) -> QuerySet[QualityScore]:
    assert isinstance(recipe, RefineRecipe)
    return QualityScore.objects.filter(
        project=project,
        scorer=recipe.scorer,
        value__lt=recipe.threshold,
        # A caption that a person wrote, verified or chose is never given to a model again.
        caption__source=Caption.Source.MACHINE,
        caption__in=current_captions(clips_to_describe(project)),
    ).exclude(
        Q(caption__given__because=CaptionRank.Because.VERIFIED) | Q(caption__given__is_chosen=True)
    )


def _refine(project: Project, recipe: Recipe) -> Iterator[Subject]:
    below = _below_threshold(project, recipe)
    themes = told_themes(project, recipe)
    for score in below.select_related("clip__video").order_by("value", "pk").iterator():
        theme = themes.get(score.clip.video_id)
        inputs = (*_pictures(score.clip), "caption", score.caption_id)
        if theme:
            inputs = (*inputs, theme.text)
        key = theme.pk if theme else None
        yield Subject("clip", score.clip_id, score.clip.frames, inputs, key)


def _fuse(project: Project, recipe: Recipe) -> Iterator[Subject]:
    """Yield videos that are cut into clips, with the captions in the clips' order as input."""
    clips = clips_to_describe(project).order_by("video", "start_frame", "pk")
    newest = dict(current_captions(clips).values_list("clip", "pk"))
    inputs: dict[int, list[int]] = {}
    for clip in clips.iterator():
        if clip.frames < clip.video.frames:
            inputs.setdefault(clip.video_id, []).append(newest.get(clip.pk, 0))
    for video, captions in inputs.items():
        yield Subject("video", video, len(captions), ("video", video, *captions))


def _pictures(clip: Clip) -> tuple[object, ...]:
    return "clip", clip.pk, clip.video.sha256, clip.start_frame, clip.end_frame


_PLANS: Mapping[str, Callable[[Project, Recipe], Iterator[Subject]]] = {
    Kind.SEGMENT: _segment,
    Kind.THEME: _theme,
    Kind.CAPTION: _caption,
    Kind.EMBED: _embed,
    Kind.SCORE: _score,
    Kind.REFINE: _refine,
    Kind.FUSE: _fuse,
}
