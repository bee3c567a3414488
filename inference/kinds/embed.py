"""Unit vectors of clips or of captions by one encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.jobs.kinds import BatchWork, Outcome
from annotate.models import Caption, Clip
from inference.backends.protocols import ClipFrames, DualEncoder, Vectors
from inference.kinds.pictures import ClipSource
from inference.loading import batch_size_of, load_model
from inference.models import Embedding, InferenceRun, RunItem
from inference.planning.options import EmbedOptions
from inference.planning.recipes import settings_of, space_of
from inference.recipes import Recipe, read_recipe
from inference.registry import backend_info


def open_work(run: InferenceRun) -> EmbedWork:
    recipe = read_recipe(run.recipe)
    return EmbedWork(run.project_id, recipe, load_model(settings_of(recipe.own_model)))


@dataclass(frozen=True)
class EmbedJob:
    """Exactly one of a clip's source and a caption's text."""

    source: ClipSource | None = None
    text: str = ""


class EmbedWork(BatchWork[RunItem, EmbedJob, Any, Vectors]):
    def __init__(self, project_id: int, recipe: Recipe, encoder: DualEncoder) -> None:
        self.project_id = project_id
        self.model = recipe.own_model
        self.encoder = encoder
        self.options = EmbedOptions.parse(recipe.options)
        self.space = space_of(self.model)
        self.batch_size = batch_size_of(settings_of(self.model))
        self.longest_side = backend_info(self.model.backend).longest_side

    def describe(self, items: Sequence[RunItem]) -> list[EmbedJob]:
        if self.options.caption_kind:
            texts = Caption.objects.in_bulk([item.caption_id for item in items])
            return [EmbedJob(text=texts[item.caption_id].text) for item in items]
        clips = Clip.objects.select_related("video").in_bulk([item.clip_id for item in items])
        return [EmbedJob(source=ClipSource.of(clips[item.clip_id])) for item in items]

    def read(self, job: EmbedJob) -> ClipFrames | str:
        if job.source is None:
            return job.text
        return job.source.read(self.options.sampling, longest_side=self.longest_side)

    def compute(
        self, jobs: Sequence[EmbedJob], materials: Sequence[Any]
    ) -> Sequence[Vectors | Exception]:
        if self.options.caption_kind:
            return self.encoder.encode_texts(materials)
        return self.encoder.encode_clips(materials)

    def store(self, item: RunItem, job: EmbedJob, result: Vectors) -> Outcome:
        vector = np.ascontiguousarray(result, dtype="<f4")
        Embedding.objects.create(
            project_id=self.project_id,
            item=item,
            model_id=self.model.spec,
            space=self.space,
            clip_id=item.clip_id,
            caption_id=item.caption_id,
            dimension=len(vector),
            vector=vector.tobytes(),
            sampling=self.options.sampling.as_dict() if item.clip_id else {},
        )
        return Outcome(f"{len(vector)} numbers")
