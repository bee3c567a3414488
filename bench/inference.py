"""Captions and vectors a second: one clip at a time against batches read beside the model.

    python -m bench.inference [--clips 24] [--seconds 4-16] [--rounds 3] [--batch-size 8]
    python -m bench.inference --model PATH --encoder PATH --device cuda
    python -m bench.inference --checks --device cpu

Without a model it makes small ones with random weights. Both ways decode the same files, give
the model the same numbers, and take turns in one run; their answers are compared. It needs no
Django. With --device cuda, or --checks, it first checks the device (bench/device_checks.py), on a
GPU also with random weights of the shape of 7B.

plain    read a clip, prepare it, call transformers, then the next clip
batches  clips of like length together, the next batch is read in a thread meanwhile
"""

from __future__ import annotations

import argparse
import logging
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import torch

from bench.device_checks import Setting, run_checks
from inference.backends import transformers_dual, transformers_vlm
from inference.backends.hf.opening import place
from inference.backends.protocols import CaptionRequest, ClipFrames, Generation, ModelSettings
from inference.frames import read_clip
from inference.sampling import Sampling
from tests.inference.backends.tiny_models import save_clip, save_qwen

FPS = 25
PROMPT = "Describe the video in detail."
CAPTION_FRAMES = Sampling("seconds", low=8, high=64)  # LoVR
EMBED_FRAMES = Sampling("middle", count=32)  # CaReBench


@dataclass(frozen=True)
class Source:
    path: Path
    frames: int

    def read(self, sampling: Sampling) -> ClipFrames:
        return read_clip(self.path, 0, self.frames, Fraction(FPS), sampling, longest_side=768)


def make_clips(folder: Path, count: int, shortest: int, longest: int) -> list[Source]:
    """Make H.264 files of 640 by 360 pixels, with evenly spread, shuffled lengths."""
    seconds = np.linspace(shortest, longest, count).round().astype(int).tolist()
    random.Random(0).shuffle(seconds)
    sources = []
    for number, length in enumerate(seconds):
        source = Source(folder / f"{number}.mp4", length * FPS)
        rows = np.random.default_rng(number).integers(0, 255, (360, 1280, 3), np.uint8)
        rows = rows.repeat(16, axis=1)[:, :1280].repeat(8, axis=0)[:360]
        with av.open(str(source.path), "w", options={"movflags": "+faststart"}) as container:
            stream = container.add_stream("libx264", rate=FPS)
            stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
            stream.options = {"preset": "ultrafast", "g": str(FPS)}
            for place in range(source.frames):
                left = 2 * place % 640
                picture = np.ascontiguousarray(rows[:, left : left + 640])
                frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
        sources.append(source)
    return sources


def in_batches(
    sources: Sequence[Source],
    sampling: Sampling,
    size: int,
    model: Callable[[list[ClipFrames]], Sequence[Any]],
) -> list[Any]:
    """Work like a run: the longest clips first, with the next batch read in a thread during the
    model.
    """
    order = sorted(range(len(sources)), key=lambda n: -sources[n].frames)
    batches = [order[start : start + size] for start in range(0, len(order), size)]
    answers: list[Any] = [None] * len(sources)
    with ThreadPoolExecutor(1) as reader:

        def begin(batch: list[int]) -> list[Any]:
            return [reader.submit(sources[n].read, sampling) for n in batch]

        coming = begin(batches[0])
        for number, batch in enumerate(batches):
            clips = [read.result() for read in coming]
            coming = begin(batches[number + 1]) if number + 1 < len(batches) else []
            for n, answer in zip(batch, model(clips), strict=True):
                answers[n] = answer
    return answers


@torch.inference_mode()
def plain_captions(vlm: Any, sources: Sequence[Source], tokens: int) -> list[str]:
    chat, captions = vlm.chat, []
    for source in sources:
        clip = source.read(CAPTION_FRAMES)
        turn = chat.turn(PROMPT, chat.eye.video(clip))
        inputs = chat.pack([turn], vlm.model.device)
        written = vlm.model.generate(**inputs, max_new_tokens=tokens, do_sample=False)
        captions.append(str(vlm.text_of(written[0, len(turn) :].tolist())))
    return captions


@torch.inference_mode()
def plain_vectors(encoder: Any, sources: Sequence[Source]) -> list[np.ndarray]:
    vectors = []
    for source in sources:
        clip = source.read(EMBED_FRAMES)
        seen = encoder.processor(
            images=list(clip.frames), input_data_format="channels_last", return_tensors="pt"
        ).to(encoder.model.device, encoder.model.dtype)
        frames = encoder.model.get_image_features(**seen).pooler_output.float()
        mean = torch.nn.functional.normalize(frames, dim=-1).mean(0)
        vectors.append(torch.nn.functional.normalize(mean, dim=-1).cpu().numpy())
    return vectors


def compare(
    title: str, sources: Sequence[Source], ways: dict[str, Callable[[], Any]], rounds: int
) -> dict[str, Any]:
    """Print a row of clips per second, and processor seconds per clip, which other work on the
    machine hardly affects. The ways take turns, so that a slow minute affects both."""
    for way in ways.values():
        way()  # The first call is slower.
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    answers: dict[str, Any] = {}
    for _ in range(rounds):
        for name, way in ways.items():
            started, busy = time.perf_counter(), time.process_time()
            answers[name] = way()
            taken[name].append((time.perf_counter() - started, time.process_time() - busy))
    medians = [[statistics.median(column) / len(sources) for column in zip(*taken[n], strict=True)]
               for n in ways]  # fmt: skip
    (plain, plain_busy), (batches, batches_busy) = medians
    print(
        f"| {title} | {1 / plain:.2f} | {1 / batches:.2f} | {plain / batches:.2f} "
        f"| {plain_busy:.2f} | {batches_busy:.2f} |",
        flush=True,
    )
    return answers


def machine(device: torch.device) -> str:
    gpu = f", {torch.cuda.get_device_name(device)}" if device.type == "cuda" else ""
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores{gpu}, "
        f"Python {platform.python_version()}, torch {torch.__version__}, "
        f"{torch.get_num_threads()} threads, load {os.getloadavg()[0]:.1f} before the start"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=int, default=24)
    parser.add_argument("--seconds", default="4-16", help="the shortest and the longest clip")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, help="of torch; unset: one a core")
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--max-tokens", type=int, default=128)
    parser.add_argument("--model", help="a Qwen-VL: folder or id")
    parser.add_argument("--encoder", help="a CLIP or SigLIP: folder or id")
    parser.add_argument("--max-pixels", type=int)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--dtype", default="auto")
    parser.add_argument("--checks", action="store_true", help="check the device, also a CPU")
    parser.add_argument("--shape", choices=("7b", "tiny"), help="of the checks")
    parser.add_argument("--minutes", type=float, default=7, help="no check starts after these")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    if options.threads:
        torch.set_num_threads(options.threads)
    shortest, longest = map(int, options.seconds.split("-"))

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        failures = 0
        if options.checks or options.device.startswith("cuda"):
            shape = options.shape or ("7b" if options.device.startswith("cuda") else "tiny")
            setting = Setting(folder, options.device, shape, options.clips,
                              options.batch_size, min(options.max_tokens, 64))  # fmt: skip
            print(machine(place({"device": options.device}).device), flush=True)
            failures = run_checks(setting, options.minutes)
        common = {key: getattr(options, key) for key in ("device", "dtype", "batch_size")}
        # Small pictures without useful weights: the figures measure the way, not the model.
        most = options.max_pixels or (230_400 if options.model else 25_088)
        bounds = {"max_pixels": most, "min_pixels": min(100_352, most)}
        model = options.model or str(save_qwen(folder / "vlm"))
        settings = ModelSettings("transformers-vlm", model, parameters=common | bounds)
        vlm = transformers_vlm.load(settings)
        encoder = transformers_dual.load(
            ModelSettings(
                "transformers-dual",
                options.encoder or str(save_clip(folder / "encoder")),
                parameters=common,
            )
        )
        sources = make_clips(folder, options.clips, shortest, longest)
        print(machine(vlm.model.device))
        print(
            f"{len(sources)} clips of {shortest} to {longest} s, 640 by 360; "
            f"{options.model or 'a tiny Qwen2.5-VL'} ({vlm.model.num_parameters():,} weights), "
            f"{options.encoder or 'a tiny CLIP'} ({encoder.model.num_parameters():,} weights), "
            f"{vlm.model.dtype}; batches of {options.batch_size}\n"
        )
        print("| clips/s | plain | batches | ratio | CPU s a clip, plain | batches |")
        print("|---|---|---|---|---|---|")
        generation = Generation(max_tokens=options.max_tokens)

        def captions(clips: list[ClipFrames]) -> Sequence[Any]:
            return vlm.caption([CaptionRequest(clip, PROMPT) for clip in clips], generation)

        size = options.batch_size
        texts = compare(
            "caption",
            sources,
            {
                "plain": lambda: plain_captions(vlm, sources, options.max_tokens),
                "batches": lambda: in_batches(sources, CAPTION_FRAMES, size, captions),
            },
            options.rounds,
        )
        vectors = compare(
            "embed",
            sources,
            {
                "plain": lambda: plain_vectors(encoder, sources),
                "batches": lambda: in_batches(sources, EMBED_FRAMES, size, encoder.encode_clips),
            },
            options.rounds,
        )
        started = time.perf_counter()
        for source in sources:
            source.read(CAPTION_FRAMES)
        reading = len(sources) / (time.perf_counter() - started)
        same = sum(map(str.__eq__, map(str, texts["plain"]), map(str, texts["batches"])))
        apart = np.abs(np.stack(vectors["plain"]) - np.stack(vectors["batches"])).max()
        print(
            f"\nReading alone: {reading:.2f} clips/s. {same} of {len(sources)} captions are equal; "
            f"vectors differ by {apart:.1e}."
        )
    if failures:
        raise SystemExit(f"{failures} checks failed.")


if __name__ == "__main__":
    main()
