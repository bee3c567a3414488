"""Which theme a model is given for the video of a clip (LoVR, section 3.3)."""

from __future__ import annotations

from collections.abc import Collection

from annotate.models import Caption, Project, Video
from inference.models import InferenceRun, VideoTheme
from inference.queries import clips_to_describe, current_captions_of, current_themes
from inference.recipes import Recipe, try_recipe
from inference.registry import backend_info
from inference.words import counted

Kind = InferenceRun.Kind
VIDEOS = ("video", "videos")
# Kinds whose prompt can contain the theme.
THEMED = (Kind.CAPTION, Kind.REFINE)


def tells_theme(recipe: Recipe) -> bool:
    """Return whether a model of the run has a prompt with the theme."""
    return bool(recipe.stated.use_theme) and any(
        backend_info(model.backend).reads_prompt for model in recipe.writers
    )


def told_themes(project: Project, recipe: Recipe) -> dict[int, VideoTheme]:
    """Return the themes that the run gives to models, by video; {} if it gives none."""
    return current_themes(project) if tells_theme(recipe) else {}


def told_theme(video: Video, theme: VideoTheme | None) -> str:
    """Return the text given to a model: the video's theme, or its category without a theme."""
    if theme is not None:
        return theme.text
    return ", ".join(part.replace("_", " ") for part in (video.category, video.subcategory) if part)


def captions_told_otherwise(project: Project, videos: Collection[int] | None = None) -> int:
    """Return how many current model captions a new theme of these videos, or of all without a
    theme, makes out of date: their model was given another theme, or none.
    """
    themed = InferenceRun.objects.filter(project=project, kind__in=THEMED)
    runs = [
        pk
        for pk, stored in themed.values_list("pk", "recipe")
        if (recipe := try_recipe(stored)[0]) and tells_theme(recipe)
    ]
    if not runs:
        return 0
    captions = current_captions_of(project, Caption.Kind.GENERAL).filter(
        made_by_items__run__in=runs, made_by_items__stale_because=""
    )
    if videos is None:
        themes = VideoTheme.objects.filter(project=project)
        captions = captions.exclude(clip__video__in=themes.values("video"))
    else:
        captions = captions.filter(clip__video__in=videos)
    return captions.distinct().count()


def themes_sentence(project: Project, recipe: Recipe) -> str:
    """Return a sentence on what a caption run tells models about the videos, or which themes a
    theme run keeps.
    """
    if recipe.kind == Kind.THEME:
        themes = current_themes(project).values()
        number = sum(theme.author_id is not None for theme in themes)
        stay = "stays" if number == 1 else "stay"
        return f"{counted(number, ('theme', 'themes'))} given by people {stay}." if number else ""
    if recipe.kind not in THEMED or not tells_theme(recipe):
        return ""
    videos = set(clips_to_describe(project).order_by().values_list("video", flat=True))
    without = len(videos - set(current_themes(project)))
    if not without:
        return f"The model is told the theme of {counted(len(videos), VIDEOS)}."
    return (
        f"{counted(without, VIDEOS)} of {len(videos):,} without a theme: the model is told the "
        "category instead. Run theme first to have a model name them."
    )
