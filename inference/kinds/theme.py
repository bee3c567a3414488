"""The theme of each whole video, named by a captioner (LoVR, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.errors import ItemFailed
from annotate.jobs.kinds import BatchWork, Outcome
from annotate.models import Video
from inference.backends.protocols import (
    Captioner,
    CaptionRequest,
    ClipFrames,
    ModelSettings,
    ThemeNamer,
)
from inference.backends.replies import reasoning_of
from inference.kinds.captions import showable
from inference.kinds.pictures import ClipSource
from inference.loading import batch_size_of, load_model
from inference.models import InferenceRun, RunItem
from inference.planning.options import ThemeOptions
from inference.planning.recipes import settings_of
from inference.queries import whole_clip
from inference.recipes import read_recipe
from inference.themes.services import MAX_THEME_LENGTH, record_theme

QUOTES = "\"'“”‘’`"


def open_work(run: InferenceRun) -> ThemeWork:
    recipe = read_recipe(run.recipe)
    settings, options = settings_of(recipe.own_model), ThemeOptions.parse(recipe.options)
    return ThemeWork(load_model(settings), options, settings)


class ThemeWork(BatchWork[RunItem, ClipSource, ClipFrames, str]):
    def __init__(
        self, captioner: Captioner, options: ThemeOptions, settings: ModelSettings
    ) -> None:
        self.captioner = captioner
        self.options = options
        self.settings = settings
        self.batch_size = batch_size_of(settings)

    def describe(self, items: Sequence[RunItem]) -> list[ClipSource]:
        videos = Video.objects.in_bulk([item.video_id for item in items])
        clips = [whole_clip(videos[item.video_id]) for item in items]
        return [ClipSource.of(clip, self.settings) for clip in clips]

    def read(self, source: ClipSource) -> ClipFrames:
        return source.read(self.options.sampling, longest_side=self.options.longest_side)

    def compute(
        self, sources: Sequence[ClipSource], materials: Sequence[ClipFrames]
    ) -> Sequence[str | Exception]:
        if isinstance(self.captioner, ThemeNamer):
            return self.captioner.name_themes(materials)
        options = self.options
        requests = [CaptionRequest(clip, options.prompt, options.system) for clip in materials]
        return self.captioner.caption(requests, options.generation)

    def store(self, item: RunItem, source: ClipSource, result: str) -> Outcome:
        theme = record_theme(item=item, text=cleaned_theme(result))
        return Outcome(theme.text, values={"reasoning": reasoning_of(result)})


def cleaned_theme(reply: str) -> str:
    """Return a reply as one line without quotes. Raises ItemFailed if it isn't a theme."""
    text = showable(" ".join(reply.split()).strip(QUOTES))
    if len(text) > MAX_THEME_LENGTH:
        raise ItemFailed(
            "too_long",
            f"The reply has {len(text):,} letters, and a theme at most {MAX_THEME_LENGTH}. Retry "
            "it, or change the prompt or the model.",
        )
    return text
