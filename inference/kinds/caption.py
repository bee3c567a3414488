"""A machine caption of each clip (LoVR, section 3.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.jobs.kinds import BatchWork, Outcome
from annotate.models import Clip
from inference.backends.protocols import Captioner, CaptionRequest, ClipFrames
from inference.backends.replies import reasoning_of
from inference.kinds.captions import note_of, record_machine_caption, showable
from inference.kinds.pictures import ClipSource
from inference.loading import batch_size_of, load_model
from inference.models import InferenceRun, RunItem, VideoTheme
from inference.planning.options import CaptionOptions
from inference.planning.prompts import caption_prompt
from inference.planning.recipes import settings_of
from inference.planning.themes import told_theme
from inference.recipes import Recipe, read_recipe


def open_work(run: InferenceRun) -> CaptionWork:
    recipe = read_recipe(run.recipe)
    return CaptionWork(recipe, load_model(settings_of(recipe.own_model)))


@dataclass(frozen=True)
class CaptionJob:
    source: ClipSource
    prompt: str


class CaptionWork(BatchWork[RunItem, CaptionJob, ClipFrames, str]):
    def __init__(self, recipe: Recipe, captioner: Captioner) -> None:
        self.model = recipe.own_model
        self.captioner = captioner
        self.options = CaptionOptions.parse(recipe.options)
        self.settings = settings_of(self.model)
        self.batch_size = batch_size_of(self.settings)

    def describe(self, items: Sequence[RunItem]) -> list[CaptionJob]:
        clips = Clip.objects.select_related("video").in_bulk([item.clip_id for item in items])
        themes = VideoTheme.objects.in_bulk({item.theme_id for item in items if item.theme_id})
        return [self._job(clips[item.clip_id], themes.get(item.theme_id)) for item in items]

    def _job(self, clip: Clip, theme: VideoTheme | None) -> CaptionJob:
        theme_told = told_theme(clip.video, theme) if self.options.use_theme else ""
        prompt = caption_prompt(self.options.prompt, theme_told)
        return CaptionJob(ClipSource.of(clip, self.settings), prompt)

    def read(self, job: CaptionJob) -> ClipFrames:
        return job.source.read(self.options.sampling, longest_side=self.options.longest_side)

    def compute(
        self, jobs: Sequence[CaptionJob], materials: Sequence[ClipFrames]
    ) -> Sequence[str | Exception]:
        requests = [
            CaptionRequest(clip, job.prompt, self.options.system)
            for job, clip in zip(jobs, materials, strict=True)
        ]
        return self.captioner.caption(requests, self.options.generation)

    def store(self, item: RunItem, job: CaptionJob, result: str) -> Outcome:
        clip = Clip.objects.get(run_items=item)
        caption = record_machine_caption(clip, showable(result), model=self.model, item=item)
        return Outcome(
            note_of(caption, result),
            values={"result_id": caption.pk, "reasoning": reasoning_of(result)},
        )
