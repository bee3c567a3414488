"""Rows of segmented videos, as a run would leave them, without reading a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from annotate.models import Project, Video
from inference.kinds.segmenting import record_segmentation
from inference.models import InferenceRun, RunItem, Segmentation
from inference.planning.options import SegmentOptions
from inference.planning.recipes import hash_of, make_recipe
from inference.recipes import as_json
from inference.segmentation import Curve, Curves
from tests.cast import make_video


def make_run(project: Project, **options: Any) -> InferenceRun:
    recipe = make_recipe("segment", SegmentOptions.parse(options))
    return InferenceRun.objects.create(
        project=project,
        kind="segment",
        recipe=as_json(recipe),
        recipe_hash=hash_of(recipe),
        queue="media",
    )


def make_item(run: InferenceRun, video: Video, state: str = "done", **fields: Any) -> RunItem:
    return RunItem.objects.create(
        run=run, video=video, position=1, key=f"{run.pk}-{video.pk}", state=state, **fields
    )


def draw_values(frames: int, cuts: Sequence[int], seed: int = 0) -> np.ndarray:
    """Slow waves and noise, with a peak between 40 and 110 at each cut."""
    random = np.random.default_rng(seed)
    values = 4 + 3 * np.sin(np.arange(frames) / 700) + random.gamma(1.5, 1.4, frames)
    values[list(cuts[1:])] = random.uniform(40, 110, len(cuts) - 1)
    values[0] = 0
    return values.astype(np.float32)


def draw_curves(frames: int, cuts: Sequence[int]) -> Curves:
    """The detector's values, and pixels that differ less, in another proportion at each frame."""
    values = draw_values(frames, cuts)
    return Curves(Curve.of(values), Curve.of(values**0.9), Curve.of(values**0.6))


def segment(
    video: Video, cuts: Sequence[int], *, excluded_because: str = "", **options: Any
) -> Segmentation:
    """Cut `video` at the frames `cuts`, 0 included; without cuts it was never read."""
    item = make_item(make_run(video.project, **options), video)
    record_segmentation(
        item=item,
        options=SegmentOptions.parse(options),
        cuts=cuts,
        curves=draw_curves(video.frames, cuts) if cuts else None,
        excluded_because=excluded_because,
        admin=None,
    )
    video.refresh_from_db()
    return Segmentation.objects.get(item=item)


def make_talk(project: Project, **fields: Any) -> tuple[Video, list[int]]:
    """A video of 40 minutes at 25 frames/s with the first frames of its 80 clips."""
    frames = 40 * 60 * 25
    video = make_video(project, **{"frames": frames, "original_name": "city walk.mp4", **fields})
    random = np.random.default_rng(7)
    lengths = 140 + random.exponential(1, 80) * 610
    firsts = np.cumsum(lengths / lengths.sum() * frames)[:-1]
    return video, [0, *map(int, firsts)]
