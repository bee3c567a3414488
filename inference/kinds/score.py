"""EVQAScore of the current caption of each clip (LoVR, section 3.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.jobs.kinds import BatchWork, Outcome
from annotate.models import Caption
from inference.backends.protocols import ClipFrames
from inference.kinds.pictures import ClipSource
from inference.kinds.scoring import Scored, Scorer
from inference.loading import batch_size_of
from inference.models import InferenceRun, RunItem
from inference.planning.options import ScoreRunOptions
from inference.recipes import ScoreRecipe, read_stored


def open_work(run: InferenceRun) -> ScoreWork:
    recipe = read_stored(run.recipe, ScoreRecipe)
    options = ScoreRunOptions.parse(recipe.options)
    return ScoreWork(Scorer(run, recipe, options), takes_long=options.of == "full_video")


@dataclass(frozen=True)
class ScoreJob:
    caption: Caption
    source: ClipSource


class ScoreWork(BatchWork[RunItem, ScoreJob, ClipFrames, Scored]):
    def __init__(self, scorer: Scorer, *, takes_long: bool) -> None:
        """`takes_long`: captions are of long videos, whose frames fill the memory."""
        self.scorer = scorer
        self.batch_size = 1 if takes_long else batch_size_of(scorer.settings)

    def describe(self, items: Sequence[RunItem]) -> list[ScoreJob]:
        captions = Caption.objects.select_related("clip__video").in_bulk(
            [item.caption_id for item in items]
        )
        return [
            ScoreJob(caption, ClipSource.of(caption.clip))
            for caption in (captions[item.caption_id] for item in items)
        ]

    def read(self, job: ScoreJob) -> ClipFrames:
        scorer = self.scorer
        return job.source.read(scorer.options.sampling, longest_side=scorer.longest_side)

    def compute(
        self, jobs: Sequence[ScoreJob], materials: Sequence[ClipFrames]
    ) -> Sequence[Scored | Exception]:
        return self.scorer.score_batch(materials, [job.caption.text for job in jobs])

    def store(self, item: RunItem, job: ScoreJob, result: Scored) -> Outcome:
        same = self.scorer.score_of_same_text(job.caption.clip_id, job.caption.text)
        score = self.scorer.store(item, job.caption, same or result)
        return Outcome(f"{score.value:z.3f}")
