"""Hard cuts between sampled frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from inference.backends.opencv_draft.pictures import lab
from inference.backends.protocols import ClipFrames

GRID = (32, 18)  # cells in which colors are compared, small enough to ignore motion
CUT = 14.0  # mean CIELAB distance of two pictures' cells that can be a cut
STANDS_OUT = 2.0  # times the usual distance nearby, so that fast motion isn't a cut
NEARBY = 3  # steps on each side
CERTAIN_SECONDS = 0.25  # samples closer than this miss no shot of that length


@dataclass(frozen=True)
class Shot:
    """Samples [first, last] of a clip, without a cut between them.

    `start` and `end`: seconds from the clip's beginning, true to the distance between samples.
    """

    first: int
    last: int
    start: float
    end: float


def find_shots(clip: ClipFrames) -> list[Shot]:
    """Return the shots in order, covering the clip. Ignore shots shorter than CERTAIN_SECONDS.

    So a flash of light isn't a cut. Only hard cuts are found, not fades and dissolves.
    """
    cells = [_cells(frame) for frame in clip.frames]
    firsts = _drop_flashes(clip, cells, [0, *_cuts(clip.numbers, cells)])
    ends = [*firsts[1:], len(cells)]
    shots = []
    for first, end in zip(firsts, ends, strict=True):
        after = clip.numbers[end] if end < len(cells) else clip.length
        start = clip.numbers[first] if first else 0
        shots.append(Shot(first, end - 1, start / clip.fps, after / clip.fps))
    return shots


def sampled_densely(clip: ClipFrames) -> bool:
    """Return whether no shot of CERTAIN_SECONDS can fall between two samples."""
    places = [0, *clip.numbers, clip.length - 1]
    widest = max(after - before for before, after in pairwise(places))
    return widest <= max(1.0, CERTAIN_SECONDS * clip.fps)


def _cells(frame: NDArray[np.uint8]) -> NDArray[np.float32]:
    return lab(np.asarray(cv2.resize(frame, GRID, interpolation=cv2.INTER_AREA), np.uint8))


def _distance(cell: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(cell - other, axis=2).mean())


def _cuts(numbers: Sequence[int], cells: Sequence[NDArray[np.float32]]) -> list[int]:
    """Return the samples that begin a new shot, without the first."""
    gaps = [after - before for before, after in pairwise(numbers)]
    distances = [_distance(cell, next_) for cell, next_ in pairwise(cells)]
    return [
        step + 1
        for step, distance in enumerate(distances)
        if distance >= CUT and distance >= STANDS_OUT * _usual(distances, gaps, step)
    ]


def _usual(distances: Sequence[float], gaps: Sequence[int], step: int) -> float:
    """Return the median distance over the nearest steps that are at least half as long."""
    alike = [other for other, gap in enumerate(gaps) if other != step and gap * 2 >= gaps[step]]
    before = [other for other in alike if other < step][-NEARBY:]
    after = [other for other in alike if other > step][:NEARBY]
    return median([distances[other] for other in before + after] or [0.0])


def _drop_flashes(
    clip: ClipFrames, cells: Sequence[NDArray[np.float32]], firsts: list[int]
) -> list[int]:
    """Return the starts without shots that are too short, and without cuts back to the same
    picture.
    """
    kept: list[tuple[int, int]] = []
    for first, end in pairwise([*firsts, len(cells)]):
        after = clip.numbers[end] if end < len(cells) else clip.length
        if after - clip.numbers[first] < CERTAIN_SECONDS * clip.fps:
            continue
        flashed = bool(kept) and kept[-1][1] < first - 1
        if flashed and _distance(cells[kept[-1][1]], cells[first]) < CUT:
            kept[-1] = (kept[-1][0], end - 1)
        else:
            kept.append((first, end - 1))
    return [0, *(first for first, _ in kept[1:])]
