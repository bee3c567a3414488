"""Importing beside bare decoding and bare encoding.

    python -m bench.videos [--rounds 3] [--seconds 12]

The films are rendered. Both contenders read the same file and take turns. Processor's seconds are
those of all threads.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from annotate.media.decoding import choose_video
from annotate.media.ingest import Targets, ingest
from annotate.media.probe import Limits
from bench.timing import machine

SCENE = 4  # seconds
Times = tuple[float, float]  # seconds by the clock, and of the processor


def render_film(path: Path, width: int, height: int, seconds: int, options: dict[str, str]) -> Path:
    """Render a camera that moves over a blurred picture with some detail, another one every
    SCENE.
    """
    random = np.random.default_rng(0)
    fps = 25
    with av.open(str(path), "w") as output:
        stream = output.add_stream("libx264", rate=fps, options={"preset": "veryfast", **options})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for number in range(seconds * fps):
            if number % (SCENE * fps) == 0:
                shape = (height // 24, width // 24, 3)
                blocks = random.integers(0, 256, shape, dtype=np.uint8)
                long = width + 2 * SCENE * fps
                blurred = cv2.resize(blocks, (long, height))
                grain = random.integers(0, 12, (height, long, 3), dtype=np.uint8)
                scene = np.asarray(cv2.add(blurred, grain), np.uint8)
            left = 2 * (number % (SCENE * fps))
            picture = np.ascontiguousarray(scene[:, left : left + width])
            output.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        output.mux(stream.encode())
    return path


def add_noise(film: Path, path: Path, seconds: int) -> Path:
    """Return the film with stereo noise, the most expensive sound to encode."""
    random = np.random.default_rng(0)
    with av.open(str(film)) as container, av.open(str(path), "w") as output:
        video = choose_video(container)
        pictures = output.add_stream_from_template(video)
        sound = output.add_stream("aac", rate=48_000, layout="stereo")
        packets = []
        for number in range(seconds * 48_000 // 1024):
            noise = random.normal(0, 0.2, (2, 1024)).astype(np.float32)
            frame = av.AudioFrame.from_ndarray(noise, "fltp", "stereo")
            frame.sample_rate, frame.pts = 48_000, number * 1024
            packets += sound.encode(frame)
        packets += sound.encode()
        for packet in container.demux(video):
            if packet.size:
                packet.stream = pictures
                packets.append(packet)
        for packet in sorted(packets, key=_second):
            output.mux(packet)
    return path


def _second(packet: av.Packet[Any]) -> Fraction:
    assert packet.dts is not None
    return packet.dts * packet.time_base


def decode(path: Path) -> int:
    with av.open(str(path)) as container:
        return sum(1 for _ in container.decode(choose_video(container)))


def encode(path: Path, folder: Path) -> None:
    """Do what `ffmpeg -preset fast -crf 20` does, with the same libraries."""
    with av.open(str(path)) as container, av.open(str(folder / "encoded.mp4"), "w") as output:
        source = choose_video(container)
        options = {"preset": "fast", "crf": "20"}
        stream = output.add_stream("libx264", rate=source.average_rate, options=options)
        stream.width, stream.height, stream.pix_fmt = source.width, source.height, "yuv420p"
        for frame in container.decode(source):
            frame.pict_type = 0
            output.mux(stream.encode(frame))
        output.mux(stream.encode())


def import_file(path: Path, folder: Path) -> None:
    targets = Targets(*(folder / name for name in ("playback.mp4", "poster.jpg", "strip.jpg")))
    ingest(path, targets, Limits())


def take_turns(ways: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, tuple[Times, Any]]:
    """Return the medians and the last answer of each way."""
    taken: dict[str, list[Times]] = {name: [] for name in ways}
    answers = {}
    for _ in range(rounds):
        for name, way in ways.items():
            started, before = time.perf_counter(), os.times()
            answers[name] = way()
            after = os.times()
            busy = sum(after[:2]) - sum(before[:2])
            taken[name].append((time.perf_counter() - started, busy))
    medians = {
        name: tuple(map(statistics.median, zip(*t, strict=True))) for name, t in taken.items()
    }
    return {name: (medians[name], answers[name]) for name in ways}


def measure_imports(films: dict[str, tuple[Path, str]], folder: Path, rounds: int) -> None:
    print("\n| film | way | s | CPU s | ratio by the clock, by CPU |")
    print("|---|---|---|---|---|")
    for film, (path, against) in films.items():
        other = (
            partial(decode, path) if against == "bare decoding" else partial(encode, path, folder)
        )
        ways = {against: other, "import": partial(import_file, path, folder)}
        (theirs, _), (ours, _) = take_turns(ways, rounds).values()
        print(f"| {film} | {against} | {theirs[0]:.2f} | {theirs[1]:.2f} | 1 |")
        print(
            f"| {film} | import | {ours[0]:.2f} | {ours[1]:.2f} "
            f"| {ours[0] / theirs[0]:.2f}, {ours[1] / theirs[1]:.2f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=12)
    options = parser.parse_args()
    print(machine())
    closed = {"g": "50", "bf": "2"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = {"640 x 360": (640, 360), "1280 x 720": (1280, 720), "1920 x 1080": (1920, 1080)}
        rendered = {
            size: render_film(folder / f"{sides[1]}.mp4", *sides, options.seconds, closed)
            for size, sides in sizes.items()
        }
        rare = render_film(
            folder / "rare.mp4", 1280, 720, options.seconds, {"g": "999", "sc_threshold": "0"}
        )
        noisy = {
            f"{size} with noise": add_noise(path, folder / f"noisy {path.name}", options.seconds)
            for size, path in rendered.items()
        }
        copied = rendered | noisy
        measure_imports(
            {f"{size}, copied": (path, "bare decoding") for size, path in copied.items()}
            | {"1280 x 720, encoded": (rare, "libx264, preset fast")},
            folder,
            options.rounds,
        )


if __name__ == "__main__":
    main()
