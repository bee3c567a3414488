"""Cuts long videos into clips, and leaves out videos that are too short or too still
(LoVR, 3.1).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from annotate import file_store
from annotate.errors import ItemFailed
from annotate.jobs.kinds import Lease, Outcome, SingleWork
from annotate.media.cuts import Cuts, find_cuts
from annotate.media.detectors import FrameDetector, open_detector
from annotate.media.errors import MediaError
from annotate.media.pictures import make_posters
from annotate.models import Video
from inference.kinds.segmenting import record_segmentation
from inference.loading import load_model
from inference.models import InferenceRun, RunItem
from inference.planning.options import SegmentOptions
from inference.planning.recipes import settings_of
from inference.recipes import read_recipe
from inference.segmentation import Curve, Curves, tile, too_few, too_short

SECONDS_PER_STEP = 1.0


class ShotDetector(Protocol):
    """A model that finds cuts."""

    def start(self, threshold: float) -> FrameDetector:
        """Return what reads the frames of one film."""
        ...


def open_work(run: InferenceRun) -> SegmentWork:
    recipe = read_recipe(run.recipe)
    options = SegmentOptions.parse(recipe.options)
    detect = partial(open_detector, options.cut_detector, options.threshold)
    if recipe.model:
        model: ShotDetector = load_model(settings_of(recipe.model))
        detect = partial(model.start, options.threshold)
    return SegmentWork(run, options, detect)


@dataclass(frozen=True)
class Segmented:
    """Has no cuts and no curves if the video was left out before decoding."""

    cuts: list[int]
    curves: Curves | None
    excluded_because: str


class SegmentWork(SingleWork[RunItem, Segmented]):
    """One item is one video. Nothing is stored until the whole video is read, so a later attempt
    starts over.
    """

    def __init__(
        self, run: InferenceRun, options: SegmentOptions, detect: Callable[[], FrameDetector]
    ) -> None:
        """`detect` returns a new detector for each reading of a film."""
        self.run = run
        self.options = options
        self.detect = detect

    def do(self, item: RunItem, lease: Lease) -> Segmented:
        video = Video.objects.get(run_items=item)
        reason = too_short(video.duration, self.options.min_video_seconds)
        if reason:
            return Segmented([], None, reason)
        cuts = self._find_cuts(video, Progress(lease, video.frames))
        if len(cuts.values) != video.frames:
            raise ItemFailed(
                "clip_unreadable",
                f"The playback file has {len(cuts.values):,} frames, and {video.frames:,} were "
                "imported. Restore it from a backup.",
            )
        reason = too_few(len(cuts.firsts), self.options.min_clips)
        if not reason:
            lease.step("Pictures of its clips")
            _keep_posters(video, cuts.firsts)
        curves = Curves(Curve.of(cuts.values), Curve.of(cuts.absolute), Curve.of(cuts.of_means))
        return Segmented(cuts.firsts, curves, reason)

    def _find_cuts(self, video: Video, progress: Progress) -> Cuts:
        """Compare the frames of the source if they can be read and are alike, since encoding moves
        values; else those of the playback file."""

        def find(path: Path) -> Cuts:
            return find_cuts(
                path,
                detector=self.detect(),
                min_scene_frames=round(self.options.min_scene_seconds * video.fps),
                downscale=self.options.downscale,
                on_frame=progress.show,
            )

        if video.probe.get("resized") == 0:
            with suppress(MediaError):
                cuts = find(file_store.local_file(video.source_file))
                if len(cuts.values) == video.frames:
                    return cuts
        return find(file_store.local_file(video.playback_file))

    def finish(self, item: RunItem, result: Segmented) -> Outcome:
        note = record_segmentation(
            item=item,
            options=self.options,
            cuts=result.cuts,
            curves=result.curves,
            excluded_because=result.excluded_because,
            admin=self.run.created_by,
        )
        return Outcome(note)


def _keep_posters(video: Video, cuts: Sequence[int]) -> None:
    """Store a picture of each clip. Equal frames have equal file names, so a lost attempt does no
    harm.
    """
    with TemporaryDirectory() as folder:
        targets = {
            (start, end): Path(folder, f"{start}.jpg")
            for start, end in tile(cuts, video.frames)
            if end - start < video.frames
        }
        make_posters(file_store.local_file(video.playback_file), targets)
        file_store.keep_files(
            {file_store.clip_poster_name(video, *part): path for part, path in targets.items()}
        )


class Progress:
    """Reports progress about once per second, and so notices a canceled run."""

    def __init__(self, lease: Lease, frames: int) -> None:
        self.lease = lease
        self.frames = frames
        self.due = time.monotonic()

    def show(self, number: int) -> None:
        if time.monotonic() >= self.due:
            self.lease.step(f"{100 * number // self.frames} % read")
            self.due = time.monotonic() + SECONDS_PER_STEP
